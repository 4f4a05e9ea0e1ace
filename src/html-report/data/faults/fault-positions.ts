import type { Links } from '../../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../../cassette/split-batches-into-entries.ts';
import { isBareRefusal } from '../../../channel/error-response-without-id.ts';
import { otherSide, type Side } from '../../../channel/frame.ts';
import { isNotification, isRequest } from '../../../protocol/message.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import type { FaultLogEntry } from './read-fault-log.ts';

/**
 * Offset between message numbers in a journal and in a cassette after these faults, because the recorder sees the
 * messages after the injection.
 */
const SHIFT: Readonly<Record<string, number>> = { drop: -1, duplicate: 1 };

/**
 * Returns the position of the entry that each journalled fault affected.
 * Requests and responses are found by id, if the journal has it: over HTTP several calls run at once, and an HTTP error
 * may replace a message. Among several messages with the same id, and for messages without id, the HTTP exchange
 * decides.
 * Other messages are found by their number, corrected for dropped and duplicated messages: the journal counts messages
 * before injection, the cassette after it.
 * A fault on a message that never arrived is attributed to the call left without response, else to the next message.
 */
export function faultPositions(
  journal: readonly FaultLogEntry[],
  entries: readonly SessionEntry[],
  links: Links,
): Map<FaultLogEntry, number> {
  const session = new Session(entries, links);
  const places = new Map<FaultLogEntry, number>();
  const shift = { client: 0, server: 0 };
  /** Positions by side and message number, because two rules may affect one message. */
  const known = new Map<string, Place>();
  for (const firing of journal) {
    const { fault, from, message } = firing;
    const key = `${from} ${message}`;
    const position = message - 1 + shift[from];
    const before = known.get(key);
    const place = before ?? session.byId(firing, position) ?? session.byPosition(firing, position);
    if (place === undefined) continue;
    places.set(firing, place.index);
    known.set(key, place);
    if (SHIFT[fault] !== undefined) shift[from] += SHIFT[fault];
    else if (place.isLost && before === undefined) shift[from] -= 1;
  }
  return places;
}

interface Place {
  index: number;
  /** The cassette does not contain the message. */
  isLost?: true;
}

/** Request or response that one side sent, or a response that it failed to send. */
interface Due {
  place: Place;
  /** Number of preceding messages of the same side. */
  position: number;
  /** HTTP exchange of the message. A missing response has that of its request. */
  stream: number | undefined;
}

/** Index of a cassette's messages by id and by number. */
class Session {
  readonly #entries: readonly SessionEntry[];
  readonly #links: Links;
  /** First message of each frame, by side. */
  readonly #said: Record<Side, SessionEntry[]> = { client: [], server: [] };
  /** Requests and responses by sending side, request method and id, in order. Peers may reuse ids. */
  readonly #due = new ListMap<string, Due>();
  /** Start index of the next search in each `#due` list. */
  readonly #passed = new Map<string, number>();
  /** Requests without a response, by responding side and method. */
  readonly #unanswered = new ListMap<string, SessionEntry>();
  readonly #taken = new Set<number>();

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#entries = entries;
    this.#links = links;
    for (const entry of entries) {
      const { event, frame, from, index, json, message } = entry;
      if (frame.kind !== 'message') continue;
      if (isRequest(message)) {
        const id = scalarKeyAt(json!, ['id'])!;
        const to = otherSide(from);
        const answer = links.answerOf.get(index);
        const place: Place = answer === undefined ? { index, isLost: true } : { index: answer };
        this.#due.add(keyOf(from, message.method, id), {
          place: { index },
          position: this.#said[from].length,
          stream: frame.stream,
        });
        this.#due.add(keyOf(to, message.method, id), {
          place,
          position: this.#said[to].length,
          stream: entries[answer ?? index]!.frame.stream,
        });
        if (answer === undefined) this.#unanswered.add(`${to} ${message.method}`, entry);
      }
      // The fault injector does not count the refusal of an HTTP request.
      const isRefusal = from === 'server' && frame.stream !== undefined && isBareRefusal(frame);
      if (!isRefusal && entries[index - 1]?.event !== event) this.#said[from].push(entry);
    }
  }

  /**
   * Returns the message with the journalled id that is nearest to the position. Undefined: there is no such message.
   */
  byId({ from, method, id, stream }: FaultLogEntry, position: number): Place | undefined {
    if (id === undefined || method === undefined) return undefined;
    const key = keyOf(from, method, JSON.stringify(id));
    const due = this.#due.get(key) ?? [];
    const carried = due.filter((one) => stream !== undefined && one.stream === stream);
    if (carried.length === 1) {
      this.#taken.add(carried[0]!.place.index);
      return carried[0]!.place;
    }
    const distance = (at: number) => Math.abs((due[at]?.position ?? Number.POSITIVE_INFINITY) - position);
    let at = this.#passed.get(key) ?? 0;
    while (distance(at + 1) < distance(at)) at++;
    const place = due[at]?.place;
    if (place === undefined) return undefined;
    this.#passed.set(key, at + 1);
    this.#taken.add(place.index);
    return place;
  }

  /** Returns an entry by its message number on one side, from 0. */
  byPosition({ fault, from, method, id, stream }: FaultLogEntry, position: number): Place | undefined {
    const carried = this.#said[from].filter(
      (entry) => id === undefined && entry.frame.stream === stream && this.#methodOf(entry) === method,
    );
    const isCarried = stream !== undefined && method !== undefined && carried.length === 1 && fault !== 'drop';
    const struck = isCarried ? carried[0] : this.#said[from][Math.max(0, position)];
    const arrived = fault !== 'drop' && (method === undefined || (struck && this.#methodOf(struck) === method));
    const place = (arrived ? struck : (this.#leftBefore(from, method, struck) ?? struck)) ?? this.#entries.at(-1);
    if (place !== undefined) this.#taken.add(place.index);
    return place && { index: place.index };
  }

  /** Returns the latest call that `from` left without a response. */
  #leftBefore(from: Side, method: string | undefined, struck: SessionEntry | undefined): SessionEntry | undefined {
    const end = struck?.index ?? this.#entries.length;
    const calls = this.#unanswered.get(`${from} ${method}`) ?? [];
    return calls.findLast(({ index }) => index < end && !this.#taken.has(index));
  }

  /** Returns the method of a message; a response has the method of its request. */
  #methodOf({ index, message }: SessionEntry): string | undefined {
    const asked = this.#entries[this.#links.requestOf.get(index) ?? index]!.message ?? message;
    return isRequest(asked) || isNotification(asked) ? asked.method : undefined;
  }
}

function keyOf(from: Side, method: string, id: string): string {
  return `${from} ${method} ${id}`;
}
