import type { JsonText } from '../protocol/json-text.ts';

/** A number that a double cannot hold, kept as its exact decimal value. Equal values have equal `digits`. */
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

/** Cheap test that `text` cannot hold a number that parsing would change: most messages stop here. */
const MAY_LOSE = /[\d.]{16}|\d[eE]/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '\u0000exact ';

/** The value of `json` without rounding: numbers that a double would change become `ExactNumber`s. */
export function exactValue(json: JsonText): unknown {
  if (!MAY_LOSE.test(json.text)) return json.value;
  const marked = json.text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    const digits = decimal(token);
    return decimal(String(Number(token))) === digits ? token : JSON.stringify(MARK + digits);
  });
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The value of a number token in one form: `1.0`, `1`, `10e-1` are all `1`; `1e400` is `1e400`. */
function decimal(token: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return significant === digits ? '0' : token;
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return power === 0n ? sign + significant : `${sign}${significant}e${power}`;
}
