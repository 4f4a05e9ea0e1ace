// Fast path. Duplicates: `CassetteWriter` with `eventText` of cassette/write. Handles: messages in plain ASCII without a possible secret.
// Gain: docs/decisions/0008-what-recording-costs.md; `npm run bench -- stdio` prints it. Equality test: test/record/writer/fast-message-writer.test.ts.

import type { Bytes } from '../../cassette/write/cassette-file.ts';
import { FastJsonToYaml } from '../../cassette/write/fast-json-to-yaml.ts';
import { COMMIT, KEY_COLUMN, siblings } from '../../cassette/write/format-event.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { CassetteWriter } from './cassette-writer.ts';

const plainJson = new FastJsonToYaml();
const NOTHING = new Uint8Array(0);
const KEYS: Record<Side, Uint8Array> = { client: Buffer.from('client:'), server: Buffer.from('server:') };

/**
 * Fast writer of messages from bytes to the cassette, without strings. It takes ASCII messages without a possible
 * secret, which most are. The cassette has the same content as with the slow path.
 */
export class FastMessageWriter implements Bytes {
  readonly #key: Uint8Array;
  readonly #writer: CassetteWriter;
  readonly #beside: string;
  /** Text after a message without a delay. */
  readonly #end: string;
  #bytes: Uint8Array = NOTHING;
  /** Offset of the next line. */
  #start = 0;
  #at: Milliseconds = 0;
  #takesMore = false;

  /** Creates a writer. `beside` contains the YAML lines that every event of this writer repeats, such as its stream. */
  constructor(from: Side, writer: CassetteWriter, beside = '') {
    this.#key = KEYS[from];
    this.#writer = writer;
    this.#beside = beside;
    this.#end = beside + COMMIT;
  }

  /**
   * Writes the line at `start`. Returns the offset of its newline, which ends `bytes`. -1: the slow path has to write
   * it.
   */
  take(bytes: Uint8Array, start: number, at: Milliseconds): number {
    this.#takesMore = false;
    return this.#takeFrom(bytes, start, at);
  }

  /**
   * Writes the line at `start` and following lines, until one needs the slow path. Returns the offset of the last
   * written line's newline. -1: none was written.
   */
  takeAll(bytes: Uint8Array, start: number, at: Milliseconds): number {
    this.#takesMore = true;
    return this.#takeFrom(bytes, start, at);
  }

  #takeFrom(bytes: Uint8Array, start: number, at: Milliseconds): number {
    this.#bytes = bytes;
    this.#start = start;
    this.#at = at;
    return this.#writer.addBytes(this, at) ? this.#start - 1 : -1;
  }

  write(buffer: Uint8Array, at: number): number {
    let end = -1;
    for (let next = at; ; ) {
      next = this.#writeLine(buffer, next);
      if (next < 0) return end;
      end = next;
      this.#start = plainJson.end + 1;
      if (!this.#takesMore || this.#start >= this.#bytes.length) return end;
    }
  }

  #writeLine(buffer: Uint8Array, at: number): number {
    const after = at + this.#key.length;
    const end = plainJson.write(this.#bytes, this.#start, buffer, after, KEY_COLUMN);
    if (end < 0 || !this.#isClean()) return -1;
    for (let i = 0; i < this.#key.length; i++) buffer[at + i] = this.#key[i]!;
    return this.#close(buffer, end);
  }

  #isClean(): boolean {
    const { redactor } = this.#writer;
    return redactor === undefined || redactor.isClean(this.#bytes, this.#start, plainJson.end);
  }

  #close(buffer: Uint8Array, at: number): number {
    const gap = this.#writer.gap(this.#at);
    const text = gap === undefined ? this.#end : this.#beside + siblings(gap, false) + COMMIT;
    for (let i = 0; i < text.length; i++) buffer[at + i] = text.charCodeAt(i);
    return at + text.length;
  }
}
