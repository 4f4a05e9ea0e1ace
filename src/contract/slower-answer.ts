import type { Cassette } from '../cassette/cassette.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';

/** A shorter time counts as this one: it varies from run to run, and cassettes have it rounded. */
const SHORTEST: Milliseconds = 100;

/** Requests that open a session. Over stdio, their duration has that of the start of a program. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Durations of an answer in two sessions. */
export interface Durations {
  before: Milliseconds;
  after: Milliseconds;
}

/**
 * Describes an answer that took more than `factor` times as long as before. Undefined: it did not, or `method` opens a
 * session.
 */
export function slowerWords(method: string, { before, after }: Durations, factor: number): string | undefined {
  if (!isTimed(method)) return undefined;
  if (after <= factor * Math.max(before, SHORTEST)) return undefined;
  return `slower: took ${Math.round(after)} ms, and ${Math.round(before)} ms before`;
}

/**
 * Returns a note if every answer was so fast before that a slower one passes up to the same limit. `limitOption` is the
 * option that sets another one. Undefined: a slower one fails, or there is no answer to judge.
 */
export function shortTimesNote(
  before: readonly Milliseconds[],
  factor: number,
  limitOption: string,
): string | undefined {
  if (before.length === 0 || before.some((time) => time > SHORTEST)) return undefined;
  const limit = Math.round(factor * SHORTEST);
  return `No recorded answer took more than ${SHORTEST} ms, so that none below ${limit} ms fails as slower. Use ${limitOption} as well.`;
}

/** Reports whether the duration of answers to a method is compared. */
export function isTimed(method: string): boolean {
  return !OPENINGS.has(method);
}

/**
 * Checks that a cassette has times to compare with.
 * @throws McpRecordError CASSETTE_WITHOUT_TIMES
 */
export function requireTimes({ file, events }: Cassette): void {
  const [first] = events;
  if (events.some(({ frame }) => frame.at !== first!.frame.at)) return;
  throw new McpRecordError({
    code: 'CASSETTE_WITHOUT_TIMES',
    what: `Cannot say what is slower than in ${file}`,
    why: 'it has no times: it was written by hand, or by mcp-record record --timing none',
    next: 'Record it again with times, or leave the option out.',
  });
}
