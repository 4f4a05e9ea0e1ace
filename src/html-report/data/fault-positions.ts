import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { Move } from '../../cassette/correlate/session-entries.ts';
import { otherSide, type Side } from '../../channel/frame.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { JournalEntry } from './fault-log.ts';

/** How many messages more or fewer than it was said a tape has after these, which recorders see from the side that they hurt. */
const SHIFT: Readonly<Record<string, number>> = { drop: -1, duplicate: 1 };

/**
 * Where each fault of a journal shows on a tape, by position among its moves. A request or an answer is found by its id,
 * where the journal has it: over HTTP several calls are under way at once, and a status may stand in the place of a message.
 * Other messages are counted: a journal counts them as they were said, and a tape has them as they arrived. What never arrived
 * shows at the call that it left without an answer, and else at the next message.
 */
export function faultPlaces(
  journal: readonly JournalEntry[],
  moves: readonly Move[],
  links: Links,
): Map<JournalEntry, number> {
  const session = new Session(moves, links);
  const places = new Map<JournalEntry, number>();
  const shift = { client: 0, server: 0 };
  /** Two rules may strike one message. */
  const known = new Map<string, Place>();
  for (const entry of journal) {
    const { fault, from, message } = entry;
    const key = `${from} ${message}`;
    const position = message - 1 + shift[from];
    const before = known.get(key);
    const place = before ?? session.byId(entry, position) ?? session.byPosition(entry, position);
    if (place === undefined) continue;
    places.set(entry, place.index);
    known.set(key, place);
    if (SHIFT[fault] !== undefined) shift[from] += SHIFT[fault];
    else if (place.isLost && before === undefined) shift[from] -= 1;
  }
  return places;
}

interface Place {
  index: number;
  /** The message is known not to be on the tape. */
  isLost?: true;
}

/** A request or an answer that one side said, or should have said. */
interface Due {
  place: Place;
  /** How many messages of that side stand before it. */
  position: number;
}

/** The messages of a tape, as faults struck them. */
class Session {
  readonly #moves: readonly Move[];
  readonly #links: Links;
  /** The first message of each frame, by who said it. */
  readonly #said: Record<Side, Move[]> = { client: [], server: [] };
  /** By side, method of the request, and id, in order. An id may be used again. */
  readonly #due = new Map<string, Due[]>();
  /** How many of these were struck, or stand before one that was. */
  readonly #passed = new Map<string, number>();
  /** Requests without an answer, by who would have answered and method. */
  readonly #unanswered = new Map<string, Move[]>();
  readonly #taken = new Set<number>();

  constructor(moves: readonly Move[], links: Links) {
    this.#moves = moves;
    this.#links = links;
    for (const move of moves) {
      const { event, frame, from, index, json, message } = move;
      if (frame.kind !== 'message') continue;
      if (isRequest(message)) {
        const id = tokenAt(json!, ['id'])!;
        const to = otherSide(from);
        const answer = links.answerOf.get(index);
        const place: Place = answer === undefined ? { index, isLost: true } : { index: answer };
        add(this.#due, keyOf(from, message.method, id), {
          place: { index },
          position: this.#said[from].length,
        });
        add(this.#due, keyOf(to, message.method, id), { place, position: this.#said[to].length });
        if (answer === undefined) add(this.#unanswered, `${to} ${message.method}`, move);
      }
      if (moves[index - 1]?.event !== event) this.#said[from].push(move);
    }
  }

  /** Of several that have one id, the first of those that are nearest. Undefined: the journal has no id, or the tape has none of that id. */
  byId({ from, method, id }: JournalEntry, position: number): Place | undefined {
    if (id === undefined || method === undefined) return undefined;
    const key = keyOf(from, method, JSON.stringify(id));
    const due = this.#due.get(key) ?? [];
    const distance = (at: number) => Math.abs((due[at]?.position ?? Number.POSITIVE_INFINITY) - position);
    let at = this.#passed.get(key) ?? 0;
    while (distance(at + 1) < distance(at)) at++;
    const place = due[at]?.place;
    if (place === undefined) return undefined;
    this.#passed.set(key, at + 1);
    this.#taken.add(place.index);
    return place;
  }

  /** `position` is that among the messages of a side, from 0. */
  byPosition({ fault, from, method }: JournalEntry, position: number): Place | undefined {
    const struck = this.#said[from][Math.max(0, position)];
    const arrived =
      fault !== 'drop' && (method === undefined || (struck && this.#methodOf(struck) === method));
    const place =
      (arrived ? struck : (this.#leftBefore(from, method, struck) ?? struck)) ?? this.#moves.at(-1);
    if (place !== undefined) this.#taken.add(place.index);
    return place && { index: place.index };
  }

  /** The latest call that `from` left without an answer. */
  #leftBefore(from: Side, method: string | undefined, struck: Move | undefined): Move | undefined {
    const end = struck?.index ?? this.#moves.length;
    const calls = this.#unanswered.get(`${from} ${method}`) ?? [];
    return calls.findLast(({ index }) => index < end && !this.#taken.has(index));
  }

  /** Of an answer, that of its request. */
  #methodOf({ index, message }: Move): string | undefined {
    const asked = this.#moves[this.#links.requestOf.get(index) ?? index]!.message ?? message;
    return isRequest(asked) || isNotification(asked) ? asked.method : undefined;
  }
}

function keyOf(from: Side, method: string, id: string): string {
  return `${from} ${method} ${id}`;
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const others = lists.get(key);
  if (others) others.push(item);
  else lists.set(key, [item]);
}
