import type { Channel } from '../../channel/channel.ts';
import type { WireFrame } from '../../channel/frame.ts';
import { relayChannels, type Tap } from '../../channel/relay-channels.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Parent } from '../../transports/stdio/parent-process.ts';
import type { StdioRecorder } from './stdio-recorder.ts';

export interface RecordOptions {
  /** Starts the server, or connects to it; `failed` is told where that cannot be. */
  server(failed: (error: McpRecordError) => void): Channel;
  /** The client. */
  parent: Parent;
  /** Makes the recorder; its imports load while the server boots. */
  recorder(): Promise<StdioRecorder>;
  /** Told once if there is no recorder, or it breaks: the session goes on without it. */
  broken(error: unknown): void;
}

/** How the server ended, or why it never began. */
export type RecordEnd = { status: number | string } | { error: McpRecordError };

/** Joins a client to the server that it wanted to start, and records what passes, until the server has ended. */
export function recordStdio({ server, parent, recorder, broken }: RecordOptions): Promise<RecordEnd> {
  return new Promise((resolve) => {
    const failed = (error: McpRecordError) => resolve({ error });
    const child = server(failed);
    const tap = new LateTap(broken);
    let ended = false;
    relayChannels(parent, child, (frame) => {
      // The server has gone: drop the frame.
      if (ended) return;
      ended = frame.kind === 'exit';
      tap.take(frame);
      if (frame.kind === 'exit') void ready.then(() => resolve({ status: frame.status }));
    });
    const ready = recorder()
      .then((made) => tap.connect((frame) => made.tap(frame)))
      .catch((error) => tap.break(error));
  });
}

/** Keeps what passes until somebody listens. A listener that breaks is left alone from then on. */
class LateTap {
  readonly #broken: (error: unknown) => void;
  #early: WireFrame[] = [];
  #tap: Tap | undefined;

  constructor(broken: (error: unknown) => void) {
    this.#broken = broken;
  }

  take(frame: WireFrame): void {
    if (this.#tap === undefined) this.#early.push(frame);
    else {
      try {
        this.#tap(frame);
      } catch (error) {
        this.break(error);
      }
    }
  }

  connect(tap: Tap): void {
    this.#tap = tap;
    const early = this.#early;
    this.#early = [];
    for (const frame of early) this.take(frame);
  }

  break(error: unknown): void {
    this.#tap = () => {};
    this.#early = [];
    this.#broken(error);
  }
}
