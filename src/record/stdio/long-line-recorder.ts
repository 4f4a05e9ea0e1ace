import { StringDecoder } from 'node:string_decoder';
import { bytesClosing, bytesOpening } from '../../cassette/write/format-event.ts';
import type { OutputStream, Side } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { LongLine } from '../../transports/stdio/line-decoder.ts';
import type { CassetteWriter } from '../writer/cassette-writer.ts';
import { BoundedByteQueue } from './bounded-byte-queue.ts';
import type { CassetteWriterMutex, WriterTurn } from './cassette-writer-mutex.ts';
import { LongLineRedaction } from './redact-long-line.ts';

export interface LongLineOptions {
  from: Side;
  on: OutputStream;
  writer: CassetteWriter;
  turns: CassetteWriterMutex;
  clock: Clock;
  /** Maximum number of bytes that wait to be written. */
  behindBytesMax?: number | undefined;
}

const BEHIND_BYTES_MAX = 8 * 1024 * 1024;

/** Size of one write. */
const PIECE_BYTES = 64 * 1024;

/**
 * Recorder of a line too long for memory, as base64 in pieces. Writing lags behind forwarding. After the end of the
 * line, each turn of the event loop writes one piece. A later frame is forwarded first, then the rest of the line is
 * written before that frame.
 */
export class LongLineRecorder implements LongLine, WriterTurn {
  readonly #options: LongLineOptions;
  readonly #redaction: LongLineRedaction | undefined;
  readonly #base64 = new StringDecoder('base64');
  /** Bytes of the line that wait to be written. */
  readonly #behind: BoundedByteQueue;
  /** Time and kind of the line's end. Undefined: the line continues. */
  #ended: { at: Milliseconds; partial: boolean } | undefined;
  #isCatchingUp = false;

  constructor(options: LongLineOptions) {
    const { redactor } = options.writer;
    this.#options = options;
    this.#redaction = redactor && new LongLineRedaction(redactor);
    this.#behind = new BoundedByteQueue(options.behindBytesMax ?? BEHIND_BYTES_MAX);
  }

  open(): void {
    const { turns, writer, from, on } = this.#options;
    turns.take(this, () => {
      turns.hold(this);
      writer.add(bytesOpening(from, on));
    });
  }

  piece(data: Uint8Array): void {
    const { turns } = this.#options;
    if (turns.isFree(this)) return this.#add(data);
    const copy = Uint8Array.from(data);
    turns.take(this, () => this.#add(copy));
  }

  close(end: { at: Milliseconds; partial: boolean }): void {
    const { turns } = this.#options;
    turns.take(this, () => {
      this.#ended = end;
      if (turns.isAwaited) this.hurry();
      else this.#catchUp();
    });
  }

  hurry(): void {
    if (this.#ended === undefined) return;
    while (this.#behind.length > 0) this.#writeNext();
    this.#end(this.#ended);
  }

  /** Writes one piece per turn of the event loop, after forwarding. At most one such task is pending. */
  #catchUp(): void {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    this.#options.clock.endOfTurn(() => {
      this.#isCatchingUp = false;
      if (this.#ended === undefined) return;
      if (this.#behind.length === 0) return this.#end(this.#ended);
      this.#writeNext();
      this.#catchUp();
    });
  }

  #add(data: Uint8Array): void {
    for (let from = 0; from < data.length; ) {
      const added = this.#behind.add(data.subarray(from));
      if (added === 0) this.#writeNext();
      from += added;
    }
  }

  #writeNext(): void {
    const { writer } = this.#options;
    const data = this.#behind.take(PIECE_BYTES);
    writer.attempt(() => writer.add(this.#base64.write(this.#redaction?.add(data) ?? data)));
  }

  #end({ at, partial }: { at: Milliseconds; partial: boolean }): void {
    const { turns, writer } = this.#options;
    this.#ended = undefined;
    writer.attempt(() => {
      const after = writer.gap(at);
      if (this.#redaction) writer.add(this.#base64.write(this.#redaction.end()));
      writer.add(
        this.#base64.end() + bytesClosing({ ...(after !== undefined && { after }), ...(partial && { partial }) }),
      );
    });
    turns.release();
  }
}
