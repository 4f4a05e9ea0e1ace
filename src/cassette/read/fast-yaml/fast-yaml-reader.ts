// Fast path. Duplicates: `yamlMapping` of ../yaml/full-yaml-reader.ts. Handles: YAML that a recorder wrote; any other text goes to the `yaml` package.
// Gain: docs/decisions/0013-where-a-replay-starts.md; `npm run bench -- cassette` prints it. Equality test: test/cassette/read/fast-yaml/fast-yaml-reader.test.ts.

import {
  type Bytes,
  indexOfBytes,
  unsetBytes,
  utf8BytesOf,
  utf8Length,
  utf8Text,
} from '../../../kernel/platform/bytes.ts';
import { JSON_DEPTH_MAX } from '../../../protocol/json-scan.ts';
import { DuplicateKeys } from '../duplicate-keys.ts';
import type { YamlField } from '../yaml/yaml-field.ts';
import { readLiteral } from './block-literal.ts';
import { JsonBytes } from './json-buffer.ts';
import { keyEndOf, keyToJson } from './mapping-key.ts';
import { jsonValueEnd, keyEnd, plainScalarEnd } from './scalar-ends.ts';
import { scalarToJson } from './scalar-to-json.ts';
import { cachedString, textOf } from './string-cache.ts';

/**
 * Parses a mapping in the recorder's layout, skipping comment lines. `column` of its keys: 2 for an event, 0 for the
 * header. Undefined: other layout. All YAML 1.2 readers give the same result for accepted text. `shared`: a reader for
 * many texts, because its buffers take longer to create than an event to read.
 */
export function readFastYaml(text: string, column: number, shared?: FastYamlReader): YamlField[] | undefined {
  if (!text.isWellFormed()) return undefined;
  const bytes = utf8BytesOf(`${text}\n`);
  const reader = shared ?? new FastYamlReader();
  const fields = reader.read(bytes, { start: 0, column });
  return reader.end < bytes.length - 1 ? undefined : fields;
}

/** Position of a mapping in UTF-8 that ends with a line break. */
export interface MappingSpot {
  /** Offset of its first line. */
  start: number;
  /** Column of its keys. */
  column: number;
}

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAPPING = 0x7b;
const PIPE = 0x7c;
const CLOSE_MAPPING = 0x7d;

/**
 * Reader of consecutive mappings, each up to a dash in column 0. `#at`: start of a line's content; `#column`: its
 * column, -1 after the last line. Steps append to `#json`, and return false for text outside the supported subset. One
 * loop reads all lines, because V8 generates several times the code for recursive functions.
 */
export class FastYamlReader {
  /** Offset after the last mapping. */
  end = 0;
  readonly #keys = new DuplicateKeys();
  readonly #json = new JsonBytes();
  #bytes: Bytes = NOTHING;
  #start = 0;
  #length = 0;
  #at = 0;
  #column = -1;
  /** Whether the mapping may have fewer characters than bytes. */
  #isWide = false;
  /** Offset of the last character count, and the number of counted characters. */
  #counted = 0;
  #characters = 0;
  /** Open lists and mappings, innermost last: column of their dashes or keys, closing bytes, key marks. */
  readonly #columns = new Int32Array(JSON_DEPTH_MAX + 1);
  readonly #closings = new Uint8Array(JSON_DEPTH_MAX + 1);
  readonly #marks = new Int32Array(JSON_DEPTH_MAX + 1);
  #depth = 0;
  /** Last key: its start and end (-1: none), and whether its source is valid JSON without quotes. */
  #keyStart = -1;
  #keyStop = -1;
  #isSimpleKey = false;

  read(bytes: Bytes, { start, column }: MappingSpot): YamlField[] | undefined {
    this.#bytes = bytes;
    this.#start = start;
    this.#length = bytes.length - 1;
    this.#isWide = false;
    this.#counted = start;
    this.#characters = 0;
    this.#keyStart = -1;
    this.#keys.clear();
    const fields = this.#fields(column);
    this.#bytes = NOTHING;
    return fields;
  }

  #fields(column: number): YamlField[] | undefined {
    const first = this.#start + column;
    this.#settle(first);
    if (this.#at === first) this.#column = column;
    else if (column > 0) return undefined;
    const fields: YamlField[] = [];
    const mark = this.#keys.open();
    while (this.#column === column) {
      const at = this.#passed();
      const key = this.#key(mark);
      this.#json.clear();
      if (key === undefined || !this.#value(column)) return undefined;
      this.#isWide ||= !this.#json.isAscii;
      fields.push({ key: key.includes('\\') ? JSON.parse(`"${key}"`) : key, json: this.#json.take(), at });
    }
    return this.#isOver() && fields.length > 0 ? fields : undefined;
  }

  /** Returns the number of characters before `#at`. Calls must have ascending offsets. */
  #passed(): number {
    const passed = this.#isWide ? utf8Text(this.#bytes, this.#counted, this.#at).length : this.#at - this.#counted;
    this.#counted = this.#at;
    this.#characters += passed;
    return this.#characters;
  }

  /** Reports whether the mapping ends here: before the next event's dash, or at the text's end. */
  #isOver(): boolean {
    const isNext = this.#column === 0 && this.#isDash();
    if (this.#column >= 0 && !isNext) return false;
    this.end = isNext ? this.#at : this.#length + 1;
    return true;
  }

  /** Reads the value of a key at `column`, after its colon: a scalar, list or mapping. */
  #value(column: number): boolean {
    if (this.#bytes[this.#at] === SPACE) {
      this.#at++;
      return this.#scalar(column);
    }
    this.#depth = 0;
    return this.#opens(column) && this.#lines();
  }

  /** Reads the open list or mapping completely, one element, key or scalar at a time. */
  #lines(): boolean {
    for (;;) {
      const column = this.#columns[this.#depth]!;
      if (this.#closings[this.#depth] === CLOSE_LIST) {
        if (!this.#isDash()) return false;
        this.#at += 2;
        if (this.#isDash() || this.#keyEnd() >= 0) {
          if (!this.#open(column + 2)) return false;
          continue;
        }
      } else {
        if (this.#key(this.#marks[this.#depth]!) === undefined) return false;
        this.#json.byte(COLON);
        if (this.#bytes[this.#at] !== SPACE) {
          if (!this.#opens(column)) return false;
          continue;
        }
        this.#at++;
      }
      if (!this.#scalar(column)) return false;
      while (this.#depth > 0 && this.#column < this.#columns[this.#depth]!) this.#close();
      if (this.#depth === 0) return true;
      if (this.#column !== this.#columns[this.#depth]) return false;
      this.#json.byte(COMMA);
    }
  }

  /** Opens the list or mapping below a key at `column`. */
  #opens(column: number): boolean {
    this.#settle(this.#at + 1);
    return this.#column === column + 2 && this.#open(column + 2);
  }

  #open(column: number): boolean {
    const depth = ++this.#depth;
    if (depth > JSON_DEPTH_MAX) return false;
    const isList = this.#isDash();
    this.#columns[depth] = column;
    this.#closings[depth] = isList ? CLOSE_LIST : CLOSE_MAPPING;
    this.#marks[depth] = this.#keys.open();
    this.#json.byte(isList ? OPEN_LIST : OPEN_MAPPING);
    return true;
  }

  #close(): void {
    this.#json.byte(this.#closings[this.#depth]!);
    this.#keys.close(this.#marks[this.#depth]!);
    this.#depth--;
  }

  #scalar(column: number): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const plainEnd = plainScalarEnd(bytes, start);
    if (plainEnd >= 0 && bytes[plainEnd] === LF) {
      this.#json.quoted(bytes, start, plainEnd);
      this.#settle(plainEnd + 1);
      return true;
    }
    const jsonEnd = jsonValueEnd(bytes, start);
    if (jsonEnd >= 0) {
      this.#json.ascii(bytes, start, jsonEnd);
      this.#settle(jsonEnd + 1);
      return true;
    }
    return bytes[start] === PIPE ? this.#literal(column) : this.#rareScalar();
  }

  #literal(column: number): boolean {
    const bytes = this.#bytes;
    const next = indexOfBytes(bytes, NEXT_EVENT, this.#at);
    const length = next < 0 || next > this.#length ? this.#length : next;
    const end = readLiteral({ bytes, length, at: this.#at, column }, this.#json);
    if (end < 0) return false;
    this.#settle(end);
    return true;
  }

  #rareScalar(): boolean {
    const end = this.#bytes.indexOf(LF, this.#at);
    const json = scalarToJson(textOf(this.#bytes, this.#at, end));
    if (json === undefined) return false;
    this.#json.text(json);
    this.#settle(end + 1);
    return true;
  }

  /** Reads a key with its colon. Returns its JSON text without quotes. Undefined: no key, or a duplicate one. */
  #key(mark: number): string | undefined {
    const start = this.#at;
    const end = this.#keyEnd();
    if (end < 0) return undefined;
    this.#at = end + 1;
    if (!this.#isSimpleKey) return this.#rareKey(start, end, mark);
    const quotes = Number(this.#bytes[start] === QUOTE);
    const key = cachedString(this.#bytes, start + quotes, end - quotes);
    if (!this.#keys.add(key, mark)) return undefined;
    if (quotes === 1) this.#json.ascii(this.#bytes, start, end);
    else this.#json.quoted(this.#bytes, start, end);
    return key;
  }

  #rareKey(start: number, end: number, mark: number): string | undefined {
    this.#isWide = true;
    const key = keyToJson(textOf(this.#bytes, start, end));
    if (key === undefined || !this.#keys.add(key, mark)) return undefined;
    this.#json.text(`"${key}"`);
    return key;
  }

  /** Returns the offset of the key's colon. -1: no key stands here. */
  #keyEnd(): number {
    if (this.#keyStart !== this.#at) {
      this.#keyStart = this.#at;
      const end = keyEnd(this.#bytes, this.#at);
      this.#isSimpleKey = end >= 0;
      this.#keyStop = end >= -1 ? end : this.#rareKeyEnd();
    }
    return this.#keyStop;
  }

  #rareKeyEnd(): number {
    const start = this.#at;
    const line = textOf(this.#bytes, start, this.#bytes.indexOf(LF, start));
    const end = keyEndOf(line);
    return end < 0 ? -1 : start + utf8Length(line.slice(0, end));
  }

  #isDash(): boolean {
    return this.#bytes[this.#at] === DASH && this.#bytes[this.#at + 1] === SPACE;
  }

  /** Skips blank lines and comments from `start` on. */
  #settle(start: number): void {
    const bytes = this.#bytes;
    for (let line = start; line < this.#length; ) {
      let at = line;
      while (bytes[at] === SPACE) at++;
      if (bytes[at] === LF) line = at + 1;
      else if (bytes[at] === HASH) {
        this.#isWide = true;
        line = bytes.indexOf(LF, at) + 1;
      } else {
        this.#at = at;
        this.#column = at - line;
        return;
      }
    }
    this.#column = -1;
  }
}

const NOTHING = unsetBytes(0);
const NEXT_EVENT = utf8BytesOf('\n- ');
