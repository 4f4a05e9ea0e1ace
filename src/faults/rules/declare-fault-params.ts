import type { Headers } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isObject } from '../../protocol/message.ts';

/** A parameter of a fault: its accepted values and their meaning. */
export interface Param<Value> {
  /** Meaning of the parameter, for the table of faults. */
  doc: string;
  /** Default value. Absent: the parameter is required. */
  fallback?: Value;
  /** Accepted values, for messages. */
  wanted: string;
  /** Returns the value. Undefined: it is not accepted. */
  read(value: unknown): Value | undefined;
}

/** Parameters by name. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** Values of all parameters of `P`. */
export type Values<P extends Params> = { [Name in keyof P]: P[Name] extends Param<infer V> ? V : never };

type Optional<P extends Params> = {
  [Name in keyof P]: P[Name] extends { fallback: unknown } ? Name : never;
}[keyof P];

/** Parameters as users write them. Parameters with a default are optional. */
export type Written<P extends Params> = Partial<Pick<Values<P>, Optional<P>>> & Omit<Values<P>, Optional<P>>;

/** Optional parameter, which has a default. */
export type WithFallback<Value> = Param<Value> & { fallback: Value };

/** One day. No test waits longer, and timers hardly support more. */
const LONGEST: Milliseconds = 86_400_000;
const MOST_BYTES = 1024 * 1024 * 1024;

/** Defines a duration in milliseconds. */
export function milliseconds(doc: string, least: Milliseconds = 0): Param<Milliseconds> {
  return { doc, wanted: `milliseconds from ${least} to ${LONGEST}`, read: (value) => numberIn(value, least, LONGEST) };
}

/** Defines a duration that may be `forever`. */
export function duration(doc: string, least: Milliseconds = 0): Param<Milliseconds> {
  const read = (value: unknown) => (value === 'forever' ? Number.POSITIVE_INFINITY : numberIn(value, least, LONGEST));
  return { doc, wanted: `milliseconds${least === 0 ? '' : ` from ${least}`} or forever`, read };
}

/** Defines a whole number. */
export function count(doc: string, least = 1): Param<number> {
  const read = (value: unknown) => (Number.isInteger(value) ? numberIn(value, least, MOST_BYTES) : undefined);
  return { doc, wanted: `a whole number from ${least}`, read };
}

export function text(doc: string): Param<string> {
  return { doc, wanted: 'text', read: (value) => (typeof value === 'string' ? value : undefined) };
}

/** Defines a choice between words. */
export function word<Word extends string>(doc: string, ...words: readonly Word[]): Param<Word> {
  return { doc, wanted: words.join(' or '), read: (value) => words.find((one) => one === value) };
}

/** Defines HTTP header fields by name, with text values. */
export function headers(doc: string): Param<Headers> {
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return {
    doc,
    wanted: 'names of fields and their texts',
    read: (value) =>
      isObject(value) && Object.values(value).every(isText)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), String(one)]))
        : undefined,
  };
}

/** Defines a JSON object. */
export function object(doc: string): Param<Record<string, unknown>> {
  return { doc, wanted: 'a mapping', read: (value) => (isObject(value) ? value : undefined) };
}

/** Defines any JSON value. */
export function anything(doc: string): Param<unknown> {
  return { doc, wanted: 'any value', read: (value) => value };
}

/** Adds a default value to a parameter. */
export function withDefault<Value, Fallback extends Value>(
  param: Param<Value>,
  fallback: Fallback,
): WithFallback<Value> {
  return { ...param, fallback };
}

function numberIn(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}
