import { existsSync, realpathSync, rmSync } from 'node:fs';
import { loadCassette } from '../cassette/read/load-cassette.ts';
import { renameFile } from '../cassette/write/atomic-write.ts';
import { numberedName, probeName, recordingName } from '../cassette/write/cassette-names.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { failureRedactor } from '../record/redact-file/project-redactor.ts';
import { redactedValues } from '../record/summary/redacted-values.ts';
import { recordingNotes } from '../record/summary/redacted-values-notes.ts';
import { unredactableValues, unredactableWarning } from '../record/summary/unredactable-values.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { LiveRecording, type LiveRecordingEnd, type LiveRecordingOptions } from './live-recording.ts';
import { TwoWayFrameRedactor } from './redact-and-restore-frames.ts';
import { requireServer, type SessionBackend, type SessionBackendOptions } from './session-backend.ts';

/**
 * Serves a session from the live server. The recording is kept beside the cassette until the run has passed, then
 * replaces it.
 */
export async function recordSession(options: SessionBackendOptions): Promise<SessionBackend> {
  const { file, report } = options;
  const redactor = options.redactor?.();
  const placeholders = new TwoWayFrameRedactor(redactor);
  const live = await startLive(options, placeholders, {
    recordTo: recordingName(file),
    redactor: redactor && (() => redactor),
  });
  return {
    async end(isGood) {
      const end = await live.stop();
      if (end.error !== undefined) throw recordingFailed(file, end.error);
      if (!end.hasSpoken) report(end.wasAsked ? noMessageFinding(file, end) : noClientFinding(file));
      if (!end.hasSpoken || end.recording === undefined) return discardRecording(end);
      const isKept = !isGood();
      const carried = { file, recording: end.recording, ignore: options.ignore };
      const lost = (!isKept && existsSync(file) && options.carryOver?.(carried)) || [];
      const redacted = redactor && (redactor.hasRedacted() ? redactedValues(end.recording) : []);
      const said = { redacted, seen: placeholders.lateSecrets(), isOfNumber: redactor?.isOfNumber };
      // A placeholder may be why the test failed.
      if (isKept) {
        const kept = end.recording;
        return { kept, ...(redacted?.length && { notes: recordingNotes({ file: kept, ...said }) }) };
      }
      renameFile(end.recording, existsSync(file) ? realpathSync(file) : file);
      const notes = [...recordingNotes({ file, ...said }), ...lost];
      const left = redactor?.hasUnredactable() ? unredactableValues(file, redactor) : [];
      const warning = unredactableWarning(file, left)?.message;
      if (warning !== undefined) notes.push(warning);
      return { written: file, notes, ...(redacted && { redacted }) };
    },
  };
}

/** Serves a session from the live server without recording it. */
export async function passThrough(options: SessionBackendOptions): Promise<SessionBackend> {
  const live = await startLive(options, new TwoWayFrameRedactor(undefined), {});
  return {
    async end() {
      await live.stop();
      return {};
    },
  };
}

/** Deletes the recording. */
export function discardRecording({ recording }: LiveRecordingEnd): Record<string, never> {
  if (recording !== undefined) rmSync(recording, { force: true });
  return {};
}

/**
 * Deletes recordings of earlier failed runs beside a cassette: `….recording.yaml`, `….recording-2.yaml`, and their
 * probe files. Incomplete recordings are kept, because another process may be writing them.
 */
export function removeStaleRecordings(cassette: string): void {
  const name = recordingName(cassette);
  for (let n = 1; existsSync(numberedName(name, n)); n++) {
    const path = numberedName(name, n);
    if (!isComplete(path)) continue;
    rmSync(path, { force: true });
    rmSync(probeName(path), { force: true });
  }
}

function isComplete(path: string): boolean {
  try {
    return loadCassette(path).end !== undefined;
  } catch {
    return false;
  }
}

/** Returns the error for a failed write of a recording. */
export function recordingFailed(file: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_WRITTEN',
    what: `Cannot record ${file}`,
    why: messageOf(error),
    next: 'The cassette is as it was. Free the disk or name another place, and record again.',
    cause: error,
  });
}

async function startLive(
  options: SessionBackendOptions,
  placeholders: TwoWayFrameRedactor,
  recording: Pick<LiveRecordingOptions, 'recordTo' | 'redactor'>,
): Promise<LiveRecording> {
  const { client, clock } = options;
  const live = await LiveRecording.start({
    server: requireServer(options),
    clock,
    onFrame: (frame) => void client.send(placeholders.toClient(frame)),
    ...recording,
  });
  client.listen((frame) => {
    if (frame.kind !== 'bytes') live.send(placeholders.toServer(frame));
  });
  return live;
}

/** Returns the finding about a session without a client. */
function noClientFinding(file: string): Finding {
  return {
    kind: 'unconnected',
    text: `No message of a client has reached the server, so that ${file} was not recorded.`,
  };
}

function noMessageFinding(file: string, { exit, stderr }: LiveRecordingEnd): Finding {
  const status = exit === undefined ? '' : ` It ended with ${exit.status}.`;
  const said = failureRedactor().text(stderr.map((line) => `\n    ${line}`).join(''));
  const text = `The server never said a message, so that ${file} was not recorded.${status}${said}`;
  return { kind: 'missing', text };
}
