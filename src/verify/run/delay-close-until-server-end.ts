import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import type { LiveServer } from './live-server-types.ts';

export interface CloseAfterServerEndOptions {
  clock: Clock;
  /** Maximum wait. After it, the client ends the session. */
  patience: Milliseconds;
}

/**
 * Wraps a live server that is expected to end the session. The client closes its side only after the server's end, or
 * after `patience`.
 */
export function closeAfterServerEnd(live: LiveServer, { clock, patience }: CloseAfterServerEndOptions): LiveServer {
  let hasEnded = false;
  let closeNow: Cancel | undefined;
  const ended = () => {
    hasEnded = true;
    closeNow?.();
  };
  return {
    ...live,
    begin(plan, events) {
      live.begin(plan, {
        ...events,
        closed() {
          events.closed();
          ended();
        },
        ended(end) {
          ended();
          events.ended(end);
        },
      });
    },
    close() {
      if (hasEnded) return live.close();
      const stop = clock.after(patience, live.close);
      closeNow = () => {
        stop();
        closeNow = undefined;
        live.close();
      };
    },
  };
}
