import type { CassetteSource } from '../cassette/cassette.ts';
import { pathOf } from '../cassette/read/load-cassette.ts';
import { messageOf } from '../kernel/errors.ts';
import { type EndpointOptions, type FetchEndpoint, openEndpoint } from '../mock/endpoint/fetch-endpoint.ts';
import type { ServerDescription } from '../mock/server/server-fallback-answers.ts';
import { isRequest } from '../protocol/message.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { replayOutcome } from '../replay/findings/replay-outcome.ts';
import { SseDecoder } from '../transports/http/sse/sse-decoder.ts';
import { openHandlerEndpoint } from './endpoint/handlers-only-endpoint.ts';
import { loadAndWarn } from './test/print-test-notes.ts';

/** The used part of Playwright's `Route`. */
export interface PlaywrightRoute {
  request(): {
    url(): string;
    method(): string;
    allHeaders(): Promise<Record<string, string>>;
    postDataBuffer(): Buffer | null;
  };
  fulfill(response: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(): Promise<void>;
}

export interface PlaywrightOptions extends EndpointOptions, ServerDescription {
  /** Cassette that answers requests without a handler. Absent: only handlers answer. */
  cassette?: CassetteSource;
}

/** A mock server behind `page.route`. */
export interface PlaywrightEndpoint extends FetchEndpoint {
  /** Answers a route: `page.route(url, mock.handler)`. */
  handler(route: PlaywrightRoute): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const METHOD_NOT_ALLOWED = 405;
const NO_STREAM = { status: METHOD_NOT_ALLOWED, headers: { allow: 'POST, DELETE' } };

/**
 * Answers the MCP endpoint of a page: `await page.route('https://example.com/mcp', playwrightEndpoint({ handlers
 * }).handler)`. Playwright cannot stream a response. Therefore a GET for a listening stream gets 405, as MCP allows,
 * and before 2026-07-28 a call in which the server sends the client a request fails the test.
 * @throws McpRecordError HANDLER_INVALID, and those of `loadCassette`
 */
export function playwrightEndpoint(options: PlaywrightOptions = {}): PlaywrightEndpoint {
  const { cassette, ...rest } = options;
  const endpoint =
    cassette === undefined
      ? openHandlerEndpoint(rest)
      : openEndpoint(pathOf(cassette), rest, { files: [loadAndWarn(cassette)] });
  let unanswerable: Finding[] = [];
  return {
    ...endpoint,
    get hasEnded() {
      return endpoint.hasEnded;
    },
    async handler(route) {
      const asked = route.request();
      const headers = await asked.allHeaders();
      const { origin } = headers;
      const method = asked.method();
      const leaving = new AbortController();
      const body = asked.postDataBuffer();
      const request = new Request(asked.url(), {
        method,
        headers: ownHeaders(headers),
        signal: leaving.signal,
        ...(body && { body: new Uint8Array(body) }),
      });
      const response = method === 'GET' ? new Response(null, NO_STREAM) : await endpoint.fetch(request);
      const { bytes, question } = await wholeBody(response);
      if (question === undefined) {
        const given = { ...Object.fromEntries(response.headers), ...crossOrigin(origin) };
        return unlessRemoved(route.fulfill({ status: response.status, headers: given, body: bytes }));
      }
      leaving.abort();
      const text = `The server asks for ${question} while it answers. A page hears of that after the answer: Playwright answers as a whole. Use a mock server over HTTP.`;
      unanswerable.push({ kind: 'thrown', text });
      return unlessRemoved(route.abort());
    },
    finish() {
      const outcome = endpoint.finish();
      return unanswerable.length === 0 ? outcome : replayOutcome([...unanswerable, ...outcome.findings], rest);
    },
    reset() {
      endpoint.reset();
      unanswerable = [];
    },
  };
}

/** Waits for an answer to a route. Where the test has removed the route meanwhile, Playwright has answered it itself. */
async function unlessRemoved(answer: Promise<void>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!messageOf(error).includes('Route is already handled')) throw error;
  }
}

/** Returns the headers accepted by `Request`, without HTTP/2 pseudo-headers such as `:authority`. */
function ownHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}

/** Returns the headers that allow a page of another origin to read the response (Fetch, "CORS protocol"). */
function crossOrigin(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' };
}

/** Reads a body to its end, or to a server request, whose response could never arrive. */
async function wholeBody(response: Response): Promise<{ bytes: Buffer; question?: string }> {
  const chunks: Uint8Array[] = [];
  let question: string | undefined;
  const events = new SseDecoder({
    event: ({ data }) => {
      question ??= questionIn(data);
    },
    comment() {},
    holdBytesMax: BODY_BYTES_MAX,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    if (isStream) events.write(chunk);
    if (question !== undefined) return { bytes: Buffer.alloc(0), question };
  }
  return { bytes: Buffer.concat(chunks) };
}

function questionIn(data: string | Uint8Array | undefined): string | undefined {
  if (typeof data !== 'string' || data === '') return undefined;
  const message: unknown = JSON.parse(data);
  return isRequest(message) ? message.method : undefined;
}
