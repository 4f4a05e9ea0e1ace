import type { Headers } from '../channel/frame.ts';
import { elementsOf, JsonText } from '../protocol/json-text.ts';
import { isObject, isRequest, type Request } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { isModern } from '../protocol/revision.ts';
import { mediaType } from '../transports/http/headers.ts';

/** A request to a mock server, read whole. */
export interface HttpRequest {
  method: string;
  /** Values by name in lower case. */
  headers: Headers;
  body: string;
}

/** An answer without a stream. */
export interface HttpAnswer {
  status: number;
  headers?: Headers;
  /** A JSON-RPC error, or what else there is to say. */
  body?: string;
}

/** What a client posts, once it is known to be acceptable. */
export interface Posted {
  json: JsonText;
  /** The requests in it, which want answers on this exchange. */
  requests: Request[];
  /** It describes itself, as from 2026-07-28 on. */
  modern: boolean;
  initializes: boolean;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const HEADER_MISMATCH = -32020;

/** Reads a POST (Streamable HTTP, "Sending Messages to the Server", all revisions), or says why it is refused. */
export function readPost({ headers, body }: HttpRequest): Posted | HttpAnswer {
  if (mediaType(headers['content-type']) !== 'application/json')
    return refused(415, 'Content-Type is not application/json');
  if (!accepts(headers.accept, 'application/json') || !accepts(headers.accept, 'text/event-stream'))
    return refused(406, 'Accept lacks application/json or text/event-stream');
  const json = new JsonText(body);
  let value: unknown;
  try {
    value = json.value;
  } catch {
    return refused(400, 'The body is no JSON', PARSE_ERROR);
  }
  const messages = elementsOf(json).map((one) => one.value);
  if (messages.length === 0 || !messages.every(isObject))
    return refused(400, 'The body is no JSON-RPC', INVALID_REQUEST);
  const requests = messages.filter((one): one is Record<string, unknown> & Request => isRequest(one));
  const claimed = requests
    .map(({ params }) => metaOf(params)[META.protocolVersion])
    .find((one) => typeof one === 'string');
  const modern = typeof claimed === 'string' && isModern(claimed);
  if (modern && Array.isArray(value)) return refused(400, 'There are no batches', INVALID_REQUEST);
  const mismatch = modern ? mismatchOf(requests[0]!, String(claimed), headers) : undefined;
  if (mismatch !== undefined) return refused(400, mismatch, HEADER_MISMATCH);
  return { json, requests, modern, initializes: requests.some(({ method }) => method === 'initialize') };
}

/** Why a GET is refused that wants a stream to listen on; undefined: it is not. */
export function refusedGet({ headers }: HttpRequest): HttpAnswer | undefined {
  return accepts(headers.accept, 'text/event-stream')
    ? undefined
    : refused(406, 'Accept lacks text/event-stream');
}

/** A refusal, in words as a JSON-RPC error without an id. */
export function refused(status: number, message: string, code = -32000): HttpAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** 2026-07-28, "Standard Request Headers": what is in the headers says what is in the body. */
function mismatchOf({ method, params }: Request, version: string, headers: Headers): string | undefined {
  if (headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version is not that of the body';
  if (headers['mcp-method'] !== method) return 'Mcp-Method is not that of the body';
  const name = params?.name ?? params?.uri;
  const shown = headers['mcp-name'];
  if (typeof name !== 'string' || shown === undefined || decoded(shown) === name) return undefined;
  return 'Mcp-Name is not that of the body';
}

const SENTINEL = /^=\?base64\?(.*)\?=$/;

function decoded(value: string): string {
  const [, base64] = SENTINEL.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** Whether an `Accept` takes a type; one that is absent takes none here, as the specification demands both. */
function accepts(accept: string | undefined, type: string): boolean {
  const [family = ''] = type.split('/');
  return (accept ?? '')
    .split(',')
    .map((one) => mediaType(one))
    .some((one) => one === type || one === '*/*' || one === `${family}/*`);
}
