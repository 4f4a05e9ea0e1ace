/** Length of the buffer that is kept between texts. A longer text gets one of its own. */
const KEPT_BYTES = 64 * 1024;

/** Of a UTF-16 code unit in UTF-8. */
export const BYTES_A_CHARACTER_MAX = 3;

/** A longer text is not worth a copy. */
const COPIED_LENGTH_MAX = 1024;

const QUOTE = 0x22;

/** JSON text that is put together byte by byte: to join so many small strings, and to flatten them, costs several times as much. */
export class JsonBytes {
  /** Replaced by some method calls: read it again after each. */
  bytes: Buffer = Buffer.allocUnsafe(KEPT_BYTES);
  length = 0;
  /** What stands before the bytes. */
  #before = '';
  #isAscii = true;

  /** Takes out the text that was put together. */
  take(): string {
    const text = this.#before + this.#decoded();
    this.clear();
    return text;
  }

  /** Whether all that was put in is. */
  get isAscii(): boolean {
    return this.#isAscii;
  }

  clear(): void {
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafe(KEPT_BYTES);
    this.length = 0;
    this.#before = '';
    this.#isAscii = true;
  }

  /** Makes room for so many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  byte(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** ASCII of `source`, from `start` up to `end`. */
  ascii(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.length;
    for (let from = start; from < end; from++) bytes[to++] = source[from]!;
    this.length = to;
  }

  /** The same, between quotes. */
  quoted(source: Uint8Array, start: number, end: number): void {
    this.byte(QUOTE);
    this.ascii(source, start, end);
    this.byte(QUOTE);
  }

  text(text: string): void {
    if (text.length > COPIED_LENGTH_MAX) {
      this.#before += this.#decoded() + text;
      this.length = 0;
      this.#isAscii &&= Buffer.byteLength(text) === text.length;
      return;
    }
    this.reserve(BYTES_A_CHARACTER_MAX * text.length);
    const count = this.bytes.write(text, this.length);
    this.length += count;
    if (count !== text.length) this.#isAscii = false;
  }

  /** Bytes were put in that are not ASCII. */
  beyondAscii(): void {
    this.#isAscii = false;
  }

  #decoded(): string {
    return this.bytes.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.length);
  }
}
