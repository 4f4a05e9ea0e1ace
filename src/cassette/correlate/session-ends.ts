import { otherSide, type Side } from '../../channel/frame.ts';
import { isRequest } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import type { SessionEntry } from '../split-batches-into-entries.ts';
import type { Links } from './correlate-entries.ts';

/** Index of each side's last entry that closed a session or exchange. -1: no entry did. */
type LastEnd = Record<Side, number>;

/** Positions at which the two sides ended the session, or an exchange over HTTP. */
export class SessionEnds {
  readonly #session: LastEnd = { client: -1, server: -1 };
  /** Positions at which each side ended the session, in order. */
  readonly #ends: Record<Side, number[]> = { client: [], server: [] };
  readonly #streams = new Map<number, LastEnd>();

  constructor(entries: readonly SessionEntry[]) {
    for (const entry of entries) {
      const { index, from, frame } = entry;
      if (endsSession(entry)) {
        this.#session[from] = index;
        this.#ends[from].push(index);
      }
      if (frame.stream === undefined || !endsStream(entry)) continue;
      const ends = this.#streams.get(frame.stream) ?? { client: -1, server: -1 };
      ends[from] = index;
      this.#streams.set(frame.stream, ends);
    }
  }

  /** Reports whether `side` ended the session, or the exchange of the request, after the request. */
  hasEndedAfter({ index, frame }: SessionEntry, side: Side): boolean {
    if (this.#session[side] > index) return true;
    return frame.stream !== undefined && (this.#streams.get(frame.stream)?.[side] ?? -1) > index;
  }

  /**
   * Reports whether the sender of a request ended the session before the other side did. Nothing then ends the wait of
   * a live peer.
   */
  isEndedBySender(request: SessionEntry): boolean {
    const { index, from } = request;
    const own = this.#ends[from].find((end) => end > index);
    const other = this.#ends[otherSide(from)].find((end) => end > index);
    return own !== undefined && (other === undefined || own < other);
  }

  /**
   * Reports whether the sender of a request waits forever: without an answer, a cancellation or an end of the other
   * side.
   */
  isNeverAnswered(request: SessionEntry, links: Links): boolean {
    return isUnanswered(request, links) && !this.hasEndedAfter(request, otherSide(request.from));
  }
}

/** Reports whether an entry is a request without an answer or a cancellation. A subscription stays open by design. */
export function isUnanswered({ index, message }: SessionEntry, { answerOf, cancelOf }: Links): boolean {
  if (!isRequest(message) || isStream(message.method)) return false;
  return !answerOf.has(index) && !cancelOf.has(index);
}

/** Reports whether an entry ends the session for its side. */
export function endsSession({ frame }: SessionEntry): boolean {
  const { kind, stream } = frame;
  if (kind === 'exit' || kind === 'signal') return true;
  if (kind === 'open') return frame.method === 'DELETE';
  return kind === 'close' && stream === undefined;
}

function endsStream({ frame }: SessionEntry): boolean {
  return frame.kind === 'close' || (frame.kind === 'http-response' && frame.status !== 'sse');
}

/** Reports whether a request was cancelled before its answer. The answer may be missing. */
export function isCancelledBeforeResponse(request: number, { answerOf, cancelOf }: Links): boolean {
  const cancel = cancelOf.get(request);
  return cancel !== undefined && cancel < (answerOf.get(request) ?? Number.POSITIVE_INFINITY);
}
