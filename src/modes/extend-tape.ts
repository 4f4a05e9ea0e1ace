import { readFileSync } from 'node:fs';
import { recordingName } from '../cassette/file-name.ts';
import { replaceFile } from '../cassette/replace-file.ts';
import type { Cassette } from '../cassette/types.ts';
import type { Frame } from '../channel/frame.ts';
import type { Redactor } from '../redact/redactor.ts';
import { type Backend, type BackendOptions, serverOf } from './backend.ts';
import { extend } from './extend.ts';
import { Fallback, type FallbackOptions } from './fallback.ts';
import { Live } from './live.ts';
import { discard, notRecorded } from './record-tape.ts';
import { Replayed } from './replayed.ts';

/** Serves a session from the tape, and what the tape does not have from the live server, which is then added to it. */
export async function extendTape(cassette: Cassette, options: BackendOptions): Promise<Backend> {
  const { file, client, clock, redactor, report } = options;
  const server = serverOf(options);
  const recordTo = recordingName(file);
  const start: FallbackOptions['start'] = (hear) => Live.start({ server, clock, recordTo, redactor, hear });
  const fallback = new Fallback({ cassette, client, clock, start, report });
  const replayed = new Replayed({ ...options, cassette, elsewhere: (live) => fallback.ask(live) });
  client.listen((frame) => {
    if (frame.kind !== 'bytes' && !fallback.hear(frame)) replayed.hear(frame);
  });
  return {
    async end(isGood) {
      await replayed.end();
      const end = await fallback.stop();
      if (end === undefined) return {};
      if (end.trouble !== undefined) throw notRecorded(file, end.trouble);
      if (!isGood()) return end.recording === undefined ? {} : { kept: end.recording };
      // The file may have got other additions meanwhile, from a session beside this one.
      replaceFile(file, extend(readFileSync(file, 'utf8'), file, redacted(fallback.frames, redactor?.())));
      discard(end);
      return { written: file };
    },
  };
}

/** Looked at twice: what came first may hold what was only later found to be a secret. */
function redacted(frames: readonly Frame[], redactor: Redactor | undefined): readonly Frame[] {
  if (redactor === undefined) return frames;
  for (const frame of frames) redactor.frame(frame);
  return frames.map((frame) => redactor.frame(frame));
}
