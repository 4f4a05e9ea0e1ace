import type { Random } from '../../kernel/random.ts';

/** Maximum number of characters. Longer texts are no credentials. */
const LENGTH_MAX = 2_000;
/** Number of repetitions where a pattern allows any number. Texts of fewer would often be equal. */
const REPETITIONS = 8;

/** Printable ASCII without the characters that JSON escapes. */
const PRINTABLE = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).filter((one) => !/["\\]/.test(one));
const ESCAPED: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: / /, D: /[^\d]/, W: /[^\w]/, S: /[^ ]/ };

/** Writes a text. */
type Write = () => string;

/**
 * Returns a text that a regular expression describes, with characters by chance: letters and digits where it allows
 * them. Undefined: the expression has lookaround, references or classes of Unicode, or asks for a long text.
 */
export function textForPattern(pattern: string, random: Random): string | undefined {
  try {
    const text = new PatternReader(pattern, random).all()();
    return text.length > LENGTH_MAX ? undefined : text;
  } catch {
    return undefined;
  }
}

class PatternReader {
  readonly #text: string;
  readonly #random: Random;
  #at = 0;

  constructor(text: string, random: Random) {
    this.#text = text;
    this.#random = random;
  }

  all(): Write {
    const write = this.#alternatives();
    return this.#at < this.#text.length ? unsupported() : write;
  }

  #alternatives(): Write {
    const all = [this.#sequence()];
    while (this.#takes('|')) all.push(this.#sequence());
    return () => this.#oneOf(all)();
  }

  #sequence(): Write {
    const parts: Write[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at]!))
      parts.push(this.#repeated(this.#atom()));
    return () => parts.map((write) => write()).join('');
  }

  #atom(): Write {
    if (this.#takes('(')) {
      if (this.#takes('?') && !this.#takes(':') && !this.#match(/<[A-Za-z]\w*>/y)) unsupported();
      const write = this.#alternatives();
      return this.#takes(')') ? write : unsupported();
    }
    if (this.#takes('[')) return this.#any(this.#class());
    if (this.#match(/[\^$]|\\b/y)) return () => '';
    if (this.#takes('.')) return this.#any(PRINTABLE);
    return this.#any(this.#escaped());
  }

  /** Reads a character, or the characters of an escape. */
  #escaped(): readonly string[] {
    if (!this.#takes('\\')) return [this.#text[this.#at++]!];
    const code = this.#match(/u[\da-fA-F]{4}|x[\da-fA-F]{2}/y);
    if (code) return [String.fromCharCode(Number.parseInt(code.slice(1), 16))];
    const one = this.#text[this.#at++] ?? unsupported();
    const kind = ESCAPED[one];
    if (kind) return PRINTABLE.filter((character) => kind.test(character));
    return /[A-Za-z\d]/.test(one) ? unsupported() : [one];
  }

  #class(): readonly string[] {
    const isNegated = this.#takes('^');
    const members = new Set<string>();
    while (!this.#takes(']')) {
      if (this.#at >= this.#text.length) unsupported();
      const from = this.#escaped();
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']' && from.length === 1;
      if (isRange) this.#at++;
      const [first, last] = [from[0]!, isRange ? this.#escaped()[0]! : from[0]!];
      for (const one of isRange ? PRINTABLE.filter((character) => character >= first && character <= last) : from)
        members.add(one);
    }
    return isNegated ? PRINTABLE.filter((one) => !members.has(one)) : [...members];
  }

  #repeated(write: Write): Write {
    const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#match(/\{\d+,?\d*\}/y) ?? '') ?? [];
    const sign = least === undefined ? this.#match(/[*+?]/y) : undefined;
    if (least === undefined && sign === undefined) return write;
    this.#takes('?');
    const min = Number(least ?? (sign === '+' ? 1 : 0));
    const max = sign === '?' || comma === '' ? (sign === '?' ? 1 : min) : Number(most || Number.POSITIVE_INFINITY);
    if (min > LENGTH_MAX) unsupported();
    return () => Array.from({ length: Math.max(min, Math.min(max, REPETITIONS)) }, write).join('');
  }

  #any(characters: readonly string[]): Write {
    const plain = characters.filter((one) => /[A-Za-z\d]/.test(one));
    const from = plain.length > 0 ? plain : characters;
    return () => this.#oneOf(from);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] ?? unsupported();
  }

  #takes(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function unsupported(): never {
  throw new Error('unsupported');
}
