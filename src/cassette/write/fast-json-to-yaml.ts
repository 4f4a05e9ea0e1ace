// Fast path. Duplicates: `jsonToYaml` of ./json-to-yaml.ts. Handles: printable ASCII without rare constructs.
// Gain: docs/decisions/0008-what-recording-costs.md; `npm run bench -- stdio` prints it. Equality test: test/cassette/write/fast-json-to-yaml.test.ts.

import { isPlainAscii } from './plain-scalar.ts';

/** What a byte means inside a string. */
const ENDS = 1;
const COLON_OR_HASH = 2;
/** Not printable ASCII, or a sign that something is escaped, encoded or an address. */
const SPECIAL = 4;

const TRAITS = new Uint8Array(256).fill(SPECIAL);
TRAITS.fill(0, 0x20, 0x7f);
for (const char of '\\%@') TRAITS[char.charCodeAt(0)] = SPECIAL;
for (const char of ':#') TRAITS[char.charCodeAt(0)] = COLON_OR_HASH;
TRAITS[0x22] = ENDS;

const OPENS_PLAIN = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(') OPENS_PLAIN[char.charCodeAt(0)] = 1;

/** Limits of the usual message. */
const STRING_LENGTH_MAX = 8 * 1024;
const KEY_LENGTH_MAX = 64;
const DIGITS_MAX = 32;
const DEPTH_MAX = 24;
const KEYS_MAX = 64;

/** No line of YAML is longer: a key, a string or a number, and what stands around them. */
const LINE_LENGTH_MAX = STRING_LENGTH_MAX + 512;

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const DASH = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

const WORDS: readonly Uint8Array[] = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * JSON as block YAML from bytes to bytes: what `jsonToYaml` makes of a text, at a fraction of its cost, for messages of
 * the usual kind. What is rare is left to that: whatever is not printable ASCII, escapes, `%` and `@`, exponents, long
 * strings, deep nesting.
 */
export class FastJsonToYaml {
  /** Where the newline stands that ends the line that was written last. */
  end = 0;
  #json: Uint8Array = new Uint8Array(0);
  #at = 0;
  #yaml: Uint8Array = this.#json;
  #to = 0;
  #depth = 0;
  /** Where each key of the mappings around begins and ends in the YAML. */
  readonly #keys = new Int32Array(2 * KEYS_MAX);
  #keyCount = 0;

  /**
   * Writes the object or list in the line of `json` that begins at `start`, to `yaml` from `to` on, as what follows the colon
   * of a key at `column`. Returns the offset behind it; -1: it has to be written another way, or has no room. A newline
   * ends `json`.
   */
  write(json: Uint8Array, start: number, yaml: Uint8Array, to: number, column: number): number {
    this.#json = json;
    this.#at = start;
    this.#yaml = yaml;
    this.#to = to;
    this.#depth = 0;
    this.#keyCount = 0;
    const opening = this.#next();
    const isContainer = opening === BRACE || opening === BRACKET;
    if (
      !isContainer ||
      to + LINE_LENGTH_MAX > yaml.length ||
      !this.#nested(column, opening, true) ||
      this.#next() !== LF
    )
      return -1;
    this.end = this.#at;
    return this.#to;
  }

  /** The next byte that is not white space; a newline is the end. */
  #next(): number {
    for (;;) {
      const c = this.#json[this.#at]!;
      if (c > SPACE || c === LF) return c;
      if (c !== SPACE && c !== 0x09 && c !== 0x0d) return -1;
      this.#at++;
    }
  }

  /** Writes the value of a key, or of a dash, at `column`. */
  #value(column: number, ofKey: boolean): boolean {
    const c = this.#next();
    if (c === BRACE || c === BRACKET) return this.#nested(column, c, ofKey);
    if (ofKey) this.#yaml[this.#to++] = SPACE;
    if (c === QUOTE) return this.#string(STRING_LENGTH_MAX);
    return c === DASH || (c >= ZERO && c <= NINE) ? this.#number() : this.#word();
  }

  #nested(column: number, opening: number, ofKey: boolean): boolean {
    const closing = opening + 2;
    this.#at++;
    if (this.#next() === closing) {
      this.#at++;
      if (ofKey) this.#yaml[this.#to++] = SPACE;
      this.#yaml[this.#to++] = opening;
      this.#yaml[this.#to++] = closing;
      return true;
    }
    if (++this.#depth > DEPTH_MAX) return false;
    if (ofKey && !this.#break(column + 2)) return false;
    const fits = closing === BRACE_END ? this.#object(column + 2) : this.#list(column + 2);
    this.#depth--;
    return fits;
  }

  #object(column: number): boolean {
    const first = this.#keyCount;
    for (;;) {
      if (this.#next() !== QUOTE || !this.#key(first) || this.#next() !== COLON) return false;
      this.#at++;
      this.#yaml[this.#to++] = COLON;
      if (!this.#value(column, true)) return false;
      const c = this.#next();
      this.#at++;
      if (c === BRACE_END) break;
      if (c !== COMMA || !this.#break(column)) return false;
    }
    this.#keyCount = first;
    return true;
  }

  #list(column: number): boolean {
    for (;;) {
      this.#yaml[this.#to++] = DASH;
      this.#yaml[this.#to++] = SPACE;
      if (!this.#value(column, false)) return false;
      const c = this.#next();
      this.#at++;
      if (c === BRACKET_END) return true;
      if (c !== COMMA || !this.#break(column)) return false;
    }
  }

  /** Begins a line, if the buffer has room. */
  #break(column: number): boolean {
    const yaml = this.#yaml;
    let to = this.#to;
    if (to + LINE_LENGTH_MAX > yaml.length) return false;
    yaml[to++] = LF;
    for (const end = to + column; to < end; to++) yaml[to] = SPACE;
    this.#to = to;
    return true;
  }

  /** Writes a key that is unique in its mapping. The mapping's keys are noted from `first` on. */
  #key(first: number): boolean {
    const start = this.#to;
    if (!this.#string(KEY_LENGTH_MAX) || this.#keyCount === KEYS_MAX) return false;
    for (let n = first; n < this.#keyCount; n++) if (this.#isKey(n, start)) return false;
    this.#keys[2 * this.#keyCount] = start;
    this.#keys[2 * this.#keyCount + 1] = this.#to;
    this.#keyCount++;
    return true;
  }

  /** Whether the key that was written from `start` on is the `n`th one. */
  #isKey(n: number, start: number): boolean {
    let i = this.#keys[2 * n]!;
    const end = this.#keys[2 * n + 1]!;
    if (end - i !== this.#to - start) return false;
    const yaml = this.#yaml;
    for (let at = start; i < end; i++, at++) if (yaml[i] !== yaml[at]) return false;
    return true;
  }

  /** Writes a string without quotes if that reads back as the same, else as JSON. */
  #string(lengthMax: number): boolean {
    const json = this.#json;
    const yaml = this.#yaml;
    const start = this.#at + 1;
    const opensPlain = OPENS_PLAIN[json[start]!] === 1;
    let to = this.#to;
    if (!opensPlain) yaml[to++] = QUOTE;
    let traits = 0;
    let i = start;
    for (const end = start + lengthMax; i < end; i++) {
      const c = json[i]!;
      traits |= TRAITS[c]!;
      if (traits & (ENDS | SPECIAL)) break;
      yaml[to++] = c;
    }
    if ((traits & (ENDS | SPECIAL)) !== ENDS) return false;
    this.#at = i + 1;
    if (!opensPlain) yaml[to++] = QUOTE;
    else if (!isPlainAscii(json, start, i, (traits & COLON_OR_HASH) !== 0)) {
      to = this.#to;
      for (let n = start - 1; n <= i; n++) yaml[to++] = json[n]!;
    }
    this.#to = to;
    return true;
  }

  /** Copies a number; an exponent is rare. */
  #number(): boolean {
    if (this.#json[this.#at] === DASH) this.#copy();
    if (this.#json[this.#at] === ZERO) this.#copy();
    else if (!this.#digits()) return false;
    if (this.#json[this.#at] !== POINT) return true;
    this.#copy();
    return this.#digits();
  }

  #digits(): boolean {
    const json = this.#json;
    const start = this.#at;
    for (let c = json[start]!; c >= ZERO && c <= NINE; c = json[this.#at]!) this.#copy();
    return this.#at > start && this.#at <= start + DIGITS_MAX;
  }

  #word(): boolean {
    const start = this.#at;
    const word = WORDS.find((letters) => letters[0] === this.#json[start]);
    if (word === undefined) return false;
    for (const letter of word) {
      if (this.#json[this.#at] !== letter) return false;
      this.#copy();
    }
    return true;
  }

  #copy(): void {
    this.#yaml[this.#to++] = this.#json[this.#at++]!;
  }
}

/** Few messages that are longer are of the usual kind. */
const TEXT_LENGTH_MAX = 16 * 1024;

const encoder = new TextEncoder();
const plainJson = new FastJsonToYaml();
let bytes: Uint8Array | undefined;
let written: Buffer | undefined;

/** The same for a text: it is bytes meanwhile, which takes half the time. Undefined: it has to be written another way. */
export function fastJsonToYaml(text: string, column: number): string | undefined {
  if (text.length > TEXT_LENGTH_MAX || text.includes('\\')) return undefined;
  bytes ??= new Uint8Array(TEXT_LENGTH_MAX + 1);
  written ??= Buffer.allocUnsafeSlow(4 * TEXT_LENGTH_MAX);
  const isAscii = encoder.encodeInto(text, bytes).written === text.length;
  if (!isAscii) return undefined;
  bytes[text.length] = LF;
  const end = plainJson.write(bytes, 0, written, 0, column);
  return end < 0 || plainJson.end < text.length ? undefined : written.toString('latin1', 0, end);
}
