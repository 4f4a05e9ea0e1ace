import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { LISTEN } from '../../protocol/methods.ts';

/** What a cassette of HTTP shows on its streams beside messages: for the client, what it opens and leaves. */
export class ClientStreams {
  readonly #links: Links;
  readonly #entries = new Map<number, SessionEntry[]>();
  /** Id of an event → how the stream that it came on ended. */
  readonly #endOf = new Map<string, SessionEntry | undefined>();

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#links = links;
    for (const entry of entries) {
      const { stream } = entry.frame;
      if (stream === undefined) continue;
      const known = this.#entries.get(stream);
      if (known) known.push(entry);
      else this.#entries.set(stream, [entry]);
    }
    for (const on of this.#entries.values()) {
      const end = on.find(({ frame }) => frame.kind === 'close');
      for (const { frame } of on) {
        if ('sse' in frame && frame.sse?.id !== undefined) this.#endOf.set(frame.sse.id, end);
      }
    }
  }

  /**
   * Links each request that has no answer to what came on its stream instead: a status, an error that names no request,
   * or the end of the stream. What follows in the cassette waits for that as for an answer.
   */
  linkRefusals(): void {
    const { answerOf, requestOf } = this.#links;
    for (const on of this.#entries.values()) {
      const request = on.find(({ from, message }) => from === 'client' && isRequest(message));
      if (request === undefined || answerOf.has(request.index)) continue;
      const after = on.filter(({ index }) => index > request.index);
      const refusal = after.find((entry) => isRefusal(entry, this.#links));
      const left = after.find(({ from, frame }) => from === 'client' && frame.kind === 'close');
      if (refusal === undefined || (left !== undefined && left.index < refusal.index)) continue;
      answerOf.set(request.index, refusal.index);
      requestOf.set(refusal.index, request.index);
    }
  }

  /** Whether the client only goes on with a stream that its server had ended: how often that is so shows live. */
  isReconnection({ frame }: SessionEntry): boolean {
    if (frame.kind !== 'open' || frame.resumes === undefined) return false;
    return this.#endOf.get(frame.resumes)?.from !== 'client';
  }

  /**
   * The request whose stream the client leaves with `move`, before its answer: a cancel (2026-07-28) or a lost connection.
   * A subscription is not cut short when it is left: it ends then.
   */
  leftBy({ index, frame }: SessionEntry): SessionEntry | undefined {
    if (frame.kind !== 'close') return undefined;
    const request = this.#on(frame.stream).find(({ from, message }) => from === 'client' && isRequest(message));
    if (request === undefined || !isRequest(request.message) || request.message.method === LISTEN) return undefined;
    const answer = this.#links.answerOf.get(request.index);
    return answer === undefined || answer > index ? request : undefined;
  }

  /** What the server had said on the stream of `move` before it. */
  saidBefore({ index, frame }: SessionEntry): number[] {
    return this.#on(frame.stream)
      .filter((one) => one.from === 'server' && isSaid(one) && one.index < index)
      .map((one) => one.index);
  }

  #on(stream: number | undefined): readonly SessionEntry[] {
    return this.#entries.get(stream ?? -1) ?? [];
  }
}

/** A message that can come again; servers also replay objects that are none. */
function isSaid({ message }: SessionEntry): boolean {
  return isRequest(message) || isNotification(message) || isResponse(message);
}

function isRefusal({ index, from, frame, message }: SessionEntry, { requestOf }: Links): boolean {
  if (from !== 'server') return false;
  if (frame.kind === 'close') return true;
  if (frame.kind === 'http-response') return typeof frame.status === 'number';
  return isResponse(message) && !requestOf.has(index) && (message.id === undefined || message.id === null);
}
