// Fast path. Duplicates: `scalar` of ./yaml-scalar.ts. Handles: texts of several lines in printable ASCII.
// Gain: docs/decisions/0008-what-recording-costs.md; `npm run bench -- stdio` prints it. Equality test: test/cassette/write/fast-block-literal.test.ts.

const TAB = 0x09;
const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;

/** Meaning of a byte in a JSON string. */
const PLAIN = 0;
const ENDS = 1;
const ESCAPES = 2;
const OTHER = 3;

const MEANS = new Uint8Array(256).fill(OTHER);
MEANS.fill(PLAIN, 0x20, 0x7f);
MEANS[QUOTE] = ENDS;
MEANS[0x5c] = ESCAPES;

/** Character of each escape letter; 0 for an unusual escape. */
const ESCAPED = new Uint8Array(256);
for (const [letter, character] of ['""', '\\\\', '//', 'n\n', 't\t'])
  ESCAPED[letter!.charCodeAt(0)] = character!.charCodeAt(0);

/** Length of one read. A multi-line text has a line break within the first read. */
const SOURCE_LENGTH = 8_192;
const source = new Uint8Array(SOURCE_LENGTH);
const target: Buffer = Buffer.allocUnsafeSlow(4 * SOURCE_LENGTH);
const encoder = new TextEncoder();

/** JSON string as YAML, with the offset after its closing quote. */
export interface FastBlockLiteral {
  yaml: string;
  end: number;
}

/**
 * Converts the JSON string at `start` to the literal block that `scalar` writes for a key or dash at `column`, in a
 * third of the time. Undefined: the string needs another form, or contains more than printable ASCII and the usual
 * escapes.
 */
export function fastBlockLiteral(json: string, start: number, column: number): FastBlockLiteral | undefined {
  const block = new Block(column + 2);
  for (let at = start + 1; ; ) {
    const { written: length } = encoder.encodeInto(json.slice(at, at + SOURCE_LENGTH), source);
    const taken = block.take(length);
    if (taken < 0) return undefined;
    if (taken < length && source[taken] === QUOTE) {
      const yaml = block.end();
      return yaml === undefined ? undefined : { yaml, end: at + taken + 1 };
    }
    if (taken === 0 || !block.hasLines) return undefined;
    at += taken;
  }
}

/** Literal block under construction. */
class Block {
  /** Whether a line break was written. */
  hasLines = false;
  readonly #indentation: number;
  #text = '';
  /** Pending line breaks, written before the next character, because an empty line has no indentation. */
  #breaks = 1;
  #opensBlank: boolean | undefined;

  constructor(indentation: number) {
    this.#indentation = indentation;
    target[0] = 0;
  }

  /**
   * Takes the first `length` bytes of the source. Returns the offset where it stopped: at the closing quote, or before
   * an incomplete escape. -1: a byte does not fit a literal block.
   */
  take(length: number): number {
    let to = 1;
    let at = 0;
    for (; at < length; at++) {
      let c = source[at]!;
      if (MEANS[c] === ESCAPES) {
        if (at + 1 === length) break;
        c = ESCAPED[source[++at]!]!;
        if (c === LF) {
          if (isBlank(target[to - 1]!)) return -1;
          this.hasLines = true;
          this.#breaks++;
          continue;
        }
        if (c === 0) return -1;
      } else if (MEANS[c] !== PLAIN) {
        if (MEANS[c] === ENDS) break;
        return -1;
      }
      if (this.#breaks > 0) to = this.#line(to, c);
      if (to < 0) return -1;
      target[to++] = c;
      while (at + 1 < length && MEANS[source[at + 1]!] === PLAIN) target[to++] = source[++at]!;
    }
    this.#flush(to);
    return at;
  }

  /** Begins a line with `c`. -1: the buffer cannot hold the pending line breaks. */
  #line(to: number, c: number): number {
    this.#opensBlank ??= isBlank(c);
    const room = this.#breaks + this.#indentation + SOURCE_LENGTH;
    if (to + room > target.length) to = this.#flush(to);
    if (to + room > target.length) return -1;
    for (; this.#breaks > 0; this.#breaks--) target[to++] = LF;
    for (const end = to + this.#indentation; to < end; to++) target[to] = SPACE;
    return to;
  }

  /** Empties the buffer, except for its last byte, which later checks need. */
  #flush(to: number): number {
    this.#text += target.toString('latin1', 1, to);
    target[0] = target[to - 1]!;
    return 1;
  }

  /** Returns the block. Undefined: a block would not keep the text exactly. */
  end(): string | undefined {
    const isTidy = this.hasLines && this.#opensBlank !== undefined && this.#breaks < 2 && !isBlank(target[0]!);
    return isTidy ? `|${this.#opensBlank ? '2' : ''}${this.#breaks === 0 ? '-' : ''}${this.#text}` : undefined;
  }
}

function isBlank(c: number): boolean {
  return c === SPACE || c === TAB;
}
