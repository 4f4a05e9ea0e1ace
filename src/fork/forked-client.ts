import type { Channel } from '../channel/channel.ts';
import type { Frame, MessageFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import type { Clock } from '../kernel/clock.ts';
import { isRequest } from '../protocol/message.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { lineChannel } from '../transports/stdio/line-channel.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';
import type { TakingOverClient } from './client-taking-over.ts';

export interface ForkedClientOptions {
  /** Channel to the live client. */
  parent: Parent;
  /** The live client before the prefix is played. */
  probing: TakingOverClient;
  clock: Clock;
  /** Called when the live client sends a signal while the prefix is played. The server has got the signal. */
  signalled(): void;
}

/**
 * The client of one server: a recorded one, and after it a live one on the same connection. The recorded client begins
 * when the live client does, which then waits and is not read. Some clients start a process of their own to ask for the
 * server's revision: their `server/discover` passes, and nothing is played. Standard error always goes to the live client.
 */
export class ForkedClient implements Parent {
  /** The server, as the recorded client sees it. Resolves when the live client has sent its first message. */
  readonly server: Promise<Channel>;
  readonly #parent: Parent;
  readonly #clock: Clock;
  readonly #signalled: () => void;
  readonly #lines: Channel;
  readonly #decoder: LineDecoder;
  #connected: (server: Channel) => void = () => {};
  /** Sends a frame to the server. */
  #send: (frame: WireFrame) => void = () => {};
  /** Takes a frame of the server for the recorded client. */
  #hear: (frame: WireFrame) => void = () => {};
  /** Undefined while the recorded client plays. */
  #live: TakingOverClient | undefined;
  #isPlayed = false;
  /** Messages of the server after the recorded client has left. Undefined: it has not. */
  #late: Frame[] | undefined;
  /** Frames that the live client sent before it was paused. */
  readonly #early: Frame[] = [];
  /** Whether the live client has read what was sent to it last. */
  #isReading = true;

  constructor({ parent, probing, clock, signalled }: ForkedClientOptions) {
    this.#parent = parent;
    this.#live = probing;
    this.#clock = clock;
    this.#signalled = signalled;
    this.#lines = lineChannel(parent, 'client', clock);
    this.#decoder = new LineDecoder({
      from: 'server',
      on: 'protocol',
      line: (line) => this.#fromServer(lineToMessage(line)),
    });
    this.server = new Promise((resolve) => {
      this.#connected = resolve;
    });
  }

  /** Ends the recorded client. What the server says from now on waits for the live one. */
  leave(): void {
    this.#late = [];
  }

  /** Lets the live client take over. */
  handOver(live: TakingOverClient): void {
    this.#live = live;
    this.#hear = () => {};
    for (const frame of this.#late ?? []) this.#fromServer(frame);
    for (const frame of this.#early.splice(0)) this.#fromClient(frame);
    this.#parent.resume('protocol');
  }

  listen(receive: (frame: WireFrame) => void): void {
    this.#send = receive;
    this.#lines.listen((frame) => this.#fromClient(frame as Frame));
  }

  send(frame: WireFrame): boolean {
    if (frame.kind === 'bytes' && frame.on === 'protocol') {
      this.#isReading = true;
      this.#decoder.write(frame.data, frame.at);
      return this.#isReading;
    }
    if (frame.kind === 'close') this.#decoder.end(frame.at);
    this.#hear(frame);
    return this.#parent.send(frame);
  }

  drained(stream: OutputStream, resume: () => void): void {
    this.#parent.drained(stream, resume);
  }

  pause(stream: OutputStream): void {
    this.#parent.pause(stream);
  }

  resume(stream: OutputStream): void {
    if (this.#live) this.#parent.resume(stream);
  }

  flushed(done: () => void): void {
    this.#parent.flushed(done);
  }

  #play(): void {
    this.#isPlayed = true;
    this.#live = undefined;
    this.#parent.pause('protocol');
    this.#connected({
      listen: (hear) => {
        this.#hear = hear;
      },
      send: (frame) => {
        this.#send(frame);
        return true;
      },
      drained: (_stream, resume) => resume(),
      pause() {},
      resume() {},
    });
  }

  #fromClient(frame: Frame): void {
    if (!this.#isPlayed && frame.kind === 'message' && !isProbe(frame)) this.#play();
    if (this.#live === undefined) {
      if (frame.kind !== 'signal') return void this.#early.push(frame);
      this.#send(frame);
      return this.#signalled();
    }
    const { server, client } = this.#live.fromClient(frame);
    for (const one of client) this.#tell(one);
    for (const one of server) this.#send(this.#bytesOf(one, 'client') ?? one);
  }

  #fromServer(frame: Frame): void {
    if (this.#live === undefined) {
      if (this.#late) return void this.#late.push(frame);
      return this.#hear(this.#bytesOf(frame, 'server')!);
    }
    for (const one of this.#live.fromServer(frame)) this.#tell(one);
  }

  #tell(frame: Frame): void {
    if (!this.#lines.send(frame)) this.#isReading = false;
  }

  #bytesOf(frame: Frame, from: 'client' | 'server'): WireFrame | undefined {
    const data = encodeLine(frame);
    return data && { kind: 'bytes', at: this.#clock.now(), from, on: 'protocol', data };
  }
}

function isProbe({ json: { value } }: MessageFrame): boolean {
  return isRequest(value) && value.method === 'server/discover';
}
