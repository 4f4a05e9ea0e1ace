import type { Headers } from '../../../channel/frame.ts';
import { claimedRevision } from '../../../protocol/claimed-revision.ts';
import { isObject, isRequest, paramsOf } from '../../../protocol/message.ts';
import { headerText } from './header-encoding.ts';
import { type ParamHeaders, paramHeaders } from './param-headers.ts';

/** First revision whose requests after `initialize` state the revision (2025-06-18, "Protocol Version Header"). */
const NAMES_REVISION = '2025-06-18';

/** State of a session that header fields depend on. */
export interface Standing {
  /** Session id from the response to `initialize`. */
  session?: string | undefined;
  /** Negotiated revision. */
  revision?: string | undefined;
  /** HTTP with SSE (2024-11-05), which defines no MCP headers. */
  isLegacySse?: boolean;
  /** Arguments repeated in headers, by tool. */
  params?: ReadonlyMap<string, ParamHeaders>;
}

/** HTTP request of a client. */
export interface PostedMessage {
  method: string;
  /** JSON-RPC message of the body, if any. */
  message?: unknown;
  /** `Last-Event-ID`: the event after which the client resumes. */
  resumes?: string | undefined;
}

/**
 * Returns the headers that a client's revision requires (all revisions, "Sending Messages to the Server"): content
 * types, session and revision, and from 2026-07-28 on also values from the body. Names are in lower case.
 */
export function requestHeaders({ method, message, resumes }: PostedMessage, standing: Standing): Headers {
  const { session, isLegacySse = false } = standing;
  const headers: Headers = {};
  if (method === 'POST') headers['content-type'] = 'application/json';
  if (method === 'POST' && !isLegacySse) headers.accept = 'application/json, text/event-stream';
  if (method === 'GET') headers.accept = 'text/event-stream';
  const revision = claimedRevision(message);
  if (revision !== undefined) return { ...headers, ...modernHeaders(message, revision, standing) };
  if (isLegacySse || isInitialize(message)) return headers;
  if (session !== undefined) headers['mcp-session-id'] = session;
  if (standing.revision !== undefined && standing.revision >= NAMES_REVISION) {
    headers['mcp-protocol-version'] = standing.revision;
  }
  if (resumes !== undefined) headers['last-event-id'] = resumes;
  return headers;
}

/**
 * Applies recorded headers to the required ones. A cassette holds deviations only; an empty value means that the header
 * was missing. Credentials and compression are never recorded.
 */
export function withRecorded(demanded: Headers, recorded: Headers): Headers {
  const headers = { ...demanded };
  for (const [spelled, value] of Object.entries(recorded)) {
    const name = spelled.toLowerCase();
    if (NEVER_RECORDED.has(name) || OF_CONNECTION.has(name)) continue;
    if (value === '') delete headers[name];
    else headers[name] = value;
  }
  return headers;
}

const NEVER_RECORDED: ReadonlySet<string> = new Set(['authorization', 'content-encoding']);

/**
 * Headers that choose the host, frame the message or concern the connection (RFC 9110, 7.2 and 7.6.1). Those of a
 * stranger could make the server, or a proxy before it, see another host or another request.
 */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Params that `Mcp-Name` repeats, by method (2026-07-28, "Standard Request Headers"). */
const NAME_PARAM: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Returns the headers that repeat members of a request, from 2026-07-28 on. Empty for older revisions. */
export function repeatedInHeaders(message: unknown): Headers {
  if (claimedRevision(message) === undefined || !isRequest(message)) return {};
  const { method } = message;
  const name = paramsOf(message)[NAME_PARAM.get(method) ?? ''];
  return { 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) };
}

function modernHeaders(message: unknown, revision: string, { params }: Standing): Headers {
  const headers: Headers = { 'mcp-protocol-version': headerText(revision) };
  const repeated = repeatedInHeaders(message);
  for (const [name, value] of Object.entries(repeated)) headers[name] = headerText(value);
  if (!isRequest(message) || message.method !== 'tools/call') return headers;
  const marked = params?.get(repeated['mcp-name'] ?? '');
  return { ...headers, ...(marked && paramHeaders(marked, paramsOf(message).arguments)) };
}

function isInitialize(message: unknown): boolean {
  return isObject(message) && message.method === 'initialize';
}
