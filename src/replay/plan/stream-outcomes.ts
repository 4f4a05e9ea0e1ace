import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isMessage, isRequest, isResponse } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';

/** Describes the HTTP streams of a cassette: failures of requests, and streams opened or closed by the client. */
export class StreamOutcomes {
  readonly #links: Links;
  readonly #entries = new ListMap<number, SessionEntry>();
  /** Close of a stream, by the id of its server-sent events. */
  readonly #endOf = new Map<string, SessionEntry | undefined>();

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#links = links;
    for (const entry of entries) {
      const { stream } = entry.frame;
      if (stream !== undefined) this.#entries.add(stream, entry);
    }
    for (const on of this.#entries.values()) {
      const end = on.find(({ frame }) => frame.kind === 'close');
      for (const { frame } of on) {
        if ('sse' in frame && frame.sse?.id !== undefined) this.#endOf.set(frame.sse.id, end);
      }
    }
  }

  /**
   * Links each unanswered request to the frame that ended its stream: an HTTP status, an error without an id, or a
   * close. Later steps wait for this frame like for a response.
   */
  linkFailedRequests(): void {
    const { answerOf, requestOf } = this.#links;
    for (const on of this.#entries.values()) {
      const request = on.find(({ from, message }) => from === 'client' && isRequest(message));
      if (request === undefined || answerOf.has(request.index)) continue;
      const after = on.filter(({ index }) => index > request.index);
      const failure = after.find((entry) => isFailure(entry, this.#links));
      const left = after.find(({ from, frame }) => from === 'client' && frame.kind === 'close');
      if (failure === undefined || (left !== undefined && left.index < failure.index)) continue;
      answerOf.set(request.index, failure.index);
      requestOf.set(failure.index, request.index);
    }
  }

  /**
   * Reports whether the client resumes a stream that the server ended. The number of reconnections depends on the live
   * session.
   */
  isReconnection({ frame }: SessionEntry): boolean {
    if (frame.kind !== 'open' || frame.resumes === undefined) return false;
    return this.#endOf.get(frame.resumes)?.from !== 'client';
  }

  /**
   * Returns the request whose stream this entry closes before the response: a cancellation (2026-07-28) or a lost
   * connection. Subscription requests are excluded, because closing their stream is the regular end.
   */
  requestLeftBy({ index, frame }: SessionEntry): SessionEntry | undefined {
    if (frame.kind !== 'close') return undefined;
    const request = this.#on(frame.stream).find(({ from, message }) => from === 'client' && isRequest(message));
    if (request === undefined || !isRequest(request.message) || isStream(request.message.method)) return undefined;
    const answer = this.#links.answerOf.get(request.index);
    return answer === undefined || answer > index ? request : undefined;
  }

  /** Returns the indexes of earlier server messages on the entry's stream. */
  framesBefore({ index, frame }: SessionEntry): number[] {
    return this.#on(frame.stream)
      .filter((one) => one.from === 'server' && isMessage(one.message) && one.index < index)
      .map((one) => one.index);
  }

  #on(stream: number | undefined): readonly SessionEntry[] {
    return this.#entries.get(stream ?? -1) ?? [];
  }
}

function isFailure({ index, from, frame, message }: SessionEntry, { requestOf }: Links): boolean {
  if (from !== 'server') return false;
  if (frame.kind === 'close') return true;
  if (frame.kind === 'http-response') return typeof frame.status === 'number';
  return isResponse(message) && !requestOf.has(index) && (message.id === undefined || message.id === null);
}
