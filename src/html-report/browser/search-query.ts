import type { Item } from '../data/report-data-types.ts';

/** A search: required words, and fields. */
export interface Query {
  words: string[];
  fields: { field: Field; value: string }[];
}

/** `is:` takes a trouble, all others the beginning of what they name. */
type Field = 'method' | 'tool' | 'id' | 'is' | 'from' | 'line' | 'stream';

const FIELDS: ReadonlySet<string> = new Set(['method', 'tool', 'id', 'is', 'from', 'line', 'stream']);

/** What may be wrong with an item, or otherwise worth a look. */
export type Trouble = 'error' | 'cancelled' | 'pending' | 'fault' | 'lint' | 'breaking' | 'changed';

export const TROUBLES: readonly Trouble[] = ['error', 'cancelled', 'pending', 'fault', 'lint', 'breaking', 'changed'];

/** `echo is:error id:7 "two words"`: fields by their names, anything else as words. */
export function readQuery(text: string): Query {
  const query: Query = { words: [], fields: [] };
  for (const [word] of text.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const plain = word.replaceAll('"', '').toLowerCase();
    const colon = plain.indexOf(':');
    const field = plain.slice(0, Math.max(0, colon));
    const value = plain.slice(colon + 1);
    if (FIELDS.has(field)) {
      if (value !== '') query.fields.push({ field: field as Field, value });
    } else if (plain !== '') query.words.push(plain);
  }
  return query;
}

/** Whether an item is what the query looks for. */
export function matches(item: Item, { words, fields }: Query): boolean {
  if (!fields.every(({ field, value }) => hasField(item, field, value))) return false;
  if (words.length === 0) return true;
  const text = `${item.what}\n${item.detail ?? ''}\n${item.method ?? ''}\n${item.content?.text ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function hasField(item: Item, field: Field, value: string): boolean {
  switch (field) {
    case 'is':
      return troublesOf(item).some((trouble) => trouble === value);
    case 'method':
      return item.method?.toLowerCase().startsWith(value) ?? false;
    case 'tool':
      return item.name?.toLowerCase().startsWith(value) ?? false;
    case 'id':
      return item.rpcId?.replaceAll('"', '').toLowerCase() === value;
    case 'from':
      return item.from === value;
    case 'line':
      return String(item.line) === value;
    case 'stream':
      return String(item.stream) === value;
  }
}

/** Returns the problems of an item. */
export function troublesOf({ fate, failed, marks = [], change, callers = [] }: Item): Trouble[] {
  const found: Trouble[] = [];
  if (fate === 'error' || failed) found.push('error');
  if (fate === 'cancelled' || fate === 'pending') found.push(fate);
  if (marks.some(({ kind }) => kind === 'fault')) found.push('fault');
  if (marks.some(({ kind }) => kind !== 'fault')) found.push('lint');
  if (callers.some(({ severity }) => severity === 'breaking')) found.push('breaking');
  if (change) found.push('changed');
  return found;
}
