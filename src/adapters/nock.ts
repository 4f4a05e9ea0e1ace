import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type Endpoint, type EndpointOptions, openEndpoint } from './endpoint.ts';

/** nock 14 or 15, as far as it is needed here. */
export type Nock = (origin: string) => NockScope;

export interface NockScope {
  persist(): NockScope;
  intercept(path: string, method: string): { reply(answer: NockReply): unknown };
}

/** What nock takes an answer from: 14 calls it on the interceptor, with path and body, and 15 with a `Request`. */
export type NockReply = (
  // biome-ignore lint/suspicious/noExplicitAny: the two versions have nothing in common
  this: any,
  // biome-ignore lint/suspicious/noExplicitAny: the two versions have nothing in common
  ...asked: any[]
) => Promise<[number, Readable | string, Record<string, string>]>;

/** A recorded server behind interceptors of nock. */
export interface NockEndpoint<Scope> extends Omit<Endpoint, 'serve'> {
  /** What answers. It persists until `nock.cleanAll()`. */
  scope: Scope;
}

const METHODS = ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'] as const;

/**
 * Answers an MCP endpoint from a cassette: `nockEndpoint(nock, 'https://example.com/mcp', 'tapes/weather.yaml')`.
 * @throws McpRecordError those of `loadCassette`
 */
export function nockEndpoint<Scope extends NockScope>(
  nock: (origin: string) => Scope,
  url: string,
  cassette: string,
  options?: EndpointOptions,
): NockEndpoint<Scope> {
  const endpoint = openEndpoint(cassette, options);
  const { origin, pathname, search } = new URL(url);
  const scope = nock(origin);
  scope.persist();
  for (const method of METHODS) {
    scope.intercept(pathname + search, method).reply(async function (...asked) {
      const response = await endpoint.fetch(requestOf(url, this, asked));
      const body = response.body ? Readable.fromWeb(response.body as NodeReadableStream) : '';
      return [response.status, body, Object.fromEntries(response.headers)];
    });
  }
  return { ...endpoint, scope };
}

/** The request of which nock tells. */
function requestOf(url: string, interceptor: Interceptor14, asked: readonly unknown[]): Request {
  const [first, body] = asked;
  if (first instanceof Request) return first;
  const { req } = interceptor;
  const gone = new AbortController();
  req.once('close', () => gone.abort());
  const hasBody = body !== undefined && body !== '' && req.method !== 'GET' && req.method !== 'HEAD';
  return new Request(url, {
    method: req.method,
    headers: headersOf(req.headers),
    signal: gone.signal,
    // nock has parsed what is JSON.
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** What nock 14 calls a reply function on. */
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
