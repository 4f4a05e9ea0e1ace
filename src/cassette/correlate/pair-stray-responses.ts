import { otherSide } from '../../channel/frame.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import type { SessionEntry } from '../split-batches-into-entries.ts';
import type { Links } from './correlate-entries.ts';
import { isUnanswered } from './session-ends.ts';

/** Pairs of an unanswered request and a response to no request, e.g. because a person or a server wrote a wrong id. */
export class StrayResponses {
  /**
   * Index of the request → the first stray response after it, unless a later unanswered request of its side follows.
   */
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

  /** Returns the stray response in the position of a missing answer. */
  substituteFor({ index }: SessionEntry): SessionEntry | undefined {
    return this.#byRequest.get(index);
  }
}
