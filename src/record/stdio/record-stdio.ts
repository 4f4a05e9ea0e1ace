import type { Channel } from '../../channel/channel.ts';
import type { WireFrame } from '../../channel/frame.ts';
import { relayChannels, type Tap, type TapOrder } from '../../channel/relay-channels.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Parent } from '../../transports/stdio/parent-process.ts';
import type { StdioRecorder } from './stdio-recorder.ts';

export interface RecordOptions {
  /** Starts the server, or connects to it; `failed` is told where that cannot be. */
  server(failed: (error: McpRecordError) => void): Channel;
  /** The client. */
  parent: Parent;
  /** Makes the recorder; its imports load while the server boots, or before that with `tap-first`. */
  recorder(): Promise<StdioRecorder>;
  /**
   * With `tap-first`, a message is in the cassette before the other side hears it. Windows, where a client ends its server
   * without a signal, has that by default: a client that does so on the last answer would lose that.
   */
  order?: TapOrder;
  /** Told once if there is no recorder, or it breaks: the session goes on without it. */
  broken(error: unknown): void;
}

/** How the server ended, or why it never began. */
export type RecordEnd = { status: number | string } | { error: McpRecordError };

/** Joins a client to the server that it wanted to start, and records what passes, until the server has ended. */
export async function recordStdio(options: RecordOptions): Promise<RecordEnd> {
  const { server, parent, recorder, broken, order = ORDER } = options;
  const tap = new LateTap(broken);
  const load = () =>
    recorder()
      .then((made) => tap.connect(order === 'tap-first' ? writingAtOnce(made) : (frame) => made.tap(frame)))
      .catch((error) => tap.break(error));
  if (order === 'tap-first') await load();
  return new Promise((resolve) => {
    const child = server((error) => resolve({ error }));
    let ended = false;
    const take = (frame: WireFrame) => {
      // The server has gone: drop the frame.
      if (ended) return;
      ended = frame.kind === 'exit';
      tap.take(frame);
      if (frame.kind === 'exit') void ready.then(() => resolve({ status: frame.status }));
    };
    relayChannels(parent, child, take, order);
    const ready = order === 'tap-first' ? Promise.resolve() : load();
  });
}

const ORDER: TapOrder = process.platform === 'win32' ? 'tap-first' : 'forward-first';

function writingAtOnce(recorder: StdioRecorder): Tap {
  return (frame) => {
    recorder.tap(frame);
    recorder.flush();
  };
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
