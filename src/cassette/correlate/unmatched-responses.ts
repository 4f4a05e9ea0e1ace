import { otherSide } from '../../channel/frame.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import type { Links } from './correlate-entries.ts';
import { isUnanswered } from './session-ends.ts';
import type { SessionEntry } from './session-entries.ts';

/** Pairs requests that have no answer with responses that answer no request, such as one whose id a person or a server got wrong. */
export class UnmatchedResponses {
  /** By position of the request: the first stray response after it, while no later request of its side has no answer. */
  readonly #byRequest = new Map<number, SessionEntry>();

  constructor(entries: readonly SessionEntry[], links: Links) {
    const waiting: { client?: SessionEntry; server?: SessionEntry } = {};
    for (const entry of entries) {
      const { index, from, message } = entry;
      if (isRequest(message) && isUnanswered(entry, links)) waiting[from] = entry;
      if (!isResponse(message) || message.id == null || links.requestOf.has(index)) continue;
      const request = waiting[otherSide(from)];
      if (request && !this.#byRequest.has(request.index)) this.#byRequest.set(request.index, entry);
    }
  }

  /** Returns the stray response that stands where the answer of an unanswered request belongs. */
  substituteFor({ index }: SessionEntry): SessionEntry | undefined {
    return this.#byRequest.get(index);
  }
}
