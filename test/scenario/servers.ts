import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Cassette, CassetteEvent } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../src/replay/http/http-mock-handler.ts';
import { writeSeparateChunk } from '../../src/transports/http/http1/write-separate-chunk.ts';
import { listen } from '../../src/transports/http/server/http-listener.ts';
import { Wire } from '../transports/http/wire.ts';
import { Later } from './later.ts';

/** How a server answers: with a body, or with events. */
export type Form = 'json' | 'sse';

export const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":1}}}';
export const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
export const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"text":"é"}}';

/** A request, and all that a server says to it: as a body, the last of that. Nothing: it is silent. */
export interface Exchange {
  asked: string;
  says: readonly string[];
}

const CALLS: readonly Exchange[] = [{ asked: CALL, says: [PROGRESS, ANSWER] }];

/** A server of the test. */
export interface Far extends AsyncDisposable {
  origin: string;
}

/** One that tells what it has heard. */
export interface Hearing extends Far {
  heard: string[];
  /** Waits until it has heard so many. */
  hearing(count: number): Promise<void>;
}

/** A server that the test speaks for, connection by connection. */
export async function rawServer(): Promise<Far & { wire(): Promise<Wire> }> {
  const wires = new Later<Wire>();
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => wires.add(new Wire(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let next = 0;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wire: async () => (await wires.having(++next))[next - 1]!,
    [Symbol.asyncDispose]: async () => {
      for (const wire of wires.all) wire.socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a server that knows these exchanges, or the one call. */
export type Start = (form: Form, exchanges?: readonly Exchange[]) => Promise<Hearing>;

/** A live server: what it does not know it takes for the first that it does. It hears, too, who leaves it without an answer. */
export const liveServer: Start = (form, exchanges = CALLS) => {
  const heard = new Later<string>();
  return serving(heard, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    heard.add(`${request.method} ${body}`.trim());
    response.once('close', () => response.writableFinished || heard.add('left'));
    response.sendDate = false;
    if (!body.includes('"id"')) return void response.writeHead(202).end();
    const known = exchanges.find(({ asked }) => subject(asked) === subject(body)) ?? exchanges[0];
    answer(
      response,
      form,
      (known?.says ?? []).map((text) => text.replace('"id":1', `"id":${idOf(body)}`)),
    );
  });
};

const idOf = (body: string) => /"id":(\d+)/.exec(body)?.[1];

/** What a request asks for. */
function subject(text: string): string {
  const { method, params } = JSON.parse(text) as { method?: string; params?: { name?: string } };
  return `${method} ${params?.name}`;
}

function answer(response: ServerResponse, form: Form, says: readonly string[]): void {
  const last = says.at(-1);
  if (last === undefined) return;
  if (form === 'json') {
    const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(last) };
    return void response.writeHead(200, head).end(last);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of says.slice(0, -1)) writeSeparateChunk(response, `data: ${text}\n\n`);
  response.end(`data: ${last}\n\n`);
}

async function serving(heard: Later<string>, handle: RequestListener): Promise<Hearing> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...told(heard),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function told(heard: Later<string>): Pick<Hearing, 'heard' | 'hearing'> {
  return { heard: heard.all, hearing: async (count) => void (await heard.having(count)) };
}

/** The same server from a cassette. */
export const replayedServer: Start = async (form, exchanges = CALLS) => {
  const events: CassetteEvent[] = exchanges
    .flatMap((exchange, index) => recorded(exchange, form, index + 1))
    .map((frame, index) => ({ frame, line: index + 1 }));
  const cassette: Cassette = {
    file: 'cassette.yaml',
    header: { format: 'mcp-record/1', recorder: 'mcp-record 0.0.0', transport: 'http' },
    events,
    warnings: [],
  };
  const server = new HttpMockHandler({
    cassettes: [httpCassette(cassette)],
    clock: systemClock,
    report: () => {},
    newSession: () => 'session',
  });
  const heard = new Later<string>();
  const listener = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    allowed: [],
    bodyMax: 1_000_000,
    serve: (asked, answering) => {
      heard.add(`${asked.method} ${asked.body}`.trim());
      const left = server.serve(asked, answering);
      return () => {
        heard.add('left');
        left();
      };
    },
  });
  return {
    origin: new URL(listener.url).origin,
    ...told(heard),
    [Symbol.asyncDispose]: () => listener.close(),
  };
};

function recorded({ asked, says }: Exchange, form: Form, stream: number): Frame[] {
  const said = (from: 'client' | 'server', text: string): Frame => ({
    kind: 'message',
    at: 0,
    from,
    stream,
    json: new JsonText(text),
    ...(form === 'sse' && from === 'server' && { sse: {} }),
  });
  const heard = form === 'sse' ? says : says.slice(-1);
  return [said('client', asked), ...heard.map((text) => said('server', text))];
}
