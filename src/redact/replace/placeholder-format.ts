import type { Span } from '../../protocol/json-scan.ts';

/** Returns the replacement of a secret. JSON needs no escaping for it at any depth. */
export function placeholderOf(name: string, n: number): string {
  return `[redacted:${name}:${n}]`;
}

/** Placeholder found in a text. Another redactor may have written it. */
export interface Placeholder extends Span {
  name: string;
  n: number;
}

/** Matches every placeholder in a text. */
export const PLACEHOLDER: RegExp = /\[redacted:([\w.-]+):(\d{1,9})\]/g;

/** Returns the placeholders in a text, in order. Does not decode base64 or hexadecimal. */
export function placeholdersIn(text: string): Placeholder[] {
  if (!text.includes('[redacted:')) return [];
  return Array.from(text.matchAll(PLACEHOLDER), ({ 0: all, 1: name = '', 2: n, index }) => ({
    start: index,
    end: index + all.length,
    name,
    n: Number(n),
  }));
}

/** Returns the names of the variables that may hold the secret of a placeholder: `github-token` and `GITHUB_TOKEN`, `apiKey` and `API_KEY`. */
export function variableNames(name: string): string[] {
  const exportable = name.replace(/[.-]/g, '_');
  const inWords = exportable.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2');
  return [...new Set([name, exportable, inWords.toUpperCase(), exportable.toUpperCase()])];
}

/** Returns the name of the variable for the secret of a placeholder: with its number, but for the first one. */
export function variableFor({ name, n }: Pick<Placeholder, 'name' | 'n'>): string {
  return n === 1 ? exportableName(name) : `${exportableName(name)}_${n}`;
}

/** Returns the name of a variable for a placeholder that a shell can export. */
export function exportableName(name: string): string {
  return /^\w+$/.test(name) ? name : variableNames(name).at(-1)!;
}

/** Reports whether a value consists of placeholders only. */
export function isRedacted(value: string): boolean {
  return value.includes('[redacted:') && value.replace(PLACEHOLDER, '').trim() === '';
}
