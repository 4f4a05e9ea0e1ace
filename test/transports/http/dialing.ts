import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from '../../../src/channel/frame.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { McpRecordError } from '../../../src/kernel/errors.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { McpHttpClient, type McpHttpClientOptions } from '../../../src/transports/http/client/mcp-http-client.ts';
import type { ServerEvent } from '../../../src/transports/http/client/server-event.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';

/** One request as the server has it: answered by the test. */
export interface Arrived {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The body, parsed. */
  message: { id?: number; method?: string } | undefined;
  response: ServerResponse;
  /** Answers with one JSON text. */
  answers(body: unknown, headers?: Record<string, string>, status?: number): void;
  /** Answers with a status and a text. */
  refuses(status: number, text?: string, headers?: Record<string, string>): void;
  accepts(): void;
  /** Says events, as they stand on the wire, on a stream that stays open. */
  streams(...events: string[]): Arrived;
  /** Ends its stream. */
  ends(): void;
  /** Resets its connection. */
  breaks(): void;
  /** The client has gone away from it. */
  left: Promise<void>;
}

export const data = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

/** A list that a test takes from, and waits for. */
class Queue<Item> {
  readonly #items: Item[] = [];
  readonly #waiting: ((item: Item) => void)[] = [];

  put(item: Item): void {
    const next = this.#waiting.shift();
    if (next) next(item);
    else this.#items.push(item);
  }

  take(): Promise<Item> {
    const item = this.#items.shift();
    return item === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(item);
  }

  get size(): number {
    return this.#items.length;
  }
}

/** A clock on which nothing is ever late. */
export const patientClock: Clock = { ...systemClock, after: () => () => {} };

/** A clock on which everything is soon, and that tells how long it would have been. */
export function hastyClock(waited: number[] = []): Clock {
  return {
    ...systemClock,
    after(delay, task) {
      waited.push(delay);
      const soon = setImmediate(task);
      return () => clearImmediate(soon);
    },
  };
}

export interface DialingOptions extends Partial<McpHttpClientOptions> {
  /** Where the dialer is sent; absent: to the server of the test. */
  url?: string;
}

/** A server that the test speaks for. */
export async function serving() {
  const arrived = new Queue<Arrived>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrived.put(arrival(request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    /** The next request that it gets. */
    arrives: () => arrived.take(),
    /** How many requests have come that the test has not taken. */
    untaken: () => arrived.size,
    /** Takes no more connections. */
    stops: () => void server.close(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client, and a server that the test speaks for. */
export async function dialing(options: DialingOptions = {}) {
  const far = await serving();
  const { port, arrives } = far;
  const told = new Queue<ServerEvent>();
  const failures = new Queue<McpRecordError>();
  const { url = far.url, ...rest } = options;
  const dialer = new McpHttpClient({
    upstream: parseUpstream(url),
    clock: patientClock,
    patience: 10_000,
    failed: (error) => failures.put(error),
    ...rest,
  });
  dialer.listen((one) => told.put(one));
  return {
    dialer,
    port,
    arrives,
    says(message: unknown, stream?: number, headers?: Record<string, string>) {
      const frame = {
        kind: 'message',
        at: 0,
        from: 'client',
        json: new JsonText(JSON.stringify(message)),
      } as const;
      dialer.send({ ...frame, ...(stream !== undefined && { stream }), ...(headers && { headers }) });
    },
    sends: (frame: Partial<Frame>) => dialer.send({ at: 0, from: 'client', ...frame } as Frame),
    /** What the client hears next: a message parsed, or another frame; and which requests that leaves unanswered. */
    async hears(): Promise<unknown> {
      const { frame, unanswered } = await told.take();
      const { at: _at, from: _from, ...what } = frame;
      const said = what.kind === 'message' ? { ...what, kind: undefined, json: what.json.value } : what;
      return JSON.parse(JSON.stringify(unanswered.length > 0 ? { ...said, unanswered } : said));
    },
    fails: async () => (await failures.take()).code,
    unheard: () => told.size,
    untaken: far.untaken,
    async [Symbol.asyncDispose]() {
      dialer.end();
      await far[Symbol.asyncDispose]();
    },
  };
}

function arrival(request: IncomingMessage, response: ServerResponse, body: string): Arrived {
  const { method = '', url: path = '', headers } = request;
  const one: Arrived = {
    method,
    path,
    headers,
    message: body === '' ? undefined : JSON.parse(body),
    response,
    answers: (answer, more = {}, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(answer)),
    refuses: (status, text = '', more = {}) => void response.writeHead(status, more).end(text),
    accepts: () => void response.writeHead(202).end(),
    streams(...events) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      for (const event of events) response.write(event);
      return one;
    },
    ends: () => void response.end(),
    breaks: () => void request.socket.resetAndDestroy(),
    left: once(response, 'close').then(() => {}),
  };
  return one;
}
