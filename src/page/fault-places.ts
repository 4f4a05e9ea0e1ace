import type { Links } from '../cassette/correlate.ts';
import type { Move } from '../cassette/moves.ts';
import { isNotification, isRequest } from '../protocol/message.ts';
import type { JournalEntry } from './journal.ts';

/** How many messages more or fewer than it was said a tape has after these, which recorders see from the side that they hurt. */
const SHIFT: Readonly<Record<string, number>> = { drop: -1, duplicate: 1 };

/**
 * Where each fault of a journal shows on a tape, by position among its moves. A journal counts messages as they were
 * said, and a tape has them as they arrived: what never arrived shows at the call that it left without an answer, and
 * else at the next message.
 */
export function faultPlaces(
  journal: readonly JournalEntry[],
  moves: readonly Move[],
  links: Links,
): Map<JournalEntry, number> {
  const places = new Map<JournalEntry, number>();
  const taken = new Set<number>();
  const shift = { client: 0, server: 0 };
  const said = moves.filter(
    ({ event, frame }, index) => frame.kind === 'message' && moves[index - 1]?.event !== event,
  );
  const methodOf = ({ index, message }: Move) => {
    const asked = moves[links.requestOf.get(index) ?? index]!.message ?? message;
    return isRequest(asked) || isNotification(asked) ? asked.method : undefined;
  };
  for (const entry of journal) {
    const { fault, from, message, method } = entry;
    const own = said.filter((move) => move.from === from);
    const struck = own[Math.max(0, message - 1 + shift[from])];
    const arrived = fault !== 'drop' && (method === undefined || (struck && methodOf(struck) === method));
    const unanswered = (move: Move) =>
      move.from !== from &&
      isRequest(move.message) &&
      move.message.method === method &&
      !links.answerOf.has(move.index) &&
      !taken.has(move.index) &&
      move.index < (struck?.index ?? moves.length);
    const place = (arrived ? struck : (moves.findLast(unanswered) ?? struck)) ?? moves.at(-1);
    if (place === undefined) continue;
    taken.add(place.index);
    places.set(entry, place.index);
    shift[from] += SHIFT[fault] ?? 0;
  }
  return places;
}
