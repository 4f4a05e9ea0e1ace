import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { unplayableEntries } from '../../cassette/correlate/unplayable-entries.ts';
import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { cassetteText } from '../../cassette/write/cassette-text.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { lint } from '../../lint/lint.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';

/** A part of a cassette, perhaps with smaller messages. */
export interface SmallerCassette {
  text: string;
  cassette: Cassette;
  /** Lines of the events at the targets. */
  lines: readonly number[];
  /** Number of its messages. */
  messages: number;
}

export interface SmallerCassetteOptions {
  /** Positions of the events that are kept, in order. */
  kept: readonly number[];
  /** Position → the smaller message of the event. */
  payloads: ReadonlyMap<number, JsonText>;
  /** Positions of the events at the targets. */
  targets: readonly number[];
}

/**
 * Returns a function that makes a smaller cassette. Times and comments are left out: a sweep plays without delays. The
 * function returns undefined if the cassette breaks a rule of `lint` that the whole one keeps, or has a message that
 * cannot be played any more.
 */
export function smallerCassettes(whole: Cassette): (options: SmallerCassetteOptions) => SmallerCassette | undefined {
  const { file, header, end } = whole;
  const known = problemsOf(whole);
  // Only a recorder's cassette has an end. One that was torn becomes a hand-written one.
  const { recorder: _, ...handWritten } = header;
  const written = end === undefined ? { header: handWritten } : { header, end };
  return ({ kept, payloads, targets }) => {
    const events = kept.map((event) => withoutTime(whole.events[event]!, payloads.get(event)));
    const text = cassetteText({ ...written, events });
    const cassette = parsed(text, file);
    const at = targets.map((target) => kept.indexOf(target));
    if (cassette?.events.length !== events.length || at.some((position) => position < 0)) return undefined;
    for (const problem of problemsOf(cassette)) if (!known.has(problem)) return undefined;
    const lines = at.map((position) => cassette.events[position]!.line);
    return { text, cassette, lines, messages: countMessages(cassette) };
  };
}

/** Returns the number of messages of a cassette. A batch is one. */
export function countMessages({ events }: Cassette): number {
  return events.filter(({ frame }) => frame.kind === 'message').length;
}

function withoutTime({ frame, match }: CassetteEvent, json: JsonText | undefined): Omit<CassetteEvent, 'line'> {
  const changed = json && frame.kind === 'message' ? { ...frame, json } : frame;
  return { frame: { ...changed, at: 0 }, ...(match && { match }) };
}

function parsed(text: string, file: string): Cassette | undefined {
  try {
    return parseCassette(text, file);
  } catch (error) {
    if (error instanceof McpRecordError) return undefined;
    throw error;
  }
}

/** Returns the kinds of problems that a cassette has. */
function problemsOf(cassette: Cassette): Set<string> {
  const entries = eventsToEntries(stripHttp(cassette).events);
  const unplayable = [...unplayableEntries(entries, correlateEntries(entries))].map(({ why }) => why);
  return new Set([...unplayable, ...lint(cassette).map(({ rule, who }) => `${rule} ${who}`)]);
}
