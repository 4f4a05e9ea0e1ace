import { type Part, partsOf } from '../../match/volatile-text-parts.ts';
import { isDistinctive } from '../../replay/tokens/ids-in-text.ts';

/**
 * Divides each text into values and the literal text between them, as `partsOf` does, but a random token is one value
 * with all of its `-`, `+`, `/` and `=`. Texts that differ in other words are divided one by one.
 */
export function partsAroundTokens(texts: readonly string[]): Part[][] {
  const words = texts.map((text) => [...text.matchAll(/[\w+/=-]+/g)]);
  const between = texts.map((text) => text.split(/[\w+/=-]+/).join('\n'));
  if (between.some((one) => one !== between[0])) return texts.map(partsOf);
  const parts = texts.map((): Part[] => []);
  const done = texts.map(() => 0);
  for (const index of words[0]!.keys()) {
    const column = words.map((found) => found[index]!);
    const whole = column.map(([word]) => word);
    if (whole.some(({ length }) => length > WORD_LENGTH_MAX) || whole.every((word) => word === whole[0])) continue;
    if (differInKnownForms(whole)) continue;
    const [before, after] = fixedEnds(whole);
    const tokens = column.map(([word]) => word.slice(before, word.length - after));
    if (!areRandomTokens(tokens, /[A-Za-z]/.test(whole[0]!.slice(0, before)))) continue;
    for (const [at, token] of tokens.entries()) {
      const start = column[at]!.index + before;
      for (const part of partsOf(texts[at]!.slice(done[at], start))) parts[at]!.push(part);
      parts[at]!.push({ kind: 'value', text: token });
      done[at] = start + token.length;
    }
  }
  return texts.map((text, at) => parts[at]!.concat(partsOf(text.slice(done[at]))));
}

/**
 * Returns the parts with the type prefix of an id as literal text: `todo_` of `todo_26082134`. An id of digits alone
 * has other characters than the next one, but the same prefix.
 */
export function withPrefixesAsText(versions: readonly Part[][]): Part[][] {
  const divided = versions.map((): Part[] => []);
  for (const index of versions[0]!.keys()) {
    const column = versions.map((parts) => parts[index]!);
    const texts = column.map(({ text }) => text);
    const prefix = column.every(({ kind }) => kind === 'value') ? typePrefix(texts) : '';
    for (const [at, { kind, text }] of column.entries()) {
      const before = divided[at]!.at(-1);
      if (prefix !== '' && before?.kind === 'literal')
        divided[at]!.splice(-1, 1, { ...before, text: before.text + prefix });
      else if (prefix !== '') divided[at]!.push({ kind: 'literal', text: prefix });
      divided[at]!.push({ kind, text: text.slice(prefix.length) });
    }
  }
  return divided;
}

/** Returns the words with `_` or `-` that different ids all begin with. Digits in them may be new in the next run. */
export function typePrefix(values: readonly string[]): string {
  const [first = '', ...others] = values;
  const [words = ''] = /^(?:[A-Za-z]+[_-])+/.exec(first) ?? [];
  const isShared = (prefix: string) => others.every((other) => other.startsWith(prefix) && other !== prefix);
  for (let prefix = words; prefix !== ''; prefix = prefix.replace(/[A-Za-z]+[_-]$/, ''))
    if (prefix !== first && isShared(prefix)) return others.every((other) => other === first) ? '' : prefix;
  return '';
}

/** Reports whether words differ in UUIDs and dates alone: `//2b4e28ba-…` has signs around a UUID. */
function differInKnownForms(words: readonly string[]): boolean {
  const [first = [], ...others] = words.map(partsOf);
  const isKnown = ({ kind }: Part) => kind === 'uuid' || kind === 'date';
  return (
    first.some(isKnown) &&
    others.every((parts) => parts.length === first.length) &&
    first.every(({ kind, text }, index) =>
      others.every(({ [index]: other }) => other!.kind === kind && (isKnown(other!) || other!.text === text)),
    )
  );
}

/** Returns the lengths of the words that all values begin and end with, such as `sess-`, `//` and `/status`. */
function fixedEnds(values: readonly string[]): [number, number] {
  const [first = '', ...others] = values;
  let [before, after] = [0, 0];
  while (before < first.length && others.every((other) => other[before] === first[before])) before++;
  const [prefix = ''] = /^(?:.*[A-Za-z]{2}.*[-+/=_]|\/\/)/.exec(first.slice(0, before)) ?? [];
  const shortest = Math.min(...values.map(({ length }) => length)) - prefix.length;
  while (after < shortest && others.every((other) => other.at(-1 - after) === first.at(-1 - after))) after++;
  const [suffix = ''] = /\/.*[A-Za-z]{2}.*$/.exec(first.slice(first.length - after)) ?? [];
  return [prefix.length, suffix.length];
}

/** Tokens are longer than a size with its unit, and shorter than a picture. */
const [LENGTH_MIN, LENGTH_MAX] = [5, 200];
/** Minimum length of tokens of which only some have a digit, unless they begin with the same name: `ord_`. */
const WORD_LENGTH_MIN = 8;
/** Maximum length of a token with the path around it. */
const WORD_LENGTH_MAX = 1000;

/** Reports whether different values look like random bytes in base64, or in another alphabet with letters. */
function areRandomTokens(values: readonly string[], isNamed: boolean): boolean {
  if (values.some((value) => value.length < LENGTH_MIN || value.length > LENGTH_MAX || KNOWN_FORM.test(value)))
    return false;
  const isRandom = (value: string) => /[\d+=]/.test(value) || isDistinctive(value);
  const { length } = values[0]!;
  const isFixed = values.every((value) => value.length === length && /[A-Za-z].*[A-Za-z]/.test(value));
  // Some tokens of an alphabet have no digit, or letters of one case, by chance.
  if (isFixed && (isNamed || length >= WORD_LENGTH_MIN)) return values.some(isRandom);
  return values.every((value) => hasBothCases(value) && isRandom(value));
}

/** Values with a form of their own. */
const KNOWN_FORM = /^\d{4}-\d\d|^[\da-f]{8}(?:-[\da-f]{4}){3}-/i;

export function hasBothCases(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value);
}

/** Expressions for a character of a token, the narrowest first. */
export const TOKEN_SIGNS = ['\\w', '[\\w-]', '[\\w+/=-]'] as const;

/**
 * Returns the expression for the tokens of which some have these values: with the whole alphabet that they are plausibly
 * of, since few values show all of its characters. Text that follows a token is no part of it. Undefined: they have
 * other characters.
 */
export function tokenSource(values: readonly string[], following: string): string | undefined {
  const fits = TOKEN_SIGNS.findIndex((signs) => values.every((value) => new RegExp(`^${signs}+$`).test(value)));
  if (fits < 0) return undefined;
  const isBase64 = values.some(hasBothCases) && !values.some((value) => /[_-]/.test(value));
  const plausible = isBase64 ? 2 : values.some(hasBothCases) ? 1 : 0;
  const [next = ''] = following;
  const possible = next === '-' ? 0 : /[+/=]/.test(next) ? 1 : 2;
  return `${TOKEN_SIGNS[Math.max(fits, Math.min(plausible, possible))]}+`;
}
