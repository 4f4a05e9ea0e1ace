import { readFileSync } from 'node:fs';
import type { Cassette } from '../cassette/cassette.ts';
import { replaceFile } from '../cassette/write/atomic-write.ts';
import { recordingName } from '../cassette/write/cassette-names.ts';
import type { Frame } from '../channel/frame.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { requireRules } from '../record/redact-file/require-rules.ts';
import { listRedactRules } from '../record/redact-file/write-applied-rule-names.ts';
import { type RedactedValue, redactedValues } from '../record/summary/redacted-values.ts';
import { recordingNotes } from '../record/summary/redacted-values-notes.ts';
import type { Redactor } from '../redact/redactor.ts';
import { placeholderOf, placeholdersIn } from '../redact/replace/placeholder-format.ts';
import { encodedEdits } from '../redact/replace/restore-secrets.ts';
import { applyEdits } from '../redact/replace/text-edit.ts';
import type { SecretBindings } from '../replay/match/secret-bindings.ts';
import { appendEntries, checkExtendable } from './append-entries.ts';
import { LiveFallback, type LiveFallbackOptions } from './live-fallback.ts';
import { LiveRecording } from './live-recording.ts';
import { discardRecording, recordingFailed } from './record-session.ts';
import { TwoWayFrameRedactor } from './redact-and-restore-frames.ts';
import { ReplayServer } from './replay-server.ts';
import { requireServer, type SessionBackend, type SessionBackendOptions } from './session-backend.ts';

/** Serves a session from the cassette. The live server answers missing requests, which then extend the cassette. */
export async function extendCassette(cassette: Cassette, options: SessionBackendOptions): Promise<SessionBackend> {
  const { file, client, clock, report, isAdded = true } = options;
  if (isAdded) checkExtendable(cassette);
  const server = requireServer(options);
  const recording = isAdded ? { recordTo: recordingName(file) } : {};
  const own = options.redactor?.();
  if (isAdded && own) requireRules(cassette, own.userRules, process.env);
  if (own) reservePlaceholders(cassette, own);
  const placeholders = new TwoWayFrameRedactor(own);
  const redactor = own && (() => own);
  const start: LiveFallbackOptions['start'] = (onFrame) =>
    LiveRecording.start({ server, clock, redactor, onFrame, ...recording });
  const fallback = new LiveFallback({ cassette, client, clock, start, report, placeholders });
  const replayed = new ReplayServer({
    ...options,
    cassette,
    answerMissing: (live) => !isInitialize(live) && fallback.ask(live),
  });
  client.listen((frame) => {
    if (frame.kind !== 'bytes' && !fallback.hear(frame)) replayed.hear(frame);
  });
  return {
    faulted: (fired) => replayed.faulted(fired),
    async end(isGood) {
      await replayed.end();
      const end = await fallback.stop();
      const { asked } = fallback;
      if (end === undefined || !isAdded) return { asked };
      if (end.error !== undefined) throw recordingFailed(file, end.error);
      if (!isGood()) return { asked, ...(end.recording !== undefined && { kept: end.recording }) };
      // A parallel session may have extended the file.
      const earlier = own?.hasRedacted() ? redactedValues(file) : [];
      const frames = redacted(fallback.frames, own).map((frame) => asRecorded(frame, replayed.bindings));
      const before = readFileSync(file, 'utf8');
      const text = appendEntries(before, file, frames);
      const names = own?.listedRules() ?? [];
      replaceFile(file, names.length === 0 ? text : listRedactRules({ text, file }, before, names));
      discardRecording(end);
      const added = own && (own.hasRedacted() ? without(redactedValues(file), earlier) : []);
      const notes = recordingNotes({
        file,
        redacted: added,
        seen: placeholders.lateSecrets(),
        isOfNumber: own?.isOfNumber,
      });
      return { asked, written: file, notes, ...(added && { redacted: added }) };
    },
  };
}

/** Makes the redactor number the placeholders of new secrets after those of the cassette. */
function reservePlaceholders({ events }: Cassette, redactor: Redactor): void {
  for (const { frame } of events)
    if (frame.kind === 'message' && frame.json.text.includes('[redacted:')) redactor.json(frame.json);
}

/** Returns the new values. They are compared by line, because an extension does not move earlier entries. */
function without(values: readonly RedactedValue[], before: readonly RedactedValue[]): RedactedValue[] {
  const keyOf = ({ line, placeholder, pointer }: RedactedValue) => `${line} ${placeholder} ${pointer}`;
  const known = new Set(before.map(keyOf));
  return values.filter((value) => !known.has(keyOf(value)));
}

/** Reports whether the request is `initialize`, which the live server receives only with the handshake. */
function isInitialize({ value }: JsonText): boolean {
  return isRequest(value) && value.method === 'initialize';
}

/** Redacts frames in two passes, because a later frame may reveal that an earlier value is a secret. */
function redacted(frames: readonly Frame[], redactor: Redactor | undefined): readonly Frame[] {
  if (redactor === undefined) return frames;
  for (const frame of frames) redactor.frame(frame);
  return frames.map((frame) => redactor.frame(frame));
}

/**
 * Replaces the redactor's placeholders by the cassette's own placeholders for the same secrets. The redactor has not
 * seen the secrets behind the latter.
 */
function asRecorded(frame: Frame, bindings: SecretBindings): Frame {
  if (frame.kind !== 'message') return frame;
  const { text } = frame.json;
  const edits = placeholdersIn(text).flatMap(({ start, end }) => {
    const recorded = bindings.recordedPlaceholder(text.slice(start, end));
    return recorded === undefined ? [] : [{ start, end, text: recorded }];
  });
  const encoded = encodedEdits(text, ({ name, n }) => bindings.recordedPlaceholder(placeholderOf(name, n)));
  if (edits.length + encoded.length === 0) return frame;
  return { ...frame, json: new JsonText(applyEdits(text, [...edits, ...encoded])) };
}
