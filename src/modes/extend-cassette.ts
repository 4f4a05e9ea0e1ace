import { readFileSync } from 'node:fs';
import type { Cassette } from '../cassette/cassette.ts';
import { replaceFile } from '../cassette/write/atomic-write.ts';
import { recordingName } from '../cassette/write/cassette-names.ts';
import type { Frame } from '../channel/frame.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { recordingNotes } from '../record/summary/recording-notes.ts';
import { type RedactedValue, redactedValues } from '../record/summary/redacted-values.ts';
import type { Redactor } from '../redact/redactor.ts';
import { appendEntries } from './append-entries.ts';
import { LiveFallback, type LiveFallbackOptions } from './live-fallback.ts';
import { LiveRecording } from './live-recording.ts';
import { PlaceholderChannel } from './placeholder-channel.ts';
import { discard, notRecorded } from './record-session.ts';
import { ReplayServer } from './replay-server.ts';
import { type SessionBackend, type SessionBackendOptions, serverOf } from './session-backend.ts';

/** Serves a session from the cassette, and what the cassette does not have from the live server, which is then added to it. */
export async function extendCassette(cassette: Cassette, options: SessionBackendOptions): Promise<SessionBackend> {
  const { file, client, clock, report } = options;
  const server = serverOf(options);
  const recordTo = recordingName(file);
  const own = options.redactor?.();
  if (own) reserve(cassette, own);
  const asReplayed = new PlaceholderChannel(own);
  const redactor = own && (() => own);
  const start: LiveFallbackOptions['start'] = (hear) =>
    LiveRecording.start({ server, clock, recordTo, redactor, hear });
  const fallback = new LiveFallback({ cassette, client, clock, start, report, asReplayed });
  const replayed = new ReplayServer({
    ...options,
    cassette,
    elsewhere: (live) => !opens(live) && fallback.ask(live),
  });
  client.listen((frame) => {
    if (frame.kind !== 'bytes' && !fallback.hear(frame)) replayed.hear(frame);
  });
  return {
    faulted: (fired) => replayed.faulted(fired),
    async end(isGood) {
      await replayed.end();
      const end = await fallback.stop();
      if (end === undefined) return {};
      if (end.trouble !== undefined) throw notRecorded(file, end.trouble);
      if (!isGood()) return end.recording === undefined ? {} : { kept: end.recording };
      // The file may have got other additions meanwhile, from a session beside this one.
      const before = own?.hasRedacted() ? redactedValues(file) : [];
      replaceFile(file, appendEntries(readFileSync(file, 'utf8'), file, redacted(fallback.frames, own)));
      discard(end);
      const added = own && (own.hasRedacted() ? without(redactedValues(file), before) : []);
      const notes = recordingNotes({ file, redacted: added, seen: asReplayed.late() });
      return { written: file, notes, ...(added && { redacted: added }) };
    },
  };
}

/** Keeps the placeholders of new secrets apart from those that the cassette has. */
function reserve({ events }: Cassette, redactor: Redactor): void {
  for (const { frame } of events)
    if (frame.kind === 'message' && frame.json.text.includes('[redacted:')) redactor.json(frame.json);
}

/** What came to `values` since they were `before`: additions stand before the end of a session, and all else keeps its line. */
function without(values: readonly RedactedValue[], before: readonly RedactedValue[]): RedactedValue[] {
  const keyOf = ({ line, placeholder, pointer }: RedactedValue) => `${line} ${placeholder} ${pointer}`;
  const known = new Set(before.map(keyOf));
  return values.filter((value) => !known.has(keyOf(value)));
}

/** The live server is started, and greeted, for what comes later. */
function opens({ value }: JsonText): boolean {
  return isRequest(value) && value.method === 'initialize';
}

/** Looked at twice: what came first may hold what was only later found to be a secret. */
function redacted(frames: readonly Frame[], redactor: Redactor | undefined): readonly Frame[] {
  if (redactor === undefined) return frames;
  for (const frame of frames) redactor.frame(frame);
  return frames.map((frame) => redactor.frame(frame));
}
