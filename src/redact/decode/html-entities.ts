import type { TextEdit } from '../replace/text-edit.ts';
import { type DecodedText, withReplacements } from './decoded-text-offsets.ts';

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

/** Entities of punctuation that tokens contain, and entities by number. The others only separate names and values. */
const PUNCTUATION: Readonly<Record<string, string>> = {
  lowbar: '_',
  period: '.',
  plus: '+',
  equals: '=',
  sol: '/',
  colon: ':',
  commat: '@',
  percnt: '%',
  dash: '-',
};
const NUMERIC = '#(\\d{1,7})|#x([\\da-f]{1,6})';
const ENTITY = new RegExp(`&(?:(${[...Object.keys(NAMED), ...Object.keys(PUNCTUATION)].join('|')})|${NUMERIC});`, 'gi');

/** Entity that may stand for a character of a token, so that the prefilter cannot see the token. */
const ENTITY_IN_TOKEN = new RegExp(`&(?:#|(?:${Object.keys(PUNCTUATION).join('|')});)`, 'i');

/** Reports whether a text has an entity that may stand for a character of a token. */
export function mayHideToken(text: string): boolean {
  return text.includes('&') && ENTITY_IN_TOKEN.test(text);
}

/** Decodes the HTML and XML entities of `text`. Undefined: it has none. */
export function withoutEntities(text: string): DecodedText | undefined {
  if (!text.includes('&')) return undefined;
  const stretches: TextEdit[] = [];
  for (const match of text.matchAll(ENTITY)) {
    const { 0: entity, index } = match;
    const character = characterOf(match);
    if (character !== undefined) stretches.push({ start: index, end: index + entity.length, text: character });
  }
  return stretches.length === 0 ? undefined : withReplacements(text, stretches);
}

function characterOf([, name, decimal, hex]: RegExpMatchArray): string | undefined {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? PUNCTUATION[name.toLowerCase()];
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
