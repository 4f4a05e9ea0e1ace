import { isDistinctive } from '../../replay/tokens/ids-in-text.ts';
import { hasBothCases, tokenSource } from './parts-around-tokens.ts';

/** Lengths of ids. A longer text is a document. */
const LENGTH_MAX = 200;
/** Minimum length of random digits of a number in base 16, and of random letters and digits. */
const [HEX_MIN, TOKEN_MIN] = [6, 16];
/** Minimum length of a random token whose form shows in the most of several values only. */
const SHORT_TOKEN_MIN = 8;

/**
 * Returns an expression for whole texts that are ids of one form, from the first character to the last: `^[0-9a-f]{12}-\d+$`
 * for cursors, `^c\d+$`, or `^[\w-]{22}$`. Undefined: they have no form in common, or it is too wide, as that of a short
 * number is.
 */
export function wholeTextForm(texts: readonly string[]): string | undefined {
  const [first = ''] = texts;
  if (texts.some((text) => !/^[\w.:+/=~-]+$/.test(text) || text.length > LENGTH_MAX)) return undefined;
  return inParts(texts) ?? ofFixedLength(texts, first);
}

/** Returns the form of texts with the same signs between their words, and a word of random digits or fixed letters. */
function inParts(texts: readonly string[]): string | undefined {
  const divided = texts.map((text) => text.split(/([^A-Za-z0-9]+)/));
  const [one] = divided;
  const signsOf = (parts: readonly string[]) => parts.filter((_, index) => index % 2 === 1).join();
  if (divided.some((parts) => parts.length !== one!.length || signsOf(parts) !== signsOf(one!))) return undefined;
  const forms = one!.map((part, index) =>
    index % 2 === 1 ? literalSign(part) : formOfWord(divided.map((parts) => parts[index]!)),
  );
  if (forms.some((form) => form === undefined)) return undefined;
  const isNarrow = forms.some((form, index) => index % 2 === 0 && /^[A-Za-z]|\{/.test(form!));
  return isNarrow ? `^${forms.join('')}$` : undefined;
}

function literalSign(signs: string): string {
  return signs.replaceAll(/[.+]/g, '\\$&');
}

/** Expressions for a digit of a number in base 16, the narrowest first. */
const HEX_DIGITS = ['[0-9a-f]', '[0-9A-F]', '[0-9a-fA-F]'] as const;

function formOfWord(words: readonly string[]): string | undefined {
  const [first = ''] = words;
  if (words.every((word) => /^\d+$/.test(word))) return '\\d+';
  const isOfOneLength = words.every(({ length }) => length === first.length);
  const digits = HEX_DIGITS.find((digit) => words.every((word) => new RegExp(`^${digit}+$`).test(word)));
  if (digits && isOfOneLength && first.length >= HEX_MIN && words.some((word) => /\d/.test(word)))
    return `${digits}{${first.length}}`;
  if (/^[A-Za-z]*$/.test(first) && words.every((word) => word === first)) return first;
  const [prefix = ''] = /^[A-Za-z]+/.exec(first) ?? [];
  const rests = words.map((word) => (word.startsWith(prefix) ? word.slice(prefix.length) : ''));
  if (prefix !== '' && rests.every((rest) => /^\d+$/.test(rest))) return `${prefix}\\d+`;
  const isToken = isOfOneLength && first.length >= TOKEN_MIN && words.every(isDistinctive);
  const signs = ['[0-9a-z]', '[0-9A-Z]'].find((one) => words.every((word) => new RegExp(`^${one}+$`).test(word)));
  return isToken && signs ? `${signs}{${first.length}}` : undefined;
}

/** Returns the form of random tokens of one length, in base64url or base64, or of an alphabet that may be either. */
function ofFixedLength(texts: readonly string[], { length }: string): string | undefined {
  if (texts.some((text) => text.length !== length) || !areTokens(texts, length)) return undefined;
  // Few tokens show all signs of their alphabet.
  const signs = tokenSource(texts, '')?.slice(0, -1);
  return signs && `^${signs}{${length}}$`;
}

/** Reports whether texts of one length are random tokens. A short one may lack what makes most of them distinctive. */
function areTokens(texts: readonly string[], length: number): boolean {
  const distinctive = texts.filter(isDistinctive).length;
  if (length >= TOKEN_MIN) return distinctive === texts.length;
  const isMixed = (text: string) => hasBothCases(text) || /\d/.test(text);
  return length >= SHORT_TOKEN_MIN && texts.length > 2 && distinctive > texts.length / 2 && texts.every(isMixed);
}
