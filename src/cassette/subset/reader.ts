import { JSON_DEPTH_MAX, stringEnd } from '../../protocol/json-scan.ts';
import type { Field } from '../field.ts';
import { isSimpleJson, isSimplePlain } from '../simple.ts';
import { UniqueKeys } from '../unique-keys.ts';
import { readLiteral } from './literal.ts';
import { scalarToJson, singleQuotedEnd } from './scalar.ts';

/**
 * Reads a mapping that our writer wrote. Its first key stands at offset `start`, which is also the column of its keys:
 * 2 after the dash of an event, 0 for the header. Comments on lines of their own are skipped. Undefined: the text is
 * anything else, and another reader has to look at it; what this one accepts, every YAML reader reads the same.
 */
export function readSubset(text: string, start: number): Field[] | undefined {
  return new SubsetReader(text).fields(start);
}

const SPACE = 0x20;
const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;
const PIPE = 0x7c;

/**
 * Stands at `#at`, in a line that ends at `#end` and whose content begins at `#column`: -1 after the last line. Each
 * step adds what it read to `#json` and says whether that was of the subset.
 */
class SubsetReader {
  readonly #text: string;
  readonly #keys = new UniqueKeys();
  #json = '';
  #at = 0;
  #end = 0;
  #column = -1;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fields(column: number): Field[] | undefined {
    this.#settle(column);
    if (this.#at === column) this.#column = column;
    else if (column > 0) return undefined;
    const fields: Field[] = [];
    const mark = this.#keys.open();
    while (this.#column === column) {
      const at = this.#at;
      const key = this.#key(mark);
      this.#json = '';
      if (key === undefined || !this.#value(column)) return undefined;
      fields.push({ key: key.includes('\\') ? JSON.parse(`"${key}"`) : key, json: this.#json, at });
    }
    return this.#column === -1 && fields.length > 0 ? fields : undefined;
  }

  #mapping(column: number): boolean {
    const mark = this.#keys.open();
    let lead = '{"';
    do {
      const key = this.#key(mark);
      if (key === undefined) return false;
      this.#json += lead;
      this.#json += key;
      this.#json += '":';
      if (!this.#value(column)) return false;
      lead = ',"';
    } while (this.#column === column);
    this.#keys.close(mark);
    this.#json += '}';
    return this.#column < column;
  }

  #list(column: number): boolean {
    let lead = '[';
    do {
      if (!this.#isDash()) return false;
      this.#at += 2;
      this.#json += lead;
      if (!this.#element(column)) return false;
      lead = ',';
    } while (this.#column === column);
    this.#json += ']';
    return this.#column < column;
  }

  /** What follows a dash at `column`: a list or mapping that begins on its line, or a scalar. */
  #element(column: number): boolean {
    if (!this.#isDash() && this.#keyEnd() < 0) return this.#scalar(column);
    this.#column = column + 2;
    return this.#nested();
  }

  /** What follows the colon of a key at `column`. */
  #value(column: number): boolean {
    if (this.#at < this.#end) {
      this.#at++;
      return this.#scalar(column);
    }
    this.#settle(this.#end + 1);
    return this.#column === column + 2 && this.#nested();
  }

  #nested(): boolean {
    if (++this.#depth > JSON_DEPTH_MAX) return false;
    const isRead = this.#isDash() ? this.#list(this.#column) : this.#mapping(this.#column);
    this.#depth--;
    return isRead;
  }

  #scalar(column: number): boolean {
    const text = this.#text;
    if (text.charCodeAt(this.#at) === PIPE) {
      const literal = readLiteral(text, this.#at, column);
      if (literal === undefined) return false;
      this.#json += JSON.stringify(literal.value);
      this.#settle(literal.end);
      return true;
    }
    const source = text.slice(this.#at, this.#end);
    if (isSimplePlain(text, this.#at, this.#end)) {
      this.#json += '"';
      this.#json += source;
      this.#json += '"';
    } else {
      const json = isSimpleJson(text, this.#at, this.#end) ? source : scalarToJson(source);
      if (json === undefined) return false;
      this.#json += json;
    }
    this.#settle(this.#end + 1);
    return true;
  }

  /** Passes a key and its colon; gives it as JSON, without the quotes. Undefined: none stands here, or once more. */
  #key(mark: number): string | undefined {
    const start = this.#at;
    const end = this.#keyEnd();
    if (end < 0) return undefined;
    this.#at = end + 1;
    const key = isSimplePlain(this.#text, start, end)
      ? this.#text.slice(start, end)
      : keyToJson(this.#text.slice(start, end));
    return key !== undefined && this.#keys.add(key, mark) ? key : undefined;
  }

  /** The offset of the colon that makes a key of what stands here, or -1. */
  #keyEnd(): number {
    const text = this.#text;
    let end = this.#at;
    if (text[end] === '"') end = stringEnd(text, end);
    else if (text[end] === "'") end = singleQuotedEnd(text, end);
    else while (end < this.#end && !this.#isKeyColon(end)) end++;
    return end >= 0 && end < this.#end && this.#isKeyColon(end) ? end : -1;
  }

  #isKeyColon(at: number): boolean {
    const text = this.#text;
    return text.charCodeAt(at) === COLON && (at + 1 === this.#end || text.charCodeAt(at + 1) === SPACE);
  }

  #isDash(): boolean {
    return this.#text.charCodeAt(this.#at) === DASH && this.#text.charCodeAt(this.#at + 1) === SPACE;
  }

  /** Goes to the first line at or after the offset `start` that is neither blank nor a comment. */
  #settle(start: number): void {
    const text = this.#text;
    for (let lineStart = start; lineStart < text.length; lineStart = this.#end + 1) {
      let at = lineStart;
      while (text.charCodeAt(at) === SPACE) at++;
      const lineBreak = text.indexOf('\n', at);
      this.#at = at;
      this.#end = lineBreak < 0 ? text.length : lineBreak;
      this.#column = at - lineStart;
      if (at < this.#end && text.charCodeAt(at) !== HASH) return;
    }
    this.#column = -1;
  }
}

function keyToJson(source: string): string | undefined {
  const json = scalarToJson(source);
  return json?.startsWith('"') ? json.slice(1, -1) : undefined;
}
