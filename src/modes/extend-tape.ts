import { readFileSync } from 'node:fs';
import { recordingName } from '../cassette/file-name.ts';
import { replaceFile } from '../cassette/replace-file.ts';
import type { Cassette } from '../cassette/types.ts';
import { type Backend, type BackendOptions, serverOf } from './backend.ts';
import { extend } from './extend.ts';
import { Fallback, type FallbackOptions } from './fallback.ts';
import { Live } from './live.ts';
import { discard, notRecorded } from './record-tape.ts';
import { Replayed } from './replayed.ts';

/** Serves a session from the tape, and what the tape does not have from the live server, which is then added to it. */
export async function extendTape(cassette: Cassette, options: BackendOptions): Promise<Backend> {
  const { file, client, clock, report } = options;
  const server = serverOf(options);
  const recordTo = recordingName(file);
  const start: FallbackOptions['start'] = (hear) => Live.start({ server, clock, recordTo, hear });
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
      replaceFile(file, extend(readFileSync(file, 'utf8'), file, fallback.frames));
      discard(end);
      return { written: file };
    },
  };
}
