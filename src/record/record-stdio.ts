import type { WireFrame } from '../channel/frame.ts';
import { relay, type Tap } from '../channel/relay.ts';
import type { Clock } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { startChild } from '../transports/stdio/child.ts';
import type { Parent } from '../transports/stdio/parent.ts';
import type { Recorder } from './recorder.ts';

export interface RecordOptions {
  command: readonly string[];
  /** The client. */
  parent: Parent;
  clock: Clock;
  /** Makes the recorder; its imports load while the server boots. */
  recorder(): Promise<Recorder>;
}

/** How the server ended, or why it never began. */
export type RecordEnd = { status: number | string } | { error: McpRecordError };

/** Joins a client to the server that it wanted to start, and records what passes, until the server has ended. */
export function recordStdio({ command, parent, clock, recorder }: RecordOptions): Promise<RecordEnd> {
  return new Promise((resolve, reject) => {
    const failed = (error: McpRecordError) => resolve({ error });
    const child = startChild({ command, clock, failed });
    const tap = new LateTap();
    relay(parent, child, (frame) => {
      tap.take(frame);
      if (frame.kind === 'exit') void ready.then(() => resolve({ status: frame.status }));
    });
    const ready = recorder().then((made) => tap.connect((frame) => made.tap(frame)));
    ready.catch(reject);
  });
}

/** Keeps what passes until somebody listens. */
class LateTap {
  #early: WireFrame[] = [];
  #tap: Tap | undefined;

  take(frame: WireFrame): void {
    if (this.#tap) this.#tap(frame);
    else this.#early.push(frame);
  }

  connect(tap: Tap): void {
    this.#tap = tap;
    for (const frame of this.#early) tap(frame);
    this.#early = [];
  }
}
