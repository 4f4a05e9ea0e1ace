/** Primitives for reading JSON by token. Each takes an offset and returns one. */

/** Maximum nesting depth of JSON. Deeper JSON is kept as a raw line and never walked. */
export const JSON_DEPTH_MAX = 64;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

/** Returns the offset of the first character from `at` on that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  for (;;) {
    const c = text.charCodeAt(at);
    if (c !== SPACE && c !== LF && c !== CR && c !== TAB) return at;
    at++;
  }
}

/** Returns the offset after the string that opens at `at`. -1: the string has no end. Escapes are not checked. */
export function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    const isEscaped = (quote - before) % 2 === 0;
    if (!isEscaped) return quote + 1;
  }
  return -1;
}

const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Returns the offset after the number, `true`, `false` or `null` at `at`. -1: another token stands there. */
export function literalEnd(text: string, at: number): number {
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? LITERAL.lastIndex : -1;
}

/** Returns the offset after the value at `at`. The text must be valid JSON. */
export function valueEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i) - 1;
        if (depth === 0) return i + 1;
        break;
      case 0x7b:
      case 0x5b:
        depth++;
        break;
      case 0x7d:
      case 0x5d:
        if (depth === 0) return i;
        if (--depth === 0) return i + 1;
        break;
      case 0x2c:
      case SPACE:
      case LF:
      case CR:
      case TAB:
        if (depth === 0) return i;
        break;
    }
  }
  return text.length;
}

/** A half-open range of offsets in a text. */
export interface Span {
  start: number;
  end: number;
}

/** Object keys and array indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** Returns the span of the value at `path`. The text must be valid JSON. Undefined: there is no such value. */
export function locate(text: string, path: JsonPath): Span | undefined {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const found = typeof step === 'number' ? element(text, at, step) : member(text, at, step);
    if (found === undefined) return undefined;
    at = found;
  }
  return { start: at, end: valueEnd(text, at) };
}

/**
 * Returns the span of the message's id, which must exist. A single key `id` without escapes is found without scanning
 * the preceding text.
 */
export function locateId(text: string): Span | undefined {
  const at = text.indexOf(ID_KEY);
  if (at < 0 || text.includes(ID_KEY, at + 1) || text.includes('\\u')) return locate(text, ['id']);
  const start = skipSpace(text, skipSpace(text, at + ID_KEY.length) + 1);
  return { start, end: valueEnd(text, start) };
}

const ID_KEY = '"id"';

function member(text: string, at: number, key: string): number | undefined {
  if (text[at] !== '{') return undefined;
  let found: number | undefined;
  for (at = skipSpace(text, at + 1); text[at] === '"'; at = skipSpace(text, at + 1)) {
    const keyEnd = stringEnd(text, at);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    // A repeated key: `JSON.parse` keeps the last value.
    if (isKey(text, at, keyEnd, key)) found = value;
    at = skipSpace(text, valueEnd(text, value));
  }
  return found;
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  const token = text.slice(start, end);
  return (token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)) === key;
}

function element(text: string, at: number, index: number): number | undefined {
  let n = 0;
  for (const { start } of elements(text, at)) if (n++ === index) return start;
  return undefined;
}

/** Returns the spans of the elements of a JSON array, in one pass. Any other text gives no spans. */
export function elementsIn(text: string): Span[] {
  return [...elements(text, skipSpace(text, 0))];
}

function* elements(text: string, at: number): Generator<Span> {
  if (text[at] !== '[') return;
  let start = skipSpace(text, at + 1);
  if (text[start] === ']') return;
  for (;;) {
    const end = valueEnd(text, start);
    yield { start, end };
    const after = skipSpace(text, end);
    if (text[after] !== ',') return;
    start = skipSpace(text, after + 1);
  }
}

/** A member of a JSON object: its key, and the span of its value. */
export interface JsonMember extends Span {
  key: string;
}

/** Returns the members of a JSON object, in order. Any other text gives none. The text must be valid JSON. */
export function membersIn(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  const start = skipSpace(text, 0);
  if (text[start] !== '{') return members;
  for (let at = skipSpace(text, start + 1); text[at] === '"'; ) {
    const keyEnd = stringEnd(text, at);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, value);
    members.push({ key: JSON.parse(text.slice(at, keyEnd)), start: value, end });
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return members;
}
