import { literalEnd, stringEnd } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isDeeplyNested } from './nesting-depth.ts';

/** Number that a double cannot hold, kept as its exact decimal value. Equal values have equal `digits`. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  toJSON(): string {
    return this.digits;
  }
}

const MAY_LOSE = /\d(?:[eE]|[\d.]{15})/;
const TOKEN = /["\d-]/g;

/**
 * Reports whether `text` may hold a number that parsing would round. The test is cheap, and very few messages pass it.
 */
export function mayBeRounded(text: string): boolean {
  return MAY_LOSE.test(text);
}

/**
 * Returns the value of `json` without rounding: numbers that a double would change become `ExactNumber`s. JSON nested
 * too deep to be walked is returned as its text.
 */
export function exactValue(json: JsonText): unknown {
  const { text, value } = json;
  if (isDeeplyNested(value)) return text;
  if (!mayBeRounded(text)) return value;
  const mark = unusedMark(text);
  let marked = '';
  let copied = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const { index: start } = token;
    const isString = token[0] === '"';
    const end = isString ? stringEnd(text, start) : literalEnd(text, start);
    TOKEN.lastIndex = end;
    const digits = isString ? undefined : lost(text.slice(start, end));
    if (digits === undefined) continue;
    marked += text.slice(copied, start) + JSON.stringify(mark + digits);
    copied = end;
  }
  if (copied === 0) return value;
  return JSON.parse(marked + text.slice(copied), (_key, item) =>
    typeof item === 'string' && item.startsWith(mark) ? new ExactNumber(item.slice(mark.length)) : item,
  );
}

/**
 * Returns a run of NULs longer than any in `text`. JSON has only one spelling for NUL, so runs can be counted in the
 * text.
 */
function unusedMark(text: string): string {
  const runs = text.match(/(?:\\u0000)+/g) ?? [];
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 0);
  return '\0'.repeat(longest / '\\u0000'.length + 1);
}

/** Number of digits that a double always keeps. */
const KEPT = 15;

/** Returns the decimal form of a number token that a double would change. Undefined: a double keeps its value. */
function lost(token: string): string | undefined {
  if (token.length <= KEPT && !/[eE]/.test(token)) return undefined;
  const digits = decimal(token);
  return decimal(String(Number(token))) === digits ? undefined : digits;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Maximum length of an exponent. Numbers with a longer one are compared by their spelling, because normalizing them
 * would take too long.
 */
const EXPONENT_LENGTH_MAX = 20;

/** Returns the normal form of a number token: `1.0`, `1` and `10e-1` are all `1`; `1e400` is `1e400`. */
function decimal(token: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZeros(digits);
  if (significant === '') return '0';
  if (exponent.length > EXPONENT_LENGTH_MAX) return token;
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return power === 0n ? sign + significant : `${sign}${significant}e${power}`;
}

/** Removes trailing zeros. A regular expression would take quadratic time. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
