import type { SecretMatch } from '../replace/secret-match.ts';
import { type Certainty, credentialNamed } from './credential-names.ts';
import { looksGenerated } from './plausibility.ts';
import { secretsWithin } from './secrets-in-credential.ts';

/** Start of an SQL insert up to its first value: `INSERT INTO users (name, password) VALUES (`. */
const INSERT = /\b(?:insert|replace)\s[^()';]{1,256}\(([^()';]{1,4096})\)\s{0,64}values\s{0,64}(?=\()/gi;

/** Significant characters outside of strings, and inside, where a quote is doubled or escaped. */
const BETWEEN = /[(),;']/g;
const INSIDE = /''|\\[\s\S]|'/g;

interface Column {
  name: string;
  certainty: Certainty | undefined;
}

/** Finds the strings that SQL inserts into columns with credential names. */
export function sqlInsertValues(text: string): SecretMatch[] {
  if (!text.includes('VALUES') && !text.includes('values')) return [];
  const finds: SecretMatch[] = [];
  let end = 0;
  for (const { 0: all, 1: list = '', index } of text.matchAll(INSERT)) {
    if (index < end) continue;
    const columns = list.split(',').map((column): Column => {
      const name = column.replace(/[^\w.-]/g, '');
      return { name, certainty: credentialNamed(name) };
    });
    end = index + all.length;
    if (columns.some(({ certainty }) => certainty !== undefined)) end = intoColumns(text, end, columns, finds);
  }
  return finds;
}

/** Adds the secrets of the rows that begin at `start`. Returns the end of the rows. */
function intoColumns(text: string, start: number, columns: readonly Column[], finds: SecretMatch[]): number {
  let depth = 0;
  let column = 0;
  let at = start;
  for (let mark = next(BETWEEN, text, at); mark !== undefined; mark = next(BETWEEN, text, at)) {
    at = mark.end;
    if (mark.text === ';') break;
    if (mark.text === '(' && depth++ === 0) column = 0;
    if (mark.text === ')' && --depth < 0) break;
    if (mark.text === ',' && depth === 1) column++;
    if (mark.text !== "'") continue;
    const end = textEnd(text, at);
    finds.push(...within(columns[column], text.slice(at, end), at, depth > 1));
    at = end + 1;
  }
  return at;
}

/** Returns the end of the string that begins at `at`. A string without an end ends with its line. */
function textEnd(text: string, at: number): number {
  let last = next(INSIDE, text, at);
  while (last !== undefined && last.text !== "'") last = next(INSIDE, text, last.end);
  if (last !== undefined) return last.end - 1;
  const line = text.indexOf('\n', at);
  return line < 0 ? text.length : line;
}

function next(pattern: RegExp, text: string, at: number): { text: string; end: number } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { text: match[0], end: match.index + match[0].length };
}

/**
 * Returns the secrets of a column's value. A function argument may be a parameter of the encryption: `crypt('…',
 * gen_salt('bf'))`.
 */
function within(column: Column | undefined, value: string, at: number, isArgument: boolean): SecretMatch[] {
  if (column?.certainty === undefined || (isArgument && !looksGenerated(value))) return [];
  const { name, certainty } = column;
  return secretsWithin(name, value, certainty).map(({ start, end }) => ({
    name,
    start: at + start,
    end: at + end,
  }));
}
