// Fast path. Duplicates: `jsonToYaml` of ./json-to-yaml.ts. Handles: printable ASCII without rare constructs.
// Gain: docs/decisions/0008-what-recording-costs.md; `npm run bench -- stdio` prints it. Equality test: test/cassette/write/fast-json-to-yaml.test.ts.

import { isPlainAscii } from './plain-scalar.ts';

/** Meaning of a byte inside a string. */
const ENDS = 1;
const COLON_OR_HASH = 2;
/** Byte that is not printable ASCII, or that escapes, encodings and addresses contain. */
const SPECIAL = 4;

const TRAITS = new Uint8Array(256).fill(SPECIAL);
TRAITS.fill(0, 0x20, 0x7f);
for (const char of '\\%@&') TRAITS[char.charCodeAt(0)] = SPECIAL;
for (const char of ':#') TRAITS[char.charCodeAt(0)] = COLON_OR_HASH;
TRAITS[0x22] = ENDS;

const OPENS_PLAIN = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(') OPENS_PLAIN[char.charCodeAt(0)] = 1;

/** Limits of a usual message. */
const STRING_LENGTH_MAX = 8 * 1024;
const KEY_LENGTH_MAX = 64;
const DIGITS_MAX = 32;
const DEPTH_MAX = 24;
const KEYS_MAX = 64;

/** Maximum length of a YAML line: a key, a string or a number, with the characters around them. */
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
 * Converter of JSON to block YAML, from bytes to bytes. For usual messages it gives the result of `jsonToYaml` at a
 * fraction of the cost. It rejects rare content: anything but printable ASCII, escapes, `%`, `@` and `&`, exponents, long
 * strings, deep nesting.
 */
export class FastJsonToYaml {
  /** Offset of the newline after the converted line. */
  end = 0;
  #json: Uint8Array = new Uint8Array(0);
  #at = 0;
  #yaml: Uint8Array = this.#json;
  #to = 0;
  #depth = 0;
  /** Start and end of each key of the open mappings in the YAML. */
  readonly #keys = new Int32Array(2 * KEYS_MAX);
  #keyCount = 0;

  /**
   * Converts the object or list at `start` of `json` to YAML, as the value of a key at `column`. It is written to
   * `yaml` from `to` on. Returns the end offset. -1: the slow path has to convert it, or the buffer is too small.
   * `json` ends with a newline.
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

  /** Returns the next byte that is not white space. A newline is the end of the text. */
  #next(): number {
    for (;;) {
      const c = this.#json[this.#at]!;
      if (c > SPACE || c === LF) return c;
      if (c !== SPACE && c !== 0x09 && c !== 0x0d) return -1;
      this.#at++;
    }
  }

  /** Writes the value of a key or dash at `column`. */
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

  /** Begins a line. False: the buffer is too small. */
  #break(column: number): boolean {
    const yaml = this.#yaml;
    let to = this.#to;
    if (to + LINE_LENGTH_MAX > yaml.length) return false;
    yaml[to++] = LF;
    for (const end = to + column; to < end; to++) yaml[to] = SPACE;
    this.#to = to;
    return true;
  }

  /** Writes a key. False: its mapping, whose keys begin at index `first`, already has it. */
  #key(first: number): boolean {
    const start = this.#to;
    if (!this.#string(KEY_LENGTH_MAX) || this.#keyCount === KEYS_MAX) return false;
    for (let n = first; n < this.#keyCount; n++) if (this.#isKey(n, start)) return false;
    this.#keys[2 * this.#keyCount] = start;
    this.#keys[2 * this.#keyCount + 1] = this.#to;
    this.#keyCount++;
    return true;
  }

  /** Reports whether the key written from `start` on equals the `n`th key. */
  #isKey(n: number, start: number): boolean {
    let i = this.#keys[2 * n]!;
    const end = this.#keys[2 * n + 1]!;
    if (end - i !== this.#to - start) return false;
    const yaml = this.#yaml;
    for (let at = start; i < end; i++, at++) if (yaml[i] !== yaml[at]) return false;
    return true;
  }

  /** Writes a string: without quotes if YAML reads back the same string, otherwise as JSON. */
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

  /** Copies a number. False: it has an exponent, which is rare. */
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

/** Maximum length of a text. Longer messages are rarely usual ones. */
const TEXT_LENGTH_MAX = 16 * 1024;

const encoder = new TextEncoder();
const plainJson = new FastJsonToYaml();
let bytes: Uint8Array | undefined;
let written: Buffer | undefined;

/**
 * Converts a text by encoding it as bytes, in half the time of the slow path. Undefined: the slow path has to convert
 * it.
 */
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
