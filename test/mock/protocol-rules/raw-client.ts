import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Handler, mockServer } from '../../../src/adapters/mock.ts';
import type { FaultRule } from '../../../src/modes/faulty-channel.ts';
import type { Params } from '../../../src/protocol/message.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';

/** Headers of a request. Undefined: the header is left out. */
type Headers = Record<string, string | undefined>;
export type Over = 'memory' | 'stdio' | 'http';

/** A message of the server. */
export interface Said {
  id?: unknown;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { code: number; message: string };
}

/** A client without a library: it sends what the test writes, and says what comes. */
export interface RawClient {
  send(message: object, headers?: Headers): Promise<void>;
  /** Resolves with the next message of the server. */
  next(): Promise<Said>;
  /** Sends a request, and resolves with the next message of the server. */
  ask(message: object, headers?: Headers): Promise<Said>;
  /** Ends client and server. Returns the failures. */
  end(): Promise<readonly Finding[]>;
  server: { notify(method: string, params?: Params): void; request(method: string, params?: Params): Promise<unknown> };
}

/** Options of the mock server. */
export interface RawOptions {
  handlers?: readonly Handler[];
  capabilities?: Record<string, unknown>;
  faults?: readonly FaultRule[];
}

/** Messages in the order in which they came. */
class Inbox {
  readonly #come: Said[] = [];
  readonly #awaited: ((message: Said) => void)[] = [];

  add(message: Said): void {
    const taker = this.#awaited.shift();
    if (taker) taker(message);
    else this.#come.push(message);
  }

  next(): Promise<Said> {
    const message = this.#come.shift();
    return message ? Promise.resolve(message) : new Promise((taker) => this.#awaited.push(taker));
  }
}

/** Connects a raw client to a mock server. */
export async function rawClient(over: Over, options: RawOptions): Promise<RawClient> {
  const inbox = new Inbox();
  const { send, close, server } = await CONNECT[over](options, inbox);
  return {
    server,
    send,
    next: () => inbox.next(),
    async ask(message, headers) {
      await send(message, headers);
      return inbox.next();
    },
    async end() {
      await close();
      return (await server.finish()).failures;
    },
  };
}

const CONNECT = {
  async memory(options: RawOptions, inbox: Inbox) {
    const server = await mockServer(options);
    const { transport } = server;
    transport.onmessage = (message) => inbox.add(message as Said);
    await transport.start();
    return { server, send: (message: object) => transport.send(message as never), close: () => transport.close() };
  },
  async stdio(options: RawOptions, inbox: Inbox) {
    const server = await mockServer({ ...options, over: 'stdio' });
    const { stdin, stdout, process } = ran(server.command, server.args);
    createInterface(stdout).on('line', (line) => inbox.add(JSON.parse(line)));
    const ended = new Promise<void>((resolve) => process.once('close', () => resolve()));
    return {
      server,
      send: async (message: object) => void stdin.write(`${JSON.stringify(message)}\n`),
      close() {
        stdin.end();
        return ended;
      },
    };
  },
  async http(options: RawOptions, inbox: Inbox) {
    const server = await mockServer({ ...options, over: 'http' });
    let session: Record<string, string> = {};
    const send = async (message: object, more: Headers = {}) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const body = JSON.stringify(message);
      const all = Object.entries({ ...headers, ...session, ...more }).filter(([, value]) => value !== undefined);
      const response = await fetch(server.url, { method: 'POST', headers: all as [string, string][], body });
      const id = response.headers.get('mcp-session-id');
      if (id !== null) session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
      if (response.headers.get('content-type') !== 'text/event-stream') {
        const text = await response.text();
        if (text !== '') inbox.add(JSON.parse(text));
      } else void readEvents(response, inbox);
    };
    return { server, send, close: async () => {} };
  },
};

function ran(command: string, args: readonly string[]) {
  const process = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  return { process, stdin: process.stdin, stdout: process.stdout };
}

async function readEvents(response: Response, inbox: Inbox): Promise<void> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data !== undefined) inbox.add(JSON.parse(data));
    }
  }
}
