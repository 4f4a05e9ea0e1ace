import type { Cassette } from '../cassette/cassette.ts';
import { ReplayServer } from './replay-server.ts';
import type { SessionBackend, SessionBackendOptions } from './session-backend.ts';

/** Serves a session from the cassette alone. Nothing is ever written. */
export async function replaySession(cassette: Cassette, options: SessionBackendOptions): Promise<SessionBackend> {
  const replayed = new ReplayServer({ ...options, cassette });
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
