import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { bodyOf, listenOn } from '../wire/http-common.ts';
import { type Exchange, JSON_TYPE, SSE_TYPE, type StreamEvent } from './exchange.ts';

/** A server that answers by a script. */
export interface Answering {
  url: string;
  /** What it was asked, in order, with those of the headers that the script has. */
  asked: Pick<Exchange, 'method' | 'headers' | 'body'>[];
  /** Resolves when the client of `exchange` has closed its connection. */
  left(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

/** Answers each request as the first exchange that is like it, and was not had yet, says. */
export async function answering(script: readonly Exchange[]): Promise<Answering> {
  const waiting = new Set(script);
  const asked: Answering['asked'] = [];
  const leave = new Map<Exchange, () => void>();
  const left = new Map(
    script.map((exchange) => [exchange, new Promise<void>((resolve) => void leave.set(exchange, resolve))]),
  );

  const listener = await listenOn(async (request, response) => {
    const text = await bodyOf(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const exchange = [...waiting].find((one) => isLike(one, request, body));
    if (exchange === undefined) {
      asked.push({ method: request.method!, headers: request.headers as Exchange['headers'], body });
      return void response.writeHead(500).end();
    }
    waiting.delete(exchange);
    asked.push({ ...said(exchange), headers: headersOf(request, exchange.headers) });
    response.once('close', leave.get(exchange)!);
    answer(exchange, response);
  });
  return {
    url: `${listener.origin}/mcp`,
    asked,
    left: (exchange) => left.get(exchange)!,
    close: () => listener.close(),
  };
}

/** A request as the script has it. */
export const said = ({ method, headers, body }: Exchange): Answering['asked'][number] => ({
  method,
  headers,
  body,
});

/** Where the script has these, they tell one exchange from another. */
const TELLING = ['last-event-id', 'mcp-session-id', 'authorization'];

function isLike(one: Exchange, { method, headers }: IncomingMessage, body: unknown): boolean {
  const isSame = (name: string) => [undefined, headers[name] ?? ''].includes(one.headers[name]);
  return one.method === method && isDeepStrictEqual(one.body, body) && TELLING.every(isSame);
}

function headersOf({ headers }: IncomingMessage, wanted: Exchange['headers']): Exchange['headers'] {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, String(headers[name] ?? '')]));
}

function answer({ answer: told, leaves }: Exchange, response: ServerResponse): void {
  const { status, body, events, ending } = told;
  const headers = Object.fromEntries(Object.entries(told.headers ?? {}).filter(([, value]) => value));
  if (events === undefined) {
    const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': JSON_TYPE };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return void response.writeHead(status, { ...type, ...headers }).end(text);
  }
  response.writeHead(status, { 'content-type': SSE_TYPE, ...headers }).flushHeaders();
  if (events.length > 0) response.write(events.map(textOf).join(''));
  if (ending === 'breaks') response.write(': ', () => response.destroy());
  else if (ending === undefined && !leaves) response.end();
}

function textOf({ id, retry, data }: StreamEvent): string {
  const fields = [
    id === undefined ? '' : `id: ${id}\n`,
    retry === undefined ? '' : `retry: ${retry}\n`,
    `data: ${data === undefined ? '' : JSON.stringify(data)}\n`,
  ];
  return `${fields.join('')}\n`;
}
