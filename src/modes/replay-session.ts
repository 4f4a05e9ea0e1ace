import type { Cassette } from '../cassette/cassette.ts';
import { Replayed } from './replay-server.ts';
import type { Backend, BackendOptions } from './session-backend.ts';

/** Serves a session from the tape alone. Nothing is ever written. */
export async function replayTape(cassette: Cassette, options: BackendOptions): Promise<Backend> {
  const replayed = new Replayed({ ...options, cassette });
  options.client.listen((frame) => {
    if (frame.kind !== 'bytes') replayed.hear(frame);
  });
  return {
    faulted: (fired) => replayed.faulted(fired),
    async end() {
      await replayed.end();
      return {};
    },
  };
}
