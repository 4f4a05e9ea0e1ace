import type { LineFrame } from '../../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import type { CassetteWriter } from '../writer/cassette-writer.ts';
import type { LockHolder, WriteLock } from './write-lock.ts';

/** From so many characters, or bytes, on a line takes long to be written. */
export const DEFERRED_LENGTH_MIN: number = 256 * 1024;

/** So long whoever heard such a line may take to answer it before it is written. */
const PATIENCE: Milliseconds = 5;

/**
 * Writes a line that takes long: as soon as anything else is said, which is forwarded first and finds it written, or when nobody has said
 * anything for a while. So nobody waits for it.
 */
export class DeferredLongLine implements LockHolder {
  readonly #writer: CassetteWriter;
  readonly #turns: WriteLock;
  readonly #clock: Clock;
  #frame: LineFrame | undefined;
  #cancel: Cancel = () => {};

  constructor(writer: CassetteWriter, turns: WriteLock, clock: Clock) {
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
