import type { Headers } from '../../../channel/frame.ts';
import { withoutMark } from '../../../channel/line-to-message.ts';
import { claimedRevision } from '../../../protocol/claimed-revision.ts';
import { elementsOf, isJson, JsonText } from '../../../protocol/json-text.ts';
import { isMessage, isRequest, isResponse, type Request } from '../../../protocol/message.ts';
import { isModern } from '../../../protocol/revisions.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import { mediaType } from '../../../transports/http/http1/raw-headers.ts';
import type { ServerRequirements } from './infer-server-requirements.ts';
import { metadataError } from './validate-request-meta.ts';

/** A request to a mock server, with its body read. */
export interface HttpRequest {
  method: string;
  /** Path and query. Absent: the server's only endpoint. */
  target?: string;
  /** Values by name in lower case. */
  headers: Headers;
  body: string;
}

/** A response without a stream. */
export interface HttpResponse {
  status: number;
  headers?: Headers;
  /** JSON-RPC error or other body, as bytes if it is not text. */
  body?: string | Uint8Array;
}

/** The accepted body of a POST. */
export interface ParsedPost {
  json: JsonText;
  /** Requests to be answered on this exchange. */
  requests: Request[];
  /** Whether body or headers state revision 2026-07-28 or later. */
  modern: boolean;
  initializes: boolean;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** Error code for refusals without a JSON-RPC error code of their own. */
const REFUSED = -32000;

/** Requests that probe for the protocol generation. A server of 2026-07-28 answers them without a stated revision. */
const ASKS_ERA: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** Parses a POST (Streamable HTTP, "Sending Messages to the Server", all revisions), or returns its refusal. */
export function readPost({ headers, body }: HttpRequest, rules: ServerRequirements): ParsedPost | HttpResponse {
  if (mediaType(headers['content-type']) !== 'application/json')
    return refused(415, 'Content-Type is not application/json');
  if (!accepts(headers.accept, 'application/json') || !accepts(headers.accept, 'text/event-stream'))
    return refused(406, 'Accept lacks application/json or text/event-stream');
  const json = new JsonText(withoutMark(body));
  if (!isJson(json)) return refused(400, 'The body is no JSON', { code: PARSE_ERROR });
  const isBatch = Array.isArray(json.value);
  const all = elementsOf(json);
  const messages = all.map(({ value }) => value);
  if (messages.length === 0 || !messages.every(isMessage)) return invalid('The body is no JSON-RPC');
  const requests = messages.filter(isRequest);
  const claims = messages.some((message) => isModern(claimedRevision(message) ?? ''));
  const initializes = requests.some(({ method }) => method === 'initialize');
  // Outside a session, a header alone states the revision.
  const isNamed = isModern(headers['mcp-protocol-version'] ?? '') && headers['mcp-session-id'] === undefined;
  const modern = claims || (rules.modern.size > 0 && isNamed && requests.length > 0 && !initializes);
  if (isBatch && initializes) return invalid('initialize must not be part of a batch');
  const posted: ParsedPost = { json, requests, modern, initializes };
  const isOfModern = rules.modern.size > 0 && (modern || rules.legacy.size === 0);
  if (!isOfModern) return posted;
  if (isBatch || messages.some(isResponse)) return invalid('A client posts one request or notification');
  const [request] = requests;
  if (request === undefined || (!claims && ASKS_ERA.has(request.method))) return posted;
  const error = metadataError(request, headers, rules);
  return error ? refused(400, error.message, { ...error, id: scalarKeyAt(json, ['id'])! }) : posted;
}

/** Returns the refusal of a GET for a listening stream, or `undefined` if it is accepted. */
export function refusedGet({ headers }: HttpRequest): HttpResponse | undefined {
  return accepts(headers.accept, 'text/event-stream') ? undefined : refused(406, 'Accept lacks text/event-stream');
}

/**
 * Returns the refusal of a request up to 2025-11-25 with an unsupported revision (2025-06-18, "Protocol Version
 * Header"), or `undefined`. Without the header, the revision is 2025-03-26.
 */
export function unsupportedRevision(
  { 'mcp-protocol-version': named }: Headers,
  { legacy }: ServerRequirements,
): HttpResponse | undefined {
  if (named === undefined || legacy.size === 0 || legacy.has(named)) return undefined;
  return refused(400, `Unsupported protocol version: ${named} is none of ${[...legacy].sort().join(', ')}`);
}

/** Returns the 405 response to a method, with its `Allow` header (RFC 9110, 15.5.6). */
export function refusedMethod(method: string, allowed: readonly string[]): HttpResponse {
  const { headers, ...answer } = refused(405, `There is no ${method} here`);
  return { ...answer, headers: { ...headers, allow: allowed.join(', ') } };
}

/** Returns a refusal with a JSON-RPC error, by default without an id. */
export function refused(
  status: number,
  message: string,
  { code = REFUSED, data, id = 'null' }: { code?: number; data?: unknown; id?: string } = {},
): HttpResponse {
  const error = JSON.stringify({ code, message, data });
  const body = `{"jsonrpc":"2.0","error":${error},"id":${id}}`;
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** Returns the refusal of valid JSON that is not a valid message. */
export function invalid(message: string): HttpResponse {
  return refused(400, message, { code: INVALID_REQUEST });
}

/**
 * Reports whether an `Accept` header includes a type. A missing header includes none, because the specification
 * requires both types.
 */
function accepts(accept: string | undefined, type: string): boolean {
  const [family = ''] = type.split('/');
  return (accept ?? '')
    .split(',')
    .map((one) => mediaType(one))
    .some((one) => one === type || one === '*/*' || one === `${family}/*`);
}
