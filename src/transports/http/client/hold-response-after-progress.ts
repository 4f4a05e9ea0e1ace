import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../../protocol/json-text.ts';
import { isResponse } from '../../../protocol/message.ts';

const PROGRESS = 'notifications/progress';

/** Sends a message by `send`, now or later. */
export type HoldMessage = (json: JsonText, send: () => void) => void;

/**
 * Holds a response until `gap` after the latest progress. Clients of the SDKs read the events of a stream one after the
 * other, and call the handler of each. If the client reads progress and its response at once, as from a pipe, they forget
 * the handler first. Other messages pass meanwhile. Without a `gap`, nothing is held.
 */
export function holdResponseAfterProgress(gap: Milliseconds | undefined, clock: Clock): HoldMessage {
  if (gap === undefined) return (_json, send) => send();
  let freeAt: Milliseconds = Number.NEGATIVE_INFINITY;
  let openTurns = 0;
  return (json, send) => {
    const messages = elementsOf(json).map(({ value }) => value);
    if (messages.some((message) => (message as { method?: unknown } | null)?.method === PROGRESS)) {
      freeAt = clock.now() + gap;
      openTurns++;
      clock.endOfTurn(() => openTurns--);
    }
    // On a busy machine, one turn takes longer than a short gap, and a client in memory still gets all of it at once.
    const isSameTurn = openTurns > 0;
    const wait = Math.max(0, freeAt - clock.now());
    if (messages.some(isResponse) && (isSameTurn || wait > 0)) clock.after(wait, send);
    else send();
  };
}
