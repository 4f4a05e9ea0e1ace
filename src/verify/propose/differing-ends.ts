import { TOKEN_SIGNS, typePrefix } from './parts-around-tokens.ts';

/** The signs at the end of a text in base64. */
export const BASE64_END: RegExp = /^==?(?![\w=])/;

export interface Ends {
  /** Text before the values. */
  left: string;
  values: string[];
  /** Expression for one character of the values. Undefined if the values have other characters. */
  signs: string | undefined;
}

/**
 * Returns the common text before the first difference of two texts, and the ids between their first and last
 * difference.
 */
export function endsOf(texts: readonly [string, string]): Ends {
  const all = TOKEN_SIGNS.slice(1).map((signs) => endsWith(texts, signs));
  return all.find(({ signs }) => signs !== undefined) ?? all[0]!;
}

function endsWith(texts: readonly [string, string], signs: string): Ends {
  const [one, two] = texts;
  const sign = new RegExp(signs);
  let start = 0;
  while (start < one.length && one[start] === two[start]) start++;
  while (start > 0 && sign.test(one[start - 1]!)) start--;
  let end = 0;
  while (end < Math.min(one.length, two.length) - start && one.at(-1 - end) === two.at(-1 - end)) end++;
  while (end > 0 && sign.test(one.at(-end)!)) end--;
  const prefix = typePrefix(texts.map((text) => text.slice(start, text.length - end)));
  const values = texts.map((text) => text.slice(start + prefix.length, text.length - end));
  const isCut = BASE64_END.test(one.slice(one.length - end));
  const isFit = !isCut && values.every((value) => new RegExp(`^${signs}+$`).test(value));
  return { left: one.slice(0, start) + prefix, values, signs: isFit ? signs : undefined };
}
