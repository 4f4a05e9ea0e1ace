import type { Channel } from '../../channel/channel.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Session } from '../../modes/open-session.ts';
import { JsonText } from '../../protocol/json-text.ts';

/**
 * The structure of a transport, as clients of `@modelcontextprotocol/sdk` 1.x and `@modelcontextprotocol/client` 2.x
 * use it. Their message types differ, hence `any`. Further arguments of `send` are ignored.
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

/** Returns the client's end of a session as a transport. */
export function sessionTransport({ channel }: Pick<Session, 'channel'>): SdkTransport {
  return new ChannelTransport(channel, 'client');
}

/** Returns the server's end of a channel as a transport, for servers of `@modelcontextprotocol/sdk` and `/server`. */
export function serverTransport(channel: Channel): SdkTransport {
  return new ChannelTransport(channel, 'server');
}

class ChannelTransport implements SdkTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly #channel: Channel;
  readonly #side: Side;
  #closed = false;
  #isStarted = false;

  constructor(channel: Channel, side: Side) {
    this.#channel = channel;
    this.#side = side;
  }

  async start(): Promise<void> {
    if (this.#isStarted) throw alreadyConnected();
    this.#isStarted = true;
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

function alreadyConnected(): McpRecordError {
  return new McpRecordError({
    code: 'TRANSPORT_IN_USE',
    what: 'Cannot connect to a transport a second time',
    why: 'it is one connection, of one client or server',
    next: "For several clients of a mock server, start it with over: 'http' or over: 'stdio'. After reset() it has a new transport.",
  });
}

/** Returns the error for a message sent on an unconnected transport. */
export function notConnected(): McpRecordError {
  return new McpRecordError({
    code: 'TRANSPORT_NOT_CONNECTED',
    what: 'Cannot send a message',
    why: 'the transport is not started, or the session has ended',
    next: 'Connect the client first, and send nothing after it was closed.',
  });
}
