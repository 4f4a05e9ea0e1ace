/** A JSON-RPC message as a client library hands it over. */
export interface WireMessage {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Ask for progress, so that the library sends a token. */
  progress?: boolean;
}

export interface PeerOptions {
  /** The folders the client offers to the server. */
  roots?: { uri: string; name: string }[];
}

/** A connected client of any library, reduced to what a session needs of it. */
export interface Peer {
  /** What `initialize` (or the discovery that stands for it) told the client. */
  opened: { server: unknown; capabilities: unknown; instructions: unknown };
  /** @throws what the library throws, for an error answer too. */
  request(method: string, params?: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  notify(method: string, params?: Record<string, unknown>): Promise<void>;
  heard: Heard;
  close(): Promise<void>;
}

/** What both SDK generations ask of a transport. */
export interface TransportLike {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** What the server said of its own accord: its notifications and requests, in order of arrival. */
export class Heard {
  readonly messages: WireMessage[] = [];
  readonly #abandoned = new Set<unknown>();
  #watchers: { wanted: (message: WireMessage) => boolean; found: (message: WireMessage) => void }[] = [];

  add(message: WireMessage): void {
    if (message.method === undefined || this.#abandoned.has(message.params?.progressToken)) return;
    this.messages.push(message);
    this.#watchers = this.#watchers.filter(({ wanted, found }) => {
      const isIt = wanted(message);
      if (isIt) found(message);
      return !isIt;
    });
  }

  /** The next message that is `wanted`, from now on. */
  next(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    return new Promise((found) => this.#watchers.push({ wanted, found }));
  }

  /**
   * The next report of progress, and the last of its call to be noted: the caller is about to cancel. What a server
   * that goes on reports then, and how much of it a client sees, is nobody's promise.
   */
  async lastProgress(): Promise<void> {
    await this.next(({ method, params }) => {
      const isProgress = method === 'notifications/progress';
      if (isProgress) this.#abandoned.add(params?.progressToken);
      return isProgress;
    });
  }
}

/**
 * Listens in on a transport: the SDKs hand each message to the receiver that they find there, too. Their callbacks are no
 * witness: they drop a progress notification that arrives in one chunk with the answer after it, with or without anybody
 * in between.
 */
export function overhear<T extends TransportLike>(transport: T, heard: Heard): T {
  transport.onmessage = (message) => heard.add(message);
  return transport;
}
