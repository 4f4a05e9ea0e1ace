import { type Bytes, latin1Text, unsetBytes, utf8Length, utf8Text, writeUtf8 } from '../../../kernel/platform/bytes.ts';

/** Size of the first buffer: a cassette of one test has short texts. */
const FIRST_BYTES = 4 * 1024;
/** Largest size of a buffer that is kept between texts. A longer text gets a temporary one. */
const KEPT_BYTES = 64 * 1024;

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
export const BYTES_A_CHARACTER_MAX = 3;

/** Maximum length of a text that is copied into the buffer. Longer ones are concatenated. */
const COPIED_LENGTH_MAX = 1024;

const QUOTE = 0x22;

/** JSON text built byte by byte. Joining and flattening many small strings would cost several times as much. */
export class JsonBytes {
  /** Output buffer. Some methods replace it, so read this member again after each call. */
  bytes: Bytes = unsetBytes(FIRST_BYTES);
  length = 0;
  /** Text before the buffered bytes. */
  #before = '';
  #isAscii = true;

  /** Returns the complete text, and clears the buffer. */
  take(): string {
    const text = this.#before + this.#decoded();
    this.clear();
    return text;
  }

  /** Whether the text is pure ASCII. */
  get isAscii(): boolean {
    return this.#isAscii;
  }

  clear(): void {
    if (this.bytes.length > KEPT_BYTES) this.bytes = unsetBytes(KEPT_BYTES);
    this.length = 0;
    this.#before = '';
    this.#isAscii = true;
  }

  /** Reserves space for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = unsetBytes(Math.max(2 * this.bytes.length, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  byte(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Appends the ASCII bytes of `source` from `start` to `end`. */
  ascii(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.length;
    for (let from = start; from < end; from++) bytes[to++] = source[from]!;
    this.length = to;
  }

  /** Appends ASCII bytes in quotes. */
  quoted(source: Uint8Array, start: number, end: number): void {
    this.byte(QUOTE);
    this.ascii(source, start, end);
    this.byte(QUOTE);
  }

  text(text: string): void {
    if (text.length > COPIED_LENGTH_MAX) {
      this.#before += this.#decoded() + text;
      this.length = 0;
      this.#isAscii &&= utf8Length(text) === text.length;
      return;
    }
    this.reserve(BYTES_A_CHARACTER_MAX * text.length);
    const count = writeUtf8(this.bytes, text, this.length);
    this.length += count;
    if (count !== text.length) this.#isAscii = false;
  }

  /** Records that bytes beyond ASCII were appended. */
  beyondAscii(): void {
    this.#isAscii = false;
  }

  #decoded(): string {
    return this.#isAscii ? latin1Text(this.bytes, 0, this.length) : utf8Text(this.bytes, 0, this.length);
  }
}
