import type { Channel } from '../../channel/channel.ts';
import type { WireFrame } from '../../channel/frame.ts';
import { relayChannels, type Tap, type TapOrder } from '../../channel/relay-channels.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';
import type { StdioRecorder } from './stdio-recorder.ts';

export interface RecordOptions {
  /** Starts the server, or connects to it. Calls `failed` if that is impossible. */
  server(failed: (error: McpRecordError) => void): Channel;
  /** Channel to the client. */
  parent: Parent;
  /** Creates the recorder. Its imports load while the server starts; with `tap-first`, before that. */
  recorder(): Promise<StdioRecorder>;
  /**
   * Order of recording and forwarding. With `tap-first`, each message is recorded before the other side receives it.
   * That is the default on Windows, where clients end their servers without a signal: the last response could otherwise
   * be lost.
   */
  order?: TapOrder;
  /** Called once if creating or running the recorder fails. The session continues unrecorded. */
  broken(error: unknown): void;
}

/** End of the server, or the error that prevented its start. */
export type RecordEnd = { status: number | string } | { error: McpRecordError };

/** Starts a server for a client, forwards their frames and records them, until the server ends. */
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
      // Frames after the exit of the server are dropped.
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

/** Tap that buffers frames until it is connected. After an error it ignores all frames. */
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
