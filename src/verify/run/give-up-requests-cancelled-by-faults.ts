import type { WireFrame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { cancel } from '../../faults/messages/cancel.ts';
import { cancelledBy } from '../../faults/support/edit-message.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { LiveServer } from './live-server-types.ts';

/** Time after a cancellation in which a server may still answer or fail. The client continues afterwards. */
const QUIET: Milliseconds = 300;

/**
 * Cancellations that faults inject between the recorded client and a live server. Without a notice, the client would
 * wait for a response that the server need not send.
 */
export class FaultInjectedCancels {
  readonly #clock: Clock;
  /** Ids of requests that a fault cancels, as JSON tokens. */
  readonly #expected = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #givenUp = new Set<string>();
  #tell: ((id: string) => void) | undefined;
  readonly #timers = new Set<Cancel>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a fired rule. */
  fired({ fault, id }: Pick<Fired, 'fault' | 'id'>): void {
    if (fault === cancel.name && id !== undefined) this.#expected.add(JSON.stringify(id));
  }

  /** Notes a frame sent to the server. A request with an injected cancellation is given up after `QUIET`. */
  sent(frame: WireFrame): void {
    const id = frame.kind === 'message' ? cancelledBy(frame) : undefined;
    if (id === undefined || !this.#expected.delete(id)) return;
    const stop = this.#clock.after(QUIET, () => {
      this.#timers.delete(stop);
      if (this.#answered.has(id)) return;
      this.#givenUp.add(id);
      this.#tell?.(id);
    });
    this.#timers.add(stop);
  }

  /** Wraps the live server, and notifies the recorded client of cancelled requests. */
  server(live: LiveServer): LiveServer {
    return {
      ...live,
      begin: (plan, events) => {
        this.#tell = (id) => events.cancelled?.(id);
        live.begin(plan, {
          ...events,
          receive: (frame) => {
            const ids = frame.kind === 'message' ? responseIds(frame.json) : [];
            for (const id of ids) this.#answered.add(id);
            // Late answers to cancelled requests are dropped.
            if (ids.length > 0 && ids.every((id) => this.#givenUp.has(id))) return;
            events.receive(frame);
          },
          ended: (end) => {
            for (const stop of this.#timers) stop();
            events.ended(end);
          },
        });
      },
    };
  }
}

/** Returns the ids of the responses of a message, as JSON tokens. */
function responseIds(message: JsonText): string[] {
  return elementsOf(message).flatMap((json) => (isResponse(json.value) ? [scalarKeyAt(json, ['id']) ?? ''] : []));
}
