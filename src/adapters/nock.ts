import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { CassetteSource } from '../cassette/cassette.ts';
import type { EndpointOptions, FetchEndpoint } from '../mock/endpoint/fetch-endpoint.ts';
import type { Send } from './endpoint/fetch-with-tap.ts';
import { type HandlerEndpointOptions, isCassette, openHandlerEndpoint } from './endpoint/handlers-only-endpoint.ts';
import { openEndpointInMode, type RecordingOptions } from './endpoint/open-endpoint-in-mode.ts';
import { unpooledFetch } from './endpoint/unpooled-fetch.ts';

export type { EndpointOutcome } from '../mock/endpoint/fetch-endpoint.ts';
export type { HandlerEndpointOptions } from './endpoint/handlers-only-endpoint.ts';
export type { EndpointMode } from './endpoint/open-endpoint-in-mode.ts';

/** The used part of nock 14 and 15. */
export type Nock<Scope> = (origin: string, options: { allowUnmocked: boolean }) => Scope;

export interface NockScope {
  persist(): NockScope;
  intercept(path: (uri: string) => boolean, method: string): NockInterceptor;
}

export interface NockInterceptor {
  query(any: true): NockInterceptor;
  reply(answer: NockReply): unknown;
}

export interface NockOptions extends EndpointOptions, RecordingOptions {
  /** Whether the endpoint can reach the real server and record it, depending on the mode. Default: false. */
  record?: boolean;
}

/**
 * A reply function of nock. Version 14 calls it on the interceptor, with path and body; version 15 with a `Request`.
 */
export type NockReply = (
  // biome-ignore lint/suspicious/noExplicitAny: the two versions have nothing in common
  this: any,
  // biome-ignore lint/suspicious/noExplicitAny: the two versions have nothing in common
  ...asked: any[]
) => Promise<[number, Readable | string, Record<string, string>]>;

/** A recorded or recording endpoint behind nock interceptors. */
export interface NockEndpoint<Scope> extends FetchEndpoint {
  /** The nock scope. It persists until `nock.cleanAll()`. */
  scope: Scope;
}

const METHODS = ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'] as const;

/** Set during our own requests to the real server, which nock must not intercept. */
const asking = new AsyncLocalStorage<true>();

/**
 * Answers an MCP endpoint from a cassette: `nockEndpoint(nock, 'https://example.com/mcp', 'cassettes/weather.yaml')`.
 * With `{ record: true }` the first run records it. Options in place of the cassette describe a server without one,
 * whose handlers answer.
 * @throws McpRecordError HANDLER_INVALID, USAGE_UNKNOWN_MODE, MODE_NOT_HERE, MODE_NEEDS_SERVER, CASSETTE_MISSING,
 * USAGE_BAD_URL, and those of `loadCassette`
 */
export function nockEndpoint<Scope extends NockScope>(
  nock: Nock<Scope>,
  url: string,
  cassette: CassetteSource | HandlerEndpointOptions,
  options: NockOptions = {},
): NockEndpoint<Scope> {
  const live: Send = (request) => asking.run(true, () => unpooledFetch(request));
  const endpoint = isCassette(cassette)
    ? openEndpointInMode({ url, cassette, send: options.record ? live : undefined }, options)
    : openHandlerEndpoint(cassette);
  const { origin, pathname } = new URL(url);
  const scope = nock(origin, { allowUnmocked: endpoint.mode !== 'replay' });
  scope.persist();
  const isOurs = (uri: string) => uri.split('?', 1)[0] === pathname && asking.getStore() === undefined;
  for (const method of METHODS) {
    const interceptor = scope.intercept(isOurs, method).query(true);
    interceptor.reply(async function (...asked) {
      const response = await endpoint.fetch(requestOf(url, this, asked));
      const body = response.body ? Readable.fromWeb(response.body as NodeReadableStream) : '';
      return [response.status, body, Object.fromEntries(response.headers)];
    });
  }
  return Object.assign(endpoint, { scope });
}

/** Returns the request that nock intercepted. */
function requestOf(url: string, interceptor: Interceptor14, asked: readonly unknown[]): Request {
  const [first, body] = asked;
  if (first instanceof Request) return first;
  const { req } = interceptor;
  const gone = new AbortController();
  req.once('close', () => gone.abort());
  const hasBody = body !== undefined && body !== '' && req.method !== 'GET' && req.method !== 'HEAD';
  return new Request(new URL(String(first), url), {
    method: req.method,
    headers: headersOf(req.headers),
    signal: gone.signal,
    // nock has parsed JSON bodies.
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** The interceptor on which nock 14 calls a reply function. */
interface Interceptor14 {
  req: {
    method: string;
    headers: Record<string, string | number | string[] | undefined>;
    once(event: 'close', task: () => void): void;
  };
}

function headersOf(headers: Interceptor14['req']['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
