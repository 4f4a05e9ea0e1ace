import type { Channel } from '../channel/channel.ts';
import type { Side } from '../channel/frame.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { openSession, type Session, type SessionOptions, type SessionOutcome } from '../modes/session.ts';
import { JsonText } from '../protocol/json-text.ts';
import { fellShort } from './fell-short.ts';

export { type RecordedTransport, type RecordTransportOptions, recordTransport } from './record-transport.ts';

/**
 * A transport by its structure: what clients of `@modelcontextprotocol/sdk` 1.x and `@modelcontextprotocol/client` 2.x
 * connect to. Their own message types differ, hence `any`; further arguments of `send` mean nothing here.
 */
export interface SdkTransport {
  start(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: each SDK has message types of its own
  send(message: any, ...options: any[]): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each SDK has message types of its own
  onmessage?: ((message: any, extra?: any) => void) | undefined;
}

/** The client's end of a session as a transport. */
export function sessionTransport({ channel }: Pick<Session, 'channel'>): SdkTransport {
  return new ChannelTransport(channel, 'client');
}

/** The server's end of a channel as a transport: what servers of `@modelcontextprotocol/sdk` and `/server` connect to. */
export function serverTransport(channel: Channel): SdkTransport {
  return new ChannelTransport(channel, 'server');
}

export interface ReplayTransport extends SdkTransport {
  /** How the session went, once it was closed. */
  outcome: Promise<SessionOutcome>;
}

/**
 * The recorded server of a cassette, in this process, for one client. A request that the tape does not have is answered
 * with an error at once, and said to `onerror` when the session is closed.
 * @throws McpRecordError on `start`, as `openSession`
 */
export function replayTransport(
  cassette: string,
  options: Omit<SessionOptions, 'cassette' | 'mode' | 'server'> = {},
): ReplayTransport {
  return new Replay({ ...options, cassette, mode: 'replay' });
}

class ChannelTransport implements SdkTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly #channel: Channel;
  readonly #side: Side;
  #closed = false;

  constructor(channel: Channel, side: Side) {
    this.#channel = channel;
    this.#side = side;
  }

  async start(): Promise<void> {
    this.#channel.listen((frame) => {
      if (frame.kind === 'message') this.onmessage?.(JSON.parse(frame.json.text));
      if (frame.kind === 'close' || frame.kind === 'exit') this.#end();
    });
  }

  async send(message: unknown): Promise<void> {
    if (this.#closed) throw notConnected();
    this.#channel.send({
      kind: 'message',
      at: 0,
      from: this.#side,
      json: new JsonText(JSON.stringify(message)),
    });
  }

  async close(): Promise<void> {
    if (!this.#closed) this.#channel.send({ kind: 'close', at: 0, from: this.#side });
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

class Replay implements ReplayTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly outcome: Promise<SessionOutcome>;
  readonly #options: SessionOptions;
  #session: Session | undefined;
  #inner: SdkTransport | undefined;
  #settle: (outcome: SessionOutcome) => void = () => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async start(): Promise<void> {
    this.#session = await openSession(this.#options);
    this.#inner = sessionTransport(this.#session);
    this.#inner.onmessage = (message) => this.onmessage?.(message);
    this.#inner.onclose = () => this.onclose?.();
    await this.#inner.start();
  }

  send(message: unknown): Promise<void> {
    return this.#inner?.send(message) ?? Promise.reject(notConnected());
  }

  async close(): Promise<void> {
    await this.#inner?.close();
    const outcome = await this.#session?.finish({ passed: true });
    if (outcome === undefined) return;
    if (outcome.failed) this.onerror?.(fellShort(this.#options.cassette, outcome));
    this.#settle(outcome);
  }
}

function notConnected(): McpRecordError {
  return new McpRecordError({
    code: 'TRANSPORT_NOT_CONNECTED',
    what: 'Cannot send a message',
    why: 'the transport is not started, or the session has ended',
    next: 'Connect the client first, and send nothing after it was closed.',
  });
}
