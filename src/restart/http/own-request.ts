import { messageIn } from '../../channel/line-to-message.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isResponse } from '../../protocol/message.ts';
import { headerOf, mapHeaders, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { type RequestToForward, upstreamRequest } from '../../transports/http/proxy/upstream-request-head.ts';
import { SseDecoder } from '../../transports/http/sse/sse-decoder.ts';
import { askServer, type Reply, type ResponseBody } from './request-on-new-connection.ts';

/** Maximum time that the server may take to answer a request of this program. */
const ANSWER_PATIENCE: Milliseconds = 10_000;

/** Headers of the client's request that are not copied. This program leaves them out or sets its own values. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  'accept',
  'content-length',
  'content-type',
  'expect',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'transfer-encoding',
]);

export interface OwnRequest {
  /** Client request that supplies the credentials and the target URL. */
  like: Omit<RequestToForward, 'asked'>;
  ca: readonly string[] | undefined;
  message: string;
  session: string | undefined;
  /** Whether the request begins a session, whose revision is not known yet. */
  isInitialize?: boolean;
}

/** Response to a request of this program. */
export interface OwnResponse {
  status: number;
  session: string | undefined;
  messages: JsonText[];
}

/**
 * Outcome of a request without a response. `unreachable`: the server could not be reached. `silent`: the time limit
 * passed.
 */
export type NoResponse = { unreachable: string } | { silent: true };

/** Posts a message of this program to the server. `reads`: whether the messages of the response matter. */
export async function postOwn(request: OwnRequest, clock: Clock, reads: boolean): Promise<OwnResponse | NoResponse> {
  const { like, ca, message } = request;
  const body = Buffer.from(message);
  const headers = ownHeaders(request, body.length);
  const sent = upstreamRequest({ ...like, request: { ...like.request, method: 'POST', headers }, asked: body });
  const asked = askServer({ upstream: like.way.upstream, ca }, sent, body);
  const response = await inTime(
    clock,
    asked.reply.then((reply) => responseTo(reply, reads)),
  );
  asked.destroy();
  return response ?? { silent: true };
}

/** Returns the result. Undefined: the time limit passed first. */
export async function inTime<T>(clock: Clock, result: Promise<T>): Promise<T | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ANSWER_PATIENCE, () => resolve(undefined));
  });
  const first = await Promise.race([result, late]);
  cancel();
  return first;
}

async function responseTo(reply: Reply, reads: boolean): Promise<OwnResponse | NoResponse> {
  if (reply.kind === 'lost') return { unreachable: 'it closes the connection' };
  if (reply.kind !== 'response') return { unreachable: reply.error.message || reply.error.name };
  const { status, headers } = reply.head;
  const session = headerOf(headers, 'mcp-session-id');
  const isStream = mediaType(headerOf(headers, 'content-type')) === 'text/event-stream';
  const messages = reads ? await (isStream ? messagesOfStream(reply.body) : messagesOfBody(reply.body)) : [];
  return messages === undefined ? { unreachable: 'it closes the connection' } : { status, session, messages };
}

async function messagesOfBody(body: ResponseBody): Promise<JsonText[] | undefined> {
  const data = await body.whole();
  return typeof data === 'string' ? undefined : messagesIn(data.toString());
}

async function messagesOfStream(body: ResponseBody): Promise<JsonText[] | undefined> {
  const messages: JsonText[] = [];
  const decoder = new SseDecoder({
    holdBytesMax: Number.POSITIVE_INFINITY,
    comment() {},
    event({ data, partial }) {
      if (typeof data === 'string' && !partial) messages.push(...messagesIn(data));
    },
  });
  for (;;) {
    const piece = await body.next();
    if (piece === 'end') return messages;
    if (typeof piece === 'string') return undefined;
    decoder.write(piece);
    if (messages.some(({ value }) => isResponse(value))) return messages;
  }
}

/** Parses a text into messages. Empty: the text is not a message. */
export function messagesIn(data: string): JsonText[] {
  const json = messageIn(data);
  return json === undefined ? [] : elementsOf(json);
}

function ownHeaders({ like, session, isInitialize = false }: OwnRequest, length: number): RawHeaders {
  const others = mapHeaders(like.request.headers, (name, value) =>
    OF_ONE_REQUEST.has(name) || (isInitialize && name === 'mcp-protocol-version') ? undefined : value,
  );
  return [
    ...others,
    ...['Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream'],
    ...['Content-Length', String(length)],
    ...(session === undefined ? [] : ['Mcp-Session-Id', session]),
  ];
}
