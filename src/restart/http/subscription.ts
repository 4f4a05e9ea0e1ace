import type { JsonText } from '../../protocol/json-text.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { RestartedSession } from '../restarted-session.ts';
import type { ForClient } from './http-session.ts';
import { messagesIn } from './own-request.ts';

/**
 * One `subscriptions/listen` request of revision 2026-07-28, continued across server restarts. This revision has no
 * sessions.
 */
export class Subscription {
  readonly #messages = new RestartedSession();
  readonly #request: JsonText;
  readonly #note: (text: string) => void;

  constructor(request: JsonText, note: (text: string) => void) {
    this.#request = request;
    this.#note = note;
    this.#messages.fromClient(request);
  }

  /** Prepares the subscription for the next server, which gets the request again. */
  again(): void {
    this.#messages.serverReplaced();
    this.#messages.open([this.#request]);
  }

  /**
   * Rewrites a message of the server for the client. After a restart, adds notifications that lists may have changed.
   */
  toClient(json: JsonText): ForClient[] {
    return elementsOf(json).flatMap((one) => {
      const wasOpen = this.#messages.isOpen;
      const { client } = this.#messages.fromServer(one);
      const said = client ? [{ json: client, isOptional: false }] : [];
      if (wasOpen || !this.#messages.isOpen) return said;
      const { notifications, notes } = this.#messages.opened();
      for (const note of notes) this.#note(note);
      return [...said, ...notifications.flatMap(messagesIn).map((changed) => ({ json: changed, isOptional: true }))];
    });
  }
}
