import { JSON_DEPTH_MAX, stringEnd } from '../../protocol/json-scan.ts';
import type { Field } from '../field.ts';
import { simpleJsonEnd, simplePlainEnd } from '../simple.ts';
import { UniqueKeys } from '../unique-keys.ts';
import { BYTES_A_CHARACTER_MAX, JsonBytes } from './json-bytes.ts';
import { readLiteral } from './literal.ts';
import { scalarToJson, singleQuotedEnd } from './scalar.ts';

/**
 * Reads a mapping that our writer wrote. Its first key stands at offset `start`, which is also the column of its keys:
 * 2 after the dash of an event, 0 for the header. Comments on lines of their own are skipped. Undefined: the text is
 * anything else, and another reader has to look at it; what this one accepts, every YAML reader reads the same.
 */
export function readSubset(text: string, start: number): Field[] | undefined {
  return new SubsetReader().read(text, start);
}

const LF = 0x0a;
const SPACE = 0x20;
const HASH = 0x23;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAPPING = 0x7b;
const PIPE = 0x7c;
const CLOSE_MAPPING = 0x7d;

/** What is kept from one text to the next; a longer one has a buffer for itself. */
const KEPT_BYTES = 64 * 1024;

/**
 * Reads one mapping after the other, as `readSubset` does. Stands at `#at`, where the content of a line begins, which is at
 * `#column`: -1 after the last line. Each step adds what it read to `#json` and says whether that was of the subset.
 */
export class SubsetReader {
  readonly #kept = Buffer.allocUnsafe(KEPT_BYTES);
  readonly #keys = new UniqueKeys();
  readonly #json = new JsonBytes();
  #text = '';
  /** The text as UTF-8, and a line break after it. Loops over bytes are several times as fast as over characters. */
  #bytes: Buffer = this.#kept;
  #length = 0;
  #at = 0;
  #column = -1;
  #depth = 0;
  /** The key that was looked for last: where it begins and ends (-1: there is none), and whether all of it is plain. */
  #keyStart = -1;
  #keyStop = -1;
  #isSimpleKey = false;

  read(text: string, start: number): Field[] | undefined {
    const isKept = BYTES_A_CHARACTER_MAX * text.length < KEPT_BYTES;
    this.#text = text;
    this.#bytes = isKept ? this.#kept : Buffer.allocUnsafe(Buffer.byteLength(text) + 1);
    this.#length = this.#bytes.write(text);
    this.#bytes[this.#length] = LF;
    this.#at = -1;
    this.#depth = 0;
    this.#keyStart = -1;
    this.#keys.clear();
    const fields = this.#isAscii || text.isWellFormed() ? this.#fields(start) : undefined;
    this.#text = '';
    this.#bytes = this.#kept;
    return fields;
  }

  #fields(column: number): Field[] | undefined {
    this.#settle(column);
    if (this.#at === column) this.#column = column;
    else if (column > 0) return undefined;
    const fields: Field[] = [];
    const mark = this.#keys.open();
    while (this.#column === column) {
      const at = this.#at;
      const key = this.#key(mark);
      this.#json.clear();
      if (key === undefined || !this.#value(column)) return undefined;
      fields.push({
        key: key.includes('\\') ? JSON.parse(`"${key}"`) : key,
        json: this.#json.take(),
        at: this.#isAscii ? at : this.#slice(0, at).length,
      });
    }
    return this.#column === -1 && fields.length > 0 ? fields : undefined;
  }

  #mapping(column: number): boolean {
    const json = this.#json;
    const mark = this.#keys.open();
    let lead = OPEN_MAPPING;
    do {
      json.byte(lead);
      if (this.#key(mark) === undefined) return false;
      json.byte(COLON);
      if (!this.#value(column)) return false;
      lead = COMMA;
    } while (this.#column === column);
    this.#keys.close(mark);
    json.byte(CLOSE_MAPPING);
    return this.#column < column;
  }

  #list(column: number): boolean {
    let lead = OPEN_LIST;
    do {
      if (!this.#isDash()) return false;
      this.#at += 2;
      this.#json.byte(lead);
      if (!this.#element(column)) return false;
      lead = COMMA;
    } while (this.#column === column);
    this.#json.byte(CLOSE_LIST);
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
    if (this.#bytes[this.#at] === SPACE) {
      this.#at++;
      return this.#scalar(column);
    }
    this.#settle(this.#at + 1);
    return this.#column === column + 2 && this.#nested();
  }

  #nested(): boolean {
    if (++this.#depth > JSON_DEPTH_MAX) return false;
    const isRead = this.#isDash() ? this.#list(this.#column) : this.#mapping(this.#column);
    this.#depth--;
    return isRead;
  }

  #scalar(column: number): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    if (bytes[start] === PIPE) return this.#literal(column);
    const plainEnd = simplePlainEnd(bytes, start);
    if (plainEnd >= 0 && bytes[plainEnd] === LF) {
      this.#json.quoted(bytes, start, plainEnd);
      this.#settle(plainEnd + 1);
      return true;
    }
    const jsonEnd = simpleJsonEnd(bytes, start);
    if (jsonEnd >= 0) {
      this.#json.ascii(bytes, start, jsonEnd);
      this.#settle(jsonEnd + 1);
      return true;
    }
    const end = bytes.indexOf(LF, start);
    const json = scalarToJson(this.#slice(start, end));
    if (json === undefined) return false;
    this.#json.text(json);
    this.#settle(end + 1);
    return true;
  }

  #literal(column: number): boolean {
    const spot = { bytes: this.#bytes, length: this.#length, at: this.#at, column };
    const end = readLiteral(spot, this.#json);
    if (end < 0) return false;
    this.#settle(end);
    return true;
  }

  /** Passes a key and its colon; gives it as JSON, without the quotes. Undefined: none stands here, or once more. */
  #key(mark: number): string | undefined {
    const start = this.#at;
    const end = this.#keyEnd();
    if (end < 0) return undefined;
    this.#at = end + 1;
    const source = this.#slice(start, end);
    const key = this.#isSimpleKey ? source : keyToJson(source);
    if (key === undefined || !this.#keys.add(key, mark)) return undefined;
    if (this.#isSimpleKey) this.#json.quoted(this.#bytes, start, end);
    else this.#json.text(`"${key}"`);
    return key;
  }

  /** The offset of the colon that makes a key of what stands here, or -1. */
  #keyEnd(): number {
    if (this.#keyStart !== this.#at) {
      this.#keyStart = this.#at;
      const end = simplePlainEnd(this.#bytes, this.#at);
      this.#isSimpleKey = end >= 0;
      if (end < 0) this.#keyStop = this.#quotedKeyEnd(this.#at);
      else this.#keyStop = this.#bytes[end] === COLON ? end : -1;
    }
    return this.#keyStop;
  }

  #quotedKeyEnd(start: number): number {
    const line = this.#slice(start, this.#bytes.indexOf(LF, start));
    const end = keyEndOf(line);
    if (end < 0 || !KEY_COLON.test(line.slice(end))) return -1;
    return start + (this.#isAscii ? end : Buffer.byteLength(line.slice(0, end)));
  }

  #isDash(): boolean {
    return this.#bytes[this.#at] === DASH && this.#bytes[this.#at + 1] === SPACE;
  }

  /** Goes to the first line at or after the offset `start` that is neither blank nor a comment. */
  #settle(start: number): void {
    const bytes = this.#bytes;
    for (let line = start; line < this.#length; ) {
      let at = line;
      while (bytes[at] === SPACE) at++;
      if (bytes[at] === LF) line = at + 1;
      else if (bytes[at] === HASH) line = bytes.indexOf(LF, at) + 1;
      else {
        this.#at = at;
        this.#column = at - line;
        return;
      }
    }
    this.#column = -1;
  }

  /** Each character of the text is one byte. */
  get #isAscii(): boolean {
    return this.#length === this.#text.length;
  }

  #slice(start: number, end: number): string {
    return this.#isAscii ? this.#text.slice(start, end) : this.#bytes.toString('utf8', start, end);
  }
}

/** Where the key at the start of a line would end. */
function keyEndOf(line: string): number {
  if (line.startsWith('"')) return stringEnd(line, 0);
  if (line.startsWith("'")) return singleQuotedEnd(line, 0);
  return line.search(/:(?: |$)/);
}

const KEY_COLON = /^:(?: |$)/;

function keyToJson(source: string): string | undefined {
  const json = scalarToJson(source);
  return json?.startsWith('"') ? json.slice(1, -1) : undefined;
}
