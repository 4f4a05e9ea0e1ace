import { fastBase64End } from '../../kernel/fast-base64-run-end.ts';
import { JSON_DEPTH_MAX, literalEnd, skipSpace, stringEnd } from '../../protocol/json-scan.ts';
import { DuplicateKeys } from '../read/duplicate-keys.ts';
import { fastBlockLiteral } from './fast-block-literal.ts';
import { fastJsonToYaml } from './fast-json-to-yaml.ts';
import { isReserved } from './plain-scalar.ts';
import { inlineScalar, scalar } from './yaml-scalar.ts';

/** Maximum length of a key. A longer one would not fit a readable line. */
export const KEY_LENGTH_MAX = 512;

/**
 * Converts a JSON object or array to block YAML, as the value of a key at `column`, without a final line break. Number
 * lexemes and the order of keys stay unchanged. Undefined: the text has to be kept as a line. It is not strict JSON, or
 * not an object or array, or contains a construct on which YAML readers disagree: a duplicate key, a lone surrogate, a
 * key over {@link KEY_LENGTH_MAX}, or more than {@link JSON_DEPTH_MAX} levels.
 */
export function jsonToYaml(text: string, column: number): string | undefined {
  const plain = fastJsonToYaml(text, column);
  if (plain !== undefined) return plain;
  if (!text.isWellFormed()) return undefined;
  const transcoder = new Transcoder(text);
  return transcoder.document(column) ? transcoder.yaml : undefined;
}

/** Minimum length of a string that becomes a separate piece. */
export const PIECE_LENGTH_MIN: number = 64 * 1024;

/** Converts JSON to YAML in pieces. Joining a long string with its surroundings would copy it. */
export function jsonToYamlPieces(text: string, column: number): string[] | undefined {
  if (!text.isWellFormed()) return undefined;
  const transcoder = new Transcoder(text, []);
  return transcoder.document(column) ? [...transcoder.pieces!, transcoder.yaml] : undefined;
}

/** Traits of a string token, as bits. They determine how it may be written without another scan. */
const ESCAPE = 1;
const COLON_OR_HASH = 2;
const WIDE = 4;
const CONTROL = 8;

const TRAITS = new Uint8Array(128);
TRAITS.fill(CONTROL, 0, 0x20);
TRAITS[0x5c] = ESCAPE;
TRAITS[0x3a] = COLON_OR_HASH;
TRAITS[0x23] = COLON_OR_HASH;
TRAITS[0x7f] = WIDE;

const OPENS_PLAIN = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(') OPENS_PLAIN[char.charCodeAt(0)] = 1;

/** Maximum length for a loop over characters. For longer strings, native searches are faster. */
const SCANNED_MAX = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL_OR_WIDE = /[\0-\x1f\x7f-\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROLS = /[\0-\x1f]/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** Line breaks with indentation by column, and the same after a key. */
const BREAK: readonly string[] = Array.from({ length: 2 * JSON_DEPTH_MAX + 16 }, (_, n) => `\n${' '.repeat(n)}`);
const COLON_BREAK: readonly string[] = BREAK.map((lineBreak) => `:${lineBreak}`);
const AFTER_KEY = ': ';
const AFTER_DASH = '- ';

/** Converter that reads the text once. Each step moves `#at` past its token. False: YAML cannot hold the text. */
class Transcoder {
  /** Text written since the last piece. */
  yaml = '';
  /** Receives long strings, and the text before each. Absent: the result is a single text. */
  readonly pieces: string[] | undefined;
  readonly #text: string;
  readonly #keys = new DuplicateKeys();
  #at = 0;
  #depth = 0;
  #traits = 0;

  constructor(text: string, pieces?: string[]) {
    this.#text = text;
    this.pieces = pieces;
  }

  document(column: number): boolean {
    const opening = this.#next();
    if (opening !== BRACE && opening !== BRACKET) return false;
    return this.#value(column, ' ', BREAK[column + 2]!) && Number.isNaN(this.#next());
  }

  /** Returns the code of the next character that is not white space. */
  #next(): number {
    const c = this.#text.charCodeAt(this.#at);
    if (c > SPACE) return c;
    this.#at = skipSpace(this.#text, this.#at);
    return this.#text.charCodeAt(this.#at);
  }

  /** Writes the value of a key or dash at `column`. A scalar follows `mark`, a block follows `lead`. */
  #value(column: number, mark: string, lead: string): boolean {
    switch (this.#next()) {
      case QUOTE:
        this.yaml += mark;
        return this.#string(column);
      case BRACE:
        return this.#nested(column, mark, lead, BRACE_END);
      case BRACKET:
        return this.#nested(column, mark, lead, BRACKET_END);
      default:
        this.yaml += mark;
        return this.#literal();
    }
  }

  #nested(column: number, mark: string, lead: string, end: number): boolean {
    this.#at++;
    if (this.#next() === end) {
      this.#at++;
      this.yaml += mark;
      this.yaml += end === BRACE_END ? '{}' : '[]';
      return this.#depth < JSON_DEPTH_MAX;
    }
    if (++this.#depth > JSON_DEPTH_MAX) return false;
    this.yaml += lead;
    const fits = end === BRACE_END ? this.#object(column + 2) : this.#array(column + 2);
    this.#depth--;
    return fits;
  }

  #object(column: number): boolean {
    const mark = this.#keys.open();
    const lead = COLON_BREAK[column + 2]!;
    for (;;) {
      if (this.#next() !== QUOTE || !this.#key(mark) || this.#next() !== COLON) return false;
      this.#at++;
      if (!this.#value(column, AFTER_KEY, lead)) return false;
      const c = this.#next();
      this.#at++;
      if (c === BRACE_END) break;
      if (c !== COMMA) return false;
      this.yaml += BREAK[column];
    }
    this.#keys.close(mark);
    return true;
  }

  #array(column: number): boolean {
    for (;;) {
      if (!this.#value(column, AFTER_DASH, AFTER_DASH)) return false;
      const c = this.#next();
      this.#at++;
      if (c === BRACKET_END) return true;
      if (c !== COMMA) return false;
      this.yaml += BREAK[column];
    }
  }

  #key(mark: number): boolean {
    const start = this.#at;
    if (!this.#scan()) return false;
    const content = this.#text.slice(start + 1, this.#at - 1);
    if (content.length > KEY_LENGTH_MAX * LONGEST_ESCAPE) return false;
    const key = this.#traits & ESCAPE ? unescaped(this.#text.slice(start, this.#at)) : content;
    if (key === undefined || key.length > KEY_LENGTH_MAX || !this.#keys.add(key, mark)) return false;
    const written = key === content ? this.#unescapedScalar(start, content) : inlineScalar(key);
    this.yaml += written;
    return written.length <= YAML_KEY_LENGTH_MAX;
  }

  #string(column: number): boolean {
    const start = this.#at;
    if (!this.#scanShort()) {
      const literal = fastBlockLiteral(this.#text, start, column);
      if (literal !== undefined) {
        this.#at = literal.end;
        this.yaml += literal.yaml;
        return true;
      }
      if (!this.#scanLong()) return false;
    }
    if (this.#traits & ESCAPE) {
      const value = unescaped(this.#text.slice(start, this.#at));
      if (value === undefined) return false;
      this.yaml += scalar(value, column);
    } else {
      this.#write(this.#unescapedScalar(start, this.#text.slice(start + 1, this.#at - 1)));
    }
    return true;
  }

  #write(yaml: string): void {
    if (this.pieces === undefined || yaml.length < PIECE_LENGTH_MIN) this.yaml += yaml;
    else {
      this.pieces.push(this.yaml, yaml);
      this.yaml = '';
    }
  }

  /** Reads the string token at `#at` and sets its traits. */
  #scan(): boolean {
    return this.#scanShort() || this.#scanLong();
  }

  #scanShort(): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + SCANNED_MAX);
    let traits = 0;
    for (let i = this.#at + 1; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c === QUOTE) {
        this.#at = i + 1;
        this.#traits = traits;
        return true;
      }
      const trait = c < 128 ? TRAITS[c]! : WIDE;
      if (trait === CONTROL) return false;
      if (trait === ESCAPE) i++;
      traits |= trait;
    }
    return false;
  }

  /** Reads a long string token with native searches, which are faster than a loop. */
  #scanLong(): boolean {
    const end = stringEnd(this.#text, this.#at);
    if (end < 0) return false;
    const content = this.#text.slice(fastBase64End(this.#text, this.#at + 1), end - 1);
    this.#at = end;
    this.#traits = COLON_OR_HASH;
    if (content.includes('\\')) this.#traits |= ESCAPE;
    else if (CONTROL_OR_WIDE.test(content)) {
      this.#traits |= WIDE;
      return !CONTROLS.test(content);
    }
    return true;
  }

  /**
   * Returns the scalar of a token without escapes, like `inlineScalar` but faster. `content` is the text between its
   * quotes.
   */
  #unescapedScalar(start: number, content: string): string {
    const traits = this.#traits;
    if (traits & WIDE) return inlineScalar(content);
    const isPlain =
      OPENS_PLAIN[content.charCodeAt(0)] === 1 &&
      content.charCodeAt(content.length - 1) !== SPACE &&
      (!(traits & COLON_OR_HASH) || (!content.includes(': ') && !content.includes(' #') && !content.endsWith(':'))) &&
      !isReserved(content);
    return isPlain ? content : this.#text.slice(start, start + content.length + 2);
  }

  #literal(): boolean {
    const start = this.#at;
    this.#at = literalEnd(this.#text, start);
    if (this.#at < 0) return false;
    this.yaml += this.#text.slice(start, this.#at);
    return true;
  }
}

/** Maximum distance in which YAML readers search for the colon of a key. */
const YAML_KEY_LENGTH_MAX = 1000;
const LONGEST_ESCAPE = 6;

/** Returns the string of a token. Undefined: it has invalid escapes or a lone surrogate. */
function unescaped(token: string): string | undefined {
  try {
    const value: string = JSON.parse(token);
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
}
