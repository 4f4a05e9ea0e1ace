import type { Side } from '../channel/frame.ts';
import { otherSide } from '../channel/frame.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { metaOf } from '../protocol/meta.ts';

const OF_SERVERS: ReadonlySet<string> = new Set([
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
]);

/**
 * Inference of senders in a session without them. The protocol assigns most methods to one side. The receiver of a
 * request sends its response, the sender cancels it, and the receiver of a progress token reports progress. `ping`
 * counts as the client's.
 */
export class SenderInference {
  /** Senders of open requests by id, the latest last. The latest is answered first. */
  readonly #waiting = new Map<string, Side[]>();
  readonly #tokens = new Map<string, Side>();

  /** Returns the sender of the session's next message. */
  of(message: unknown): Side {
    if (isRequest(message)) {
      const side = OF_SERVERS.has(message.method) ? 'server' : 'client';
      this.#waiting.set(canonicalJson(message.id), [...this.#askers(message.id), side]);
      const meta = metaOf(message.params);
      if (meta.progressToken !== undefined) this.#tokens.set(canonicalJson(meta.progressToken), side);
      return side;
    }
    if (isResponse(message)) return otherSide(this.#askers(message.id).pop() ?? 'client');
    if (!isNotification(message)) return 'server';
    const { method } = message;
    const params = paramsOf(message);
    if (method === 'notifications/cancelled') return this.#askers(params.requestId).at(-1) ?? 'client';
    if (method === 'notifications/progress') {
      return otherSide(this.#tokens.get(canonicalJson(params.progressToken)) ?? 'client');
    }
    return OF_SERVERS.has(method) ? 'server' : 'client';
  }

  #askers(id: unknown): Side[] {
    return this.#waiting.get(canonicalJson(id)) ?? [];
  }
}
