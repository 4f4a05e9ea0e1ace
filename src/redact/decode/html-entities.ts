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
const ENTITY = /&(?:(quot|apos|amp|lt|gt|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** Decodes the HTML and XML entities of `text`. Undefined: it has none. */
export function withoutEntities(text: string): DecodedText | undefined {
  if (!text.includes('&')) return undefined;
  const stretches = [...text.matchAll(ENTITY)].flatMap((match): TextEdit[] => {
    const { 0: entity, index } = match;
    const character = characterOf(match);
    return character === undefined ? [] : [{ start: index, end: index + entity.length, text: character }];
  });
  return stretches.length === 0 ? undefined : withReplacements(text, stretches);
}

function characterOf([, name, decimal, hex]: RegExpMatchArray): string | undefined {
  if (name !== undefined) return NAMED[name.toLowerCase()];
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
