import type { Channel } from '../channel/channel.ts';
import type { BytesFrame, CloseFrame, LineFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';

/** Callbacks for the start and the exit of a server process. */
export interface StartListener {
  /** Called if the process cannot be started. */
  failed(error: McpRecordError): void;
  /** Called when the process has ended. Child processes may still hold its output open. */
  exited(): void;
}

/** Starts a server process. */
export type StartServer = (listener: StartListener) => Channel;

/** Events of a server process. No event follows `ended` or `failed`. */
export interface ServerProcessListener {
  /** A line of its standard output. */
  line(line: LineFrame): void;
  stderr(frame: BytesFrame): void;
  outputClosed(frame: CloseFrame): void;
  ended(status: number | string): void;
  failed(error: McpRecordError): void;
  /** The process has ended. Child processes may still hold its output open. */
  exited(): void;
}

/**
 * Grace periods of a shutdown (Lifecycle, "Shutdown"): from the end of input to SIGTERM, and from SIGTERM to SIGKILL.
 */
const INPUT_PATIENCE: Milliseconds = 500;
const SIGTERM_PATIENCE: Milliseconds = 2_000;

/** Single process of a server that may be restarted. */
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

  /** Starts the delivery of the process's output. */
  listen(): void {
    this.#channel.listen((frame) => this.#take(frame));
  }

  /** Sends bytes. False: the process does not read them. */
  write(data: Uint8Array): boolean {
    return this.#channel.send({ kind: 'bytes', at: this.#clock.now(), from: 'client', on: 'protocol', data });
  }

  /** Sends the end of the input, or a signal, to the process. */
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

  /** Kills the process and every child process that holds its output. */
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
