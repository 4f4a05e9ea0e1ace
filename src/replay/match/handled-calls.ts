import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { repeatOf } from '../../protocol/method-table.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { RequestMatcher } from './request-matcher.ts';

/** Numbers of equal calls that handlers answered before a request that the cassette answers. */
const counts = new WeakMap<JsonText, number>();

/**
 * Calls of one client that handlers for one request (`once`) answered with a result. Each uses up an equal recorded call. A
 * handler for any number of requests leaves the recorded calls for the time after it.
 */
export class HandledCalls {
  readonly #counts = new Map<string, number>();

  /** Adds a call that a handler answered. */
  add(json: JsonText): void {
    const { key } = identityOf(json);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Notes beside a request for the cassette how many equal calls handlers answered before it. Returns the request. */
  mark(json: JsonText): JsonText {
    const count = this.#counts.size === 0 ? undefined : this.#counts.get(identityOf(json).key);
    if (count !== undefined) counts.set(json, count);
    return json;
  }
}

/** Numbers of recorded calls that handlers have used up, by the identity of the calls. */
const usedUp = new WeakMap<RequestMatcher, Map<string, number>>();

/** Returns the recorded request for `live`. Recorded calls that handlers answered before are used up first. */
export function takeUnhandled(matcher: RequestMatcher, live: JsonText): RecordedRequest | undefined {
  const count = counts.get(live);
  if (count !== undefined && isRequest(live.value) && repeatOf(live.value.method) === 'once') {
    const { key } = identityOf(live);
    const used = usedUp.get(matcher) ?? new Map<string, number>();
    usedUp.set(matcher, used);
    for (let number = used.get(key) ?? 0; number < count; number++) matcher.take(live);
    used.set(key, count);
  }
  return matcher.take(live);
}
