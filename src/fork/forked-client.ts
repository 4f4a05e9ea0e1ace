import type { Channel } from '../channel/channel.ts';
import type { Frame, MessageFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import type { Clock } from '../kernel/clock.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { lineChannel } from '../transports/stdio/line-channel.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';
import type { TakingOverClient } from './client-taking-over.ts';
import type { PrefixServer } from './prefix-server.ts';

export interface ForkedClientOptions {
  /** Channel to the live client. */
  parent: Parent;
  /** The live client before the prefix is played. */
  probing: TakingOverClient;
  /**
   * Recorded server that answers the live client until the fork. Absent: the live client waits for the recorded client.
   */
  past?: PrefixServer | undefined;
  clock: Clock;
  /** Called when the live client leaves, or sends a signal, before it takes over. The server has got the same. */
  left(): void;
}

/**
 * The client of one server: a recorded one, and after it a live one on the same connection. The recorded client begins
 * when the live client does, which then waits and is not read. Some clients start a process of their own to ask for the
 * server's revision: their `server/discover` passes, and nothing is played. Standard error always goes to the live client.
 *
 * With a `past`, the live client does not wait: the recorded server answers it until it comes to the fork.
 */
export class ForkedClient implements Parent {
  /** The server, as the recorded client sees it. Resolves when the live client has sent its first message. */
  readonly server: Promise<Channel>;
  readonly #parent: Parent;
  readonly #clock: Clock;
  readonly #left: () => void;
  readonly #past: PrefixServer | undefined;
  readonly #lines: Channel;
  readonly #decoder: LineDecoder;
  #connected: (server: Channel) => void = () => {};
  /** Frames for a server that is not started yet. */
  readonly #unsent: WireFrame[] = [];
  /** Sends a frame to the server. */
  #send: (frame: WireFrame) => void = (frame) => void this.#unsent.push(frame);
  /** Takes a frame of the server for the recorded client. */
  #hear: (frame: WireFrame) => void = () => {};
  /** Undefined while the recorded client plays. */
  #live: TakingOverClient | undefined;
  #isPlayed = false;
  /** Server messages after the end of the recorded client. Undefined: the recorded client still runs. */
  #late: Frame[] | undefined;
  /** Frames that the live client sent before it was paused. */
  readonly #early: Frame[] = [];
  /** Whether the live client accepted the latest write without backpressure. */
  #isReading = true;
  /** Live client that takes over at the fork. */
  #next: TakingOverClient | undefined;

  constructor({ parent, probing, past, clock, left }: ForkedClientOptions) {
    this.#parent = parent;
    this.#past = past;
    this.#live = past ? undefined : probing;
    this.#clock = clock;
    this.#left = left;
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

  /** Lets the recorded server answer the live client. Called before the live server is started. */
  begin(past: PrefixServer): void {
    past.begin({
      tell: (frame) => this.#tell(frame),
      arrived: () => this.#next && this.handOver(this.#next),
    });
    this.#listenToClient();
  }

  /** Whether the live client has begun its session. */
  get hasBegun(): boolean {
    return this.#isPlayed;
  }

  /** Ends the recorded client. Later messages of the server wait for the live client. */
  leave(): void {
    this.#late = [];
  }

  /** Hands the session over to the live client, once the live client has reached the fork. */
  handOver(live: TakingOverClient): void {
    this.#next = live;
    if (this.#past?.hasArrived === false) return;
    this.#live = live;
    this.#hear = () => {};
    for (const frame of this.#late ?? []) this.#fromServer(frame);
    for (const frame of this.#early.splice(0)) this.#fromClient(frame);
    this.#parent.resume('protocol');
  }

  listen(receive: (frame: WireFrame) => void): void {
    this.#send = receive;
    for (const frame of this.#unsent.splice(0)) receive(frame);
    if (!this.#past) this.#listenToClient();
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
    if (this.#live || this.#past) this.#parent.resume(stream);
  }

  flushed(done: () => void): void {
    this.#parent.flushed(done);
  }

  #listenToClient(): void {
    this.#lines.listen((frame) => this.#fromClient(frame as Frame));
  }

  #play(): void {
    this.#isPlayed = true;
    this.#live = undefined;
    if (!this.#past) this.#parent.pause('protocol');
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
    if (this.#live === undefined) return this.#beforeFork(frame);
    const { server, client } = this.#live.fromClient(frame);
    for (const one of client) this.#tell(one);
    for (const one of server) this.#send(this.#bytesOf(one, 'client') ?? one);
  }

  /** Takes a frame of the live client before it takes over. */
  #beforeFork(frame: Frame): void {
    const isBehind = this.#past?.hasArrived === false;
    if (frame.kind === 'signal' || (frame.kind === 'close' && isBehind)) {
      this.#send(frame);
      return this.#left();
    }
    this.#early.push(...(this.#past && isBehind ? this.#past.hear(frame) : [frame]));
    // The client reaches the fork with its last owed message, which may be this message.
    if (this.#live) for (const one of this.#early.splice(0)) this.#fromClient(one);
  }

  #fromServer(frame: Frame): void {
    if (this.#live === undefined) {
      if (this.#late) return this.#whileWaiting(this.#late, frame);
      return this.#hear(this.#bytesOf(frame, 'server')!);
    }
    for (const one of this.#live.fromServer(frame)) this.#tell(one);
  }

  /** Takes a frame of the server while no client is with it. A ping is answered: the live client may take long. */
  #whileWaiting(late: Frame[], frame: Frame): void {
    const isPing = frame.kind === 'message' && isRequest(frame.json.value) && frame.json.value.method === 'ping';
    if (!isPing) return void late.push(frame);
    const json = new JsonText(`{"jsonrpc":"2.0","id":${scalarKeyAt(frame.json, ['id'])},"result":{}}`);
    this.#send(this.#bytesOf({ kind: 'message', at: frame.at, from: 'client', json }, 'client')!);
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
