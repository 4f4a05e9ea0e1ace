import { otherSide, type Side } from '../../channel/frame.ts';
import { isRequest } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-rules.ts';
import type { Links } from './correlate-entries.ts';
import type { SessionEntry } from './session-entries.ts';

/** Position of the last entry by which each side ended something; -1: it never did. */
type LastEnd = Record<Side, number>;

/** Where the two sides of a session ended it, or one exchange over HTTP. */
export class SessionEnds {
  readonly #session: LastEnd = { client: -1, server: -1 };
  /** Where each side ended the session, in order. */
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

  /** Whether `side` ended the session, or the exchange of `request`, after this request. */
  isAfter({ index, frame }: SessionEntry, side: Side): boolean {
    if (this.#session[side] > index) return true;
    return frame.stream !== undefined && (this.#streams.get(frame.stream)?.[side] ?? -1) > index;
  }

  /** Whether the session ended by the side that sent `request` before the other side ended it: nothing ends the wait of a live peer. */
  isEndedBySender(request: SessionEntry): boolean {
    const { index, from } = request;
    const own = this.#ends[from].find((end) => end > index);
    const other = this.#ends[otherSide(from)].find((end) => end > index);
    return own !== undefined && (other === undefined || own < other);
  }

  /** Whether the one who sends `request` waits for ever: there is no answer, no cancel, and the other side goes on. */
  isNeverAnswered(request: SessionEntry, links: Links): boolean {
    return isUnanswered(request, links) && !this.isAfter(request, otherSide(request.from));
  }
}

/** Whether `move` is a request with neither an answer nor a cancel. A subscription stays open by design. */
export function isUnanswered({ index, message }: SessionEntry, { answerOf, cancelOf }: Links): boolean {
  if (!isRequest(message) || isStream(message.method)) return false;
  return !answerOf.has(index) && !cancelOf.has(index);
}

/** Whether an entry ends the session, as its side has it. */
export function endsSession({ frame }: SessionEntry): boolean {
  const { kind, stream } = frame;
  if (kind === 'exit' || kind === 'signal') return true;
  if (kind === 'open') return frame.method === 'DELETE';
  return kind === 'close' && stream === undefined;
}

function endsStream({ frame }: SessionEntry): boolean {
  return frame.kind === 'close' || (frame.kind === 'http-response' && frame.status !== 'sse');
}

/** Whether a request was cancelled before its answer, which may come or not. */
export function isWithdrawn(request: number, { answerOf, cancelOf }: Links): boolean {
  const cancel = cancelOf.get(request);
  return cancel !== undefined && cancel < (answerOf.get(request) ?? Number.POSITIVE_INFINITY);
}
