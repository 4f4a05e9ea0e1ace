import type { Channel } from '../channel/channel.ts';
import type { BytesFrame, CloseFrame, LineFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';

/** What the starter of a server process calls back. */
export interface StartListener {
  /** Called if it cannot be started. */
  failed(error: McpRecordError): void;
  /** Called when it has ended. Other processes may still hold its output. */
  exited(): void;
}

/** Starts a server process. */
export type StartServer = (listener: StartListener) => Channel;

/** What happens to a server process. Nothing does after `ended` or `failed`. */
export interface ServerProcessListener {
  /** A line of its standard output. */
  line(line: LineFrame): void;
  stderr(frame: BytesFrame): void;
  outputClosed(frame: CloseFrame): void;
  ended(status: number | string): void;
  failed(error: McpRecordError): void;
  /** The process has ended. Other processes may still hold its output. */
  exited(): void;
}

/** Waits while a server is stopped (Lifecycle, "Shutdown"): from the end of its input to SIGTERM, and then to SIGKILL. */
const INPUT_PATIENCE: Milliseconds = 500;
const SIGTERM_PATIENCE: Milliseconds = 2_000;

/** One process of a server that is restarted. */
export class ServerProcess {
  readonly #clock: Clock;
  readonly #channel: Channel;
  readonly #lines: LineDecoder;
  #listener: ServerProcessListener | undefined;
  #cancel: Cancel = () => {};

  constructor(start: StartServer, clock: Clock, listener: ServerProcessListener) {
    this.#clock = clock;
    this.#listener = listener;
    this.#lines = new LineDecoder({ from: 'server', on: 'protocol', line: (line) => this.#listener?.line(line) });
    this.#channel = start({
      failed: (error) => this.#leave()?.failed(error),
      exited: () => this.#listener?.exited(),
    });
  }

  /** Starts the delivery of its output. */
  listen(): void {
    this.#channel.listen((frame) => this.#take(frame));
  }

  /** Sends bytes. False: the process does not read them. */
  write(data: Uint8Array): boolean {
    return this.#channel.send({ kind: 'bytes', at: this.#clock.now(), from: 'client', on: 'protocol', data });
  }

  /** Passes on the end of the input, or a signal. */
  send(frame: WireFrame): void {
    this.#channel.send(frame);
  }

  /** Ends the process, as clients do (Lifecycle, "Shutdown"). */
  stop(): void {
    this.send({ kind: 'close', at: this.#clock.now(), from: 'client' });
    this.#cancel();
    this.#cancel = this.#clock.after(INPUT_PATIENCE, () => {
      this.#signal('SIGTERM');
      this.#cancel = this.#clock.after(SIGTERM_PATIENCE, () => this.kill());
    });
  }

  /** Kills the process, and those that hold its output. */
  kill(): void {
    if (this.#listener) this.#signal('SIGKILL');
  }

  drained(stream: OutputStream, resume: () => void): void {
    this.#channel.drained(stream, resume);
  }

  pause(stream: OutputStream): void {
    this.#channel.pause(stream);
  }

  resume(stream: OutputStream): void {
    this.#channel.resume(stream);
  }

  #take(frame: WireFrame): void {
    if (frame.kind === 'bytes' && frame.on === 'protocol') this.#lines.write(frame.data, frame.at);
    else if (frame.kind === 'bytes') this.#listener?.stderr(frame);
    else if (frame.kind === 'close') {
      this.#lines.end(frame.at);
      this.#listener?.outputClosed(frame);
    } else if (frame.kind === 'exit') this.#leave()?.ended(frame.status);
  }

  #signal(signal: string): void {
    this.send({ kind: 'signal', at: this.#clock.now(), from: 'client', signal });
  }

  #leave(): ServerProcessListener | undefined {
    const listener = this.#listener;
    this.#cancel();
    this.#listener = undefined;
    return listener;
  }
}
