import { metadataResponse } from '../authorization/forward-metadata-response.ts';
import { redirectPageResponse } from '../authorization/redirect-to-login-page.ts';
import { endToEnd, headerOf, isIdentity, listOf, mediaType } from '../http1/raw-headers.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import type { ExchangeLifecycle, ExchangeOptions, ResponseHandler } from './exchange-options.ts';
import { allowedOrigin, towardsClient } from './rewrite-host-and-origin.ts';
import { SseEndpointRewriter } from './sse-endpoint-rewriter.ts';

/** Forwards a response head. Returns the handlers for its body. */
export function forwardResponse(
  options: ExchangeOptions,
  head: ResponseHead,
  course: ExchangeLifecycle,
): ResponseHandler {
  const { answer, tap } = options;
  const { clock } = options.common;
  const { status, statusMessage, headers } = head;
  const { page, rewriting } = options.way;
  if (page !== undefined) return redirectPageResponse(options, page, { head, course });
  const { metadata } = rewriting;
  // The server closes its connection after this response, so the client's is closed, too.
  if (listOf(headerOf(headers, 'connection')).includes('close')) answer.isLasting = false;
  if (metadata !== undefined && status === 200 && isIdentity(headers))
    return metadataResponse({
      exchange: options,
      rawHeaders: headers,
      headers: clientHeaders(options, head, true),
      course,
      metadata,
    });
  const rewriter = rewriterFor(options, head);
  answer.head(status, statusMessage, clientHeaders(options, head, rewriter !== undefined));
  tap({ kind: 'response', at: clock.now(), status, headers });

  const pass = (data: Uint8Array) => {
    if (answer.write(data)) return;
    course.far.pause();
    answer.whenDrained(() => course.far.resume());
  };
  return {
    data(data) {
      pass(rewriter ? rewriter.write(data) : data);
      tap({ kind: 'data', at: clock.now(), from: 'server', data });
    },
    end() {
      if (rewriter) pass(rewriter.end());
      answer.end();
      course.answered();
    },
  };
}

/**
 * Makes an answer of an authorization server no page of the proxy's own origin: its scripts would reach the recorded server
 * with the credentials of the user. Its pages for browsers are shown at their real address.
 */
const NO_PAGE = ['Content-Security-Policy', 'sandbox', 'X-Content-Type-Options', 'nosniff'];

function clientHeaders(
  { request, common, way: { rewriting, upstream, isAside } }: ExchangeOptions,
  { headers }: ResponseHead,
  isRewritten: boolean,
): string[] {
  // The client's connection must not outlive the server's: otherwise the client may send on a closing connection.
  const lasts = headerOf(headers, 'keep-alive');
  const passed = endToEnd(headers, (name, value) => {
    if (name === 'content-length' && isRewritten) return undefined;
    // A cookie would be one of all programs of this machine: cookies ignore ports.
    if (isAside && name === 'set-cookie') return undefined;
    if (name === 'www-authenticate') return rewriting.challenge(value);
    if (name === 'access-control-allow-origin' && common.names !== undefined)
      return allowedOrigin(value, request.headers, { ...common.names, upstream });
    return name === 'location' ? rewriting.location(value) : value;
  });
  if (isAside) passed.push(...NO_PAGE);
  return lasts === undefined ? passed : [...passed, 'Keep-Alive', lasts];
}

/**
 * Returns a rewriter for an event stream that may begin with an `endpoint` event of 2024-11-05. Requests of later
 * revisions have a session or event id.
 */
function rewriterFor(
  { common, request, way: { upstream, path } }: ExchangeOptions,
  { headers }: ResponseHead,
): SseEndpointRewriter | undefined {
  const isStream = mediaType(headerOf(headers, 'content-type')) === 'text/event-stream';
  const continues =
    headerOf(request.headers, 'mcp-session-id') !== undefined ||
    headerOf(request.headers, 'last-event-id') !== undefined;
  if (common.names === undefined || request.method !== 'GET' || !isStream || continues || !isIdentity(headers))
    return undefined;
  const host = headerOf(request.headers, 'host') ?? '';
  const isElsewhere = request.target !== path;
  const isOfEndpoint = path.split('?', 1)[0] === upstream.path;
  return new SseEndpointRewriter((uri) => {
    const named =
      isOfEndpoint && URL.canParse(uri, upstream.origin + path) ? new URL(uri, upstream.origin + path) : undefined;
    if (named?.origin === upstream.origin) rememberPath(common, named.pathname);
    if (URL.canParse(uri)) return towardsClient(uri, upstream, host);
    if (!isElsewhere || !URL.canParse(uri, upstream.origin + path)) return uri;
    const { pathname, search } = new URL(uri, upstream.origin + path);
    return pathname + search;
  });
}

/** Maximum number of paths for messages. A server names one, or one for each session. */
const MESSAGE_PATHS_MAX = 10_000;

function rememberPath({ messagePaths }: ExchangeOptions['common'], path: string): void {
  if (messagePaths !== undefined && messagePaths.size < MESSAGE_PATHS_MAX) messagePaths.add(path);
}
