import { errorOf, isRequest } from '../../protocol/message.ts';
import type { SessionEntry } from '../split-batches-into-entries.ts';
import type { Links } from './correlate-entries.ts';
import { ListMap } from './list-map.ts';

/** Lowest status of a refusal (RFC 9110, 15.5 and 15.6). */
const REFUSED = 400;

/** Reports whether the server refused an HTTP exchange with a status, with or without a message in the body. */
export function isRefusal(entry: SessionEntry): boolean {
  const status = statusOf(entry);
  return status !== undefined && status >= REFUSED;
}

/** Returns the HTTP status of an entry. Undefined: it has no separate status, or opened an event stream. */
export function statusOf({ frame }: SessionEntry): number | undefined {
  if (frame.kind !== 'http-response' && frame.kind !== 'message') return undefined;
  return frame.status === 'sse' ? undefined : frame.status;
}

/**
 * Returns the requests that were refused with an HTTP status of 400 or more instead of a response: request → refusal,
 * by index. A response takes precedence over a status. An error without a request id counts as a refusal.
 */
export function refusedRequests(entries: readonly SessionEntry[], links: Pick<Links, 'answerOf'>): Map<number, number> {
  const finder = new RefusalFinder(links);
  for (const entry of entries) finder.pass(entry);
  return finder.refusals;
}

/** Finds refused requests entry by entry. A request that a message answers later must be taken out of `refusals`. */
export class RefusalFinder {
  readonly refusals: Map<number, number> = new Map();
  readonly #links: Pick<Links, 'answerOf'>;
  /** Requests of each exchange. A batch has several. */
  readonly #open = new ListMap<number, number>();

  constructor(links: Pick<Links, 'answerOf'>) {
    this.#links = links;
  }

  /** Returns the requests that the entry refuses. */
  pass(entry: SessionEntry): readonly number[] {
    const { index, frame, message, from } = entry;
    const { stream } = frame;
    if (stream === undefined) return NONE;
    if (from === 'client' && isRequest(message)) {
      this.#open.add(stream, index);
    } else if (from === 'server' && (frame.kind === 'http-response' || isRefusal(entry))) {
      const requests = this.#open.get(stream) ?? NONE;
      this.#open.delete(stream);
      if (!isRefusal(entry)) return NONE;
      const refused = requests.filter((request) => !this.#links.answerOf.has(request));
      for (const request of refused) this.refusals.set(request, index);
      return refused;
    }
    return NONE;
  }
}

const NONE: readonly number[] = [];

/** Inverts the map: refusal → refused request. For a batch, the first request counts. */
export function refusedBy(refusals: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...refusals].reverse().map(([request, reply]) => [reply, request]));
}

/** Formats a refusal: `HTTP 404 Session not found`. */
export function refusalText(entry: SessionEntry): string {
  const { frame, message, json } = entry;
  const body = frame.kind === 'http-response' ? frame.body : (errorOf(message)?.message ?? json?.text);
  return `HTTP ${statusOf(entry)}${typeof body === 'string' ? ` ${body}` : ''}`;
}
