import type { Item } from '../data/report-data-types.ts';

/** Parsed search: required and excluded words and fields. */
export interface Query {
  terms: Term[];
  /** Syntax error in the text, with advice. The search ignores the wrong term. */
  problem?: string;
}

interface Term {
  field?: Field;
  value: string;
  isExcluded: boolean;
}

/** Values of the search term `is:`: problems and other marks of items. */
export type Trouble = 'error' | 'cancelled' | 'pending' | 'fault' | 'lint' | 'breaking' | 'changed';

export const TROUBLES: readonly Trouble[] = ['error', 'cancelled', 'pending', 'fault', 'lint', 'breaking', 'changed'];

/** Value of the search term `is:` for requests of the server. */
export const QUESTION = 'question';

const IS_VALUES: readonly string[] = [...TROUBLES, QUESTION];

const SIDES = ['client', 'server'] as const;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, b: 1, kb: 1_000, mb: 1_000_000 };
const LIMIT = /^([<>])(\d+(?:\.\d+)?)([a-z]*)$/;

const begins = (text: string | undefined, value: string) => text?.toLowerCase().startsWith(value) ?? false;
const equals = (field: string | number | undefined, value: string) =>
  String(field).replaceAll('"', '').toLowerCase() === value;

/** Predicates by field: whether an item matches a value of the field. */
const FIELDS = {
  method: ({ method }: Item, value: string) => begins(method, value),
  server: ({ origin }: Item, value: string) => begins(origin?.server, value),
  tool: ({ name }: Item, value: string) => begins(name, value),
  id: ({ rpcId }: Item, value: string) => equals(rpcId, value),
  is: (item: Item, value: string) =>
    troublesOf(item).some((trouble) => begins(trouble, value)) || (isQuestion(item) && begins(QUESTION, value)),
  from: ({ from }: Item, value: string) => begins(from, value),
  line: ({ line }: Item, value: string) => equals(line, value),
  stream: ({ stream }: Item, value: string) => equals(stream, value),
  took: ({ took }: Item, value: string) => isWithin(took, value),
  size: ({ bytes }: Item, value: string) => isWithin(bytes, value),
} as const;

type Field = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** Valid values of fields that do not accept every text: examples for the error message, and a check. */
const VALUES: Partial<Record<Field, { like: string; is: (value: string) => boolean }>> = {
  is: { like: IS_VALUES.join(', '), is: (value) => IS_VALUES.some((one) => one.startsWith(value)) },
  from: { like: SIDES.join(' or '), is: (value) => SIDES.some((side) => side.startsWith(value)) },
  line: { like: 'a number', is: (value) => /^\d+$/.test(value) },
  stream: { like: 'a number', is: (value) => /^\d+$/.test(value) },
  took: { like: '>100, <20 or >1.5s', is: (value) => isLimit(value, ['', 'ms', 's']) },
  size: { like: '>1000, <200 or >10kb', is: (value) => isLimit(value, ['', 'b', 'kb', 'mb']) },
};

function isLimit(value: string, units: readonly string[]): boolean {
  const unit = LIMIT.exec(value)?.[3];
  return unit !== undefined && units.includes(unit);
}

function isWithin(amount: number | undefined, value: string): boolean {
  const [, sign, number, unit = ''] = LIMIT.exec(value) ?? [];
  if (amount === undefined) return false;
  const limit = Number(number) * (UNITS[unit] ?? 1);
  return sign === '>' ? amount > limit : amount < limit;
}

/**
 * Parses a search such as `echo -log is:error id:7 "two words"`. A word with a field name searches that field, other
 * words search the text. A leading `-` excludes.
 */
export function readQuery(text: string): Query {
  const query: Query = { terms: [] };
  for (const [word] of text.toLowerCase().matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const [, minus, name, rest = ''] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(word) ?? [];
    const value = rest.replaceAll('"', '');
    const isField = name !== undefined && Object.hasOwn(FIELDS, name);
    if (name !== undefined && !isField) {
      const fields = FIELD_NAMES.map((field) => `${field}:`).join(' ');
      query.problem ??= `${name}: is no field. Fields are ${fields}. Words with a colon need quotes: "${word.replaceAll('"', '')}".`;
    } else if (isField && value !== '' && VALUES[name as Field]?.is(value) === false) {
      query.problem ??= `${name}:${value} finds nothing. Write ${name}: and ${VALUES[name as Field]!.like}.`;
    } else if (value !== '') {
      query.terms.push({ value, isExcluded: minus === '-', ...(isField && { field: name as Field }) });
    }
  }
  return query;
}

/** Returns the required words of a query, which the page marks in texts. */
export function wordsOf({ terms }: Query): string[] {
  return terms.filter(({ field, isExcluded }) => field === undefined && !isExcluded).map(({ value }) => value);
}

/**
 * Reports whether an item matches a query: it contains every required word, any value of each required field, and no
 * excluded term. `took` and `size` limits must all hold.
 */
export function matches(item: Item, { terms }: Query): boolean {
  if (terms.length === 0) return true;
  let text: string | undefined;
  const hasWord = (word: string) => {
    text ??= `${item.what}\n${item.detail ?? ''}\n${item.method ?? ''}\n${item.content?.text ?? ''}`.toLowerCase();
    return text.includes(word);
  };
  const has = ({ field, value }: Term) => (field === undefined ? hasWord(value) : FIELDS[field](item, value));
  return terms.every((term) => {
    if (term.isExcluded) return !has(term);
    if (has(term)) return true;
    return term.field !== undefined && terms.some((other) => isAlternative(other, term) && has(other));
  });
}

function isAlternative(other: Term, { field }: Term): boolean {
  return other.field === field && !other.isExcluded && field !== 'took' && field !== 'size';
}

/** Adds a term to the text of a search, or removes the term if present. */
export function withTerm(text: string, term: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const others = words.filter((word) => word !== term);
  return (others.length < words.length ? others : [...words, term]).join(' ');
}

/** Reports whether an item is a request of the server, such as sampling. */
export function isQuestion({ kind, from }: Item): boolean {
  return kind === 'request' && from === 'server';
}

/** Returns the problems of an item. */
export function troublesOf({ fate, failed, marks = [], change, callers = [], verified }: Item): Trouble[] {
  const found: Trouble[] = [];
  if (fate === 'error' || failed) found.push('error');
  if (fate === 'cancelled' || fate === 'pending') found.push(fate);
  if (marks.some(({ kind }) => kind === 'fault')) found.push('fault');
  if (marks.some(({ kind }) => kind !== 'fault')) found.push('lint');
  if (callers.some(({ severity }) => severity === 'breaking')) found.push('breaking');
  if (change || verified?.status === 'failed') found.push('changed');
  return found;
}
