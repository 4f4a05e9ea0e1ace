import type { LineFrame } from '../../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import type { CassetteWriter } from '../writer/cassette-writer.ts';
import type { CassetteWriterMutex, WriterTurn } from './cassette-writer-mutex.ts';

/** Minimum length of a line whose writing is deferred, because it takes long. */
export const DEFERRED_LENGTH_MIN: number = 256 * 1024;

/** Maximum delay of the writing, so that the receiver can answer the line first. */
const PATIENCE: Milliseconds = 5;

/**
 * Deferred writing of a long line, which keeps other messages from waiting. The line is written after the next frame
 * was forwarded, but before that frame is recorded; without a further frame, after a short delay.
 */
export class DeferredLongLine implements WriterTurn {
  readonly #writer: CassetteWriter;
  readonly #turns: CassetteWriterMutex;
  readonly #clock: Clock;
  #frame: LineFrame | undefined;
  #cancel: Cancel = () => {};

  constructor(writer: CassetteWriter, turns: CassetteWriterMutex, clock: Clock) {
    this.#writer = writer;
    this.#turns = turns;
    this.#clock = clock;
  }

  write(frame: LineFrame): void {
    this.#turns.take(this, () => {
      this.#turns.hold(this);
      this.#frame = frame;
      this.#cancel = this.#clock.after(PATIENCE, () => this.hurry());
    });
  }

  hurry(): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    this.#cancel();
    this.#frame = undefined;
    this.#writer.write(frame);
    this.#turns.release();
  }
}
