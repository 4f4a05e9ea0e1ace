import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { recordingName } from '../cassette/write/cassette-names.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { recordingNotes } from '../record/summary/recording-notes.ts';
import { redactedValues } from '../record/summary/redacted-values.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { LiveRecording, type LiveRecordingEnd, type LiveRecordingOptions } from './live-recording.ts';
import { PlaceholderChannel } from './placeholder-channel.ts';
import { type SessionBackend, type SessionBackendOptions, serverOf } from './session-backend.ts';

/** Serves a session from the live server, and records it beside the cassette until the run has passed. */
export async function recordSession(options: SessionBackendOptions): Promise<SessionBackend> {
  const { file, report } = options;
  const redactor = options.redactor?.();
  const asReplayed = new PlaceholderChannel(redactor);
  const live = await startLive(options, asReplayed, {
    recordTo: recordingName(file),
    redactor: redactor && (() => redactor),
  });
  return {
    async end(isGood) {
      const end = await live.stop();
      if (end.trouble !== undefined) throw notRecorded(file, end.trouble);
      if (!end.spoke) report(silent(file, end));
      if (!end.spoke || end.recording === undefined) return discard(end);
      if (!isGood()) return { kept: end.recording };
      const redacted = redactor && (redactor.hasRedacted() ? redactedValues(end.recording) : []);
      renameSync(end.recording, existsSync(file) ? realpathSync(file) : file);
      const notes = recordingNotes({ file, redacted, seen: asReplayed.late() });
      return { written: file, notes, ...(redacted && { redacted }) };
    },
  };
}

/** Serves a session from the live server. Nothing is recorded. */
export async function passThrough(options: SessionBackendOptions): Promise<SessionBackend> {
  const live = await startLive(options, new PlaceholderChannel(undefined), {});
  return {
    async end() {
      await live.stop();
      return {};
    },
  };
}

/** Removes a recording that is not worth keeping. */
export function discard({ recording }: LiveRecordingEnd): Record<string, never> {
  if (recording !== undefined) rmSync(recording, { force: true });
  return {};
}

/** What it means that the disk refused a recording. */
export function notRecorded(file: string, error: unknown): McpRecordError {
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
  asReplayed: PlaceholderChannel,
  recording: Pick<LiveRecordingOptions, 'recordTo' | 'redactor'>,
): Promise<LiveRecording> {
  const { client, clock } = options;
  const live = await LiveRecording.start({
    server: serverOf(options),
    clock,
    hear: (frame) => void client.send(asReplayed.toClient(frame)),
    ...recording,
  });
  client.listen((frame) => {
    if (frame.kind !== 'bytes') live.say(asReplayed.toServer(frame));
  });
  return live;
}

function silent(file: string, { exit, stderr }: LiveRecordingEnd): Finding {
  const status = exit === undefined ? '' : ` It ended with ${exit.status}.`;
  const said = stderr.map((line) => `\n    ${line}`).join('');
  const text = `The server never said a message, so that ${file} was not recorded.${status}${said}`;
  return { kind: 'missing', text };
}
