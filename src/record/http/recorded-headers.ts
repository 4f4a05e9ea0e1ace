import type { Headers } from '../../channel/frame.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import { isObject } from '../../protocol/message.ts';
import { headerOf, listOf, mediaType } from '../../transports/http/http1/raw-headers.ts';
import { headerValue } from '../../transports/http/mcp-headers/header-encoding.ts';
import { repeatedInHeaders } from '../../transports/http/mcp-headers/request-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';

/** First revision whose requests after `initialize` state the revision in a header. */
const SAYS_REVISION = '2025-06-18';

/** Facts that decide which request headers are ordinary. */
export interface HeaderExpectations {
  method: string;
  /** JSON-RPC message of the body, if any. */
  message: unknown;
  /** Negotiated revisions of this cassette. */
  revisions: ReadonlySet<string>;
  /** Whether the session uses HTTP with SSE (2024-11-05), whose POSTs require only a content type. */
  isLegacySse: boolean;
  /** Authorization scheme of the previous request. */
  scheme?: string | undefined;
}

/** Returns the scheme of a request's credentials. The credentials themselves are never kept. */
export function schemeOf(headers: RawHeaders): string | undefined {
  return headerOf(headers, 'authorization')?.split(' ', 1)[0];
}

/**
 * Returns the request headers for the cassette: non-secret headers with a meaning for MCP that differ from the
 * revision's requirements. A missing required header is shown empty. Credentials show their scheme when it changes.
 */
export function requestHeaders(headers: RawHeaders, expected: HeaderExpectations): Headers | undefined {
  const shown: Headers = {};
  const show = (name: string, isOrdinary: (value: string | undefined) => boolean) => {
    const value = headerOf(headers, name);
    if (!isOrdinary(value)) shown[name] = value ?? '';
  };
  const { method, message } = expected;
  const accepts = acceptedTypes(expected);
  if (method === 'POST') show('content-type', (value) => mediaType(value) === 'application/json');
  show('content-encoding', (value) => value === undefined);
  show(
    'accept',
    (value) => value === USUALLY_ACCEPTED || accepts.every((type) => listOf(value).map(mediaType).includes(type)),
  );
  show('mcp-protocol-version', (value) => isOrdinaryRevision(value, expected));
  for (const [name, repeated] of Object.entries(repeatedInHeaders(message))) {
    show(name, (value) => value !== undefined && headerValue(value) === repeated);
  }
  const scheme = schemeOf(headers);
  if (scheme !== expected.scheme) shown.authorization = scheme ?? '';
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Value of `Accept` in SDKs, sufficient for every method. */
const USUALLY_ACCEPTED = 'application/json, text/event-stream';

/** Returns the media types that a client must accept. In HTTP with SSE, the response to a POST has no typed body. */
function acceptedTypes({ method, isLegacySse }: HeaderExpectations): string[] {
  if (method === 'GET') return ['text/event-stream'];
  return method === 'POST' && !isLegacySse ? ['application/json', 'text/event-stream'] : [];
}

function isOrdinaryRevision(
  value: string | undefined,
  { message, revisions, isLegacySse }: HeaderExpectations,
): boolean {
  const claimed = claimedRevision(message);
  if (claimed !== undefined) return value === claimed;
  if (isObject(message) && message.method === 'initialize')
    return value === undefined || (isObject(message.params) && value === String(message.params.protocolVersion));
  if (value !== undefined) return revisions.has(value);
  return isLegacySse || ![...revisions].some((revision) => revision >= SAYS_REVISION);
}

const SHOWN_OF_RESPONSE = ['content-encoding', 'www-authenticate', 'allow', 'retry-after'] as const;

/**
 * Returns the response headers for the cassette: no session id, no cookie, and the content type only if it differs from
 * `type`.
 */
export function responseHeaders(headers: RawHeaders, type: string | undefined): Headers | undefined {
  const shown: Headers = {};
  const contentType = headerOf(headers, 'content-type');
  if (contentType !== undefined && mediaType(contentType) !== type) shown['content-type'] = contentType;
  for (const name of SHOWN_OF_RESPONSE) {
    const value = headerOf(headers, name);
    if (value !== undefined) shown[name] = value;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}
