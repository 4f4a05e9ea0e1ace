import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireMessage } from '../../e2e/session/peer.ts';

/** A request as the server has got it. */
export interface Got {
  method: string;
  session: string | undefined;
  headers: IncomingMessage['headers'];
  message: WireMessage;
}

const told = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } },
  serverInfo: { name: 'scripted', version: '1' },
};

/** A server over HTTP that keeps its sessions in memory, loses them when it is killed, and counts them from one. */
export class ScriptedServer implements AsyncDisposable {
  port = 0;
  readonly got: Got[] = [];
  /** Open streams of clients that listen, by session. */
  readonly streams = new Map<string, ServerResponse>();
  /** What tools do. Others say their name. */
  readonly tools: Record<string, (id: unknown, response: ServerResponse) => void> = {
    waits: (_, response) => stream(response, { 'x-begun': 'yes' }).write(event({ method: 'notifications/progress' })),
  };
  /** Status for a session that it does not know. */
  unknown = 404;
  /** Answers a request in its own way. Returns whether it has. */
  before: (got: Got, response: ServerResponse) => boolean = () => false;
  sessions = new Set<string>();
  #count = 0;
  #server: Server | undefined;

  async start(): Promise<this> {
    this.sessions = new Set();
    this.#count = 0;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.streams.clear();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  /** Names of the tools that were called, in order. */
  calls(): unknown[] {
    return this.got.filter(({ message }) => message.method === 'tools/call').map(({ message }) => message.params?.name);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const session = request.headers['mcp-session-id'] as string | undefined;
    const message: WireMessage = body === '' ? {} : JSON.parse(body);
    const got = { method: request.method!, session, headers: request.headers, message };
    this.got.push(got);
    if (this.before(got, response)) return;
    if (message.method === 'initialize') {
      const id = String(++this.#count);
      this.sessions.add(id);
      return void answer(response, { id: message.id, result: told }, { 'mcp-session-id': id });
    }
    if (!this.sessions.has(session ?? '')) {
      const error = { id: null, error: { code: -32001, message: 'Session not found' } };
      return void answer(response, error, {}, this.unknown);
    }
    if (got.method === 'DELETE') {
      this.sessions.delete(session!);
      this.streams.get(session!)?.end();
      return void response.end();
    }
    if (got.method === 'GET') return void this.streams.set(session!, stream(response, { 'mcp-session-id': session! }));
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    if (message.method !== 'tools/call') return void answer(response, { id: message.id, result: {} });
    const tool = this.tools[String(message.params?.name)];
    if (tool) return tool(message.id, response);
    answer(
      response,
      { id: message.id, result: { said: message.params?.name, by: session } },
      { 'mcp-session-id': session! },
    );
  }
}

export function event(message: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}

export function stream(response: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
  return response;
}

export function answer(response: ServerResponse, message: object, headers = {}, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}
