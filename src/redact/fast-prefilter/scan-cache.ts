import { COPIED_LENGTH_MIN, firstLook, type Marks, type Seen } from './trigram-scan.ts';

/** A longer text is not kept in memory for being looked at again: a piece of a long line is shorter. */
const KEPT_LENGTH_MAX = 128 * 1024;

/** The last look that is remembered: one for all, however many sessions there are. */
let last: { text: string; seen: Seen; known: () => number; count: number } | undefined;

/**
 * `firstLook`, which remembers a look at a text that is not short until somebody looks at another, or `known` says another number: what
 * stayed as it was is looked at once more before it is written.
 */
export function rememberingLook(marks: Marks, known: () => number): (text: string) => Seen {
  return (text) => {
    if (text.length < COPIED_LENGTH_MIN || text.length > KEPT_LENGTH_MAX) return firstLook(text, marks);
    const count = known();
    if (last?.text !== text || last.known !== known || last.count !== count)
      last = { text, seen: firstLook(text, marks), known, count };
    return last.seen;
  };
}
