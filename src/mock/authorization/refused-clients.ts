import type { Headers, WireFrame } from '../../channel/frame.ts';
import { refusedTokenStatus } from '../../faults/support/refuse-unauthorized-requests.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isMessage, isObject, isRequest, isResponse, type Message, type Request } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';
import { legacySessionOf } from '../../replay/http/legacy-sse-server.ts';
import type { HttpRequest } from '../../replay/http/requests/accept-or-refuse-request.ts';
import { observeReply } from '../endpoint/log-http-reply.ts';

/** HTTP request of a client, with its parsed body. */
interface Sent {
  /** Header values by lower-case name. */
  headers: Headers;
  /** Path and query. Absent: the server's only endpoint. */
  target?: string;
  value: unknown;
  /** Method of a request without a message: a listening stream, or the end of a session. */
  opens?: 'GET' | 'DELETE' | undefined;
}

/** What tells a client from others. */
interface Client {
  /** Id of its session. Empty: the request had none. */
  session: string;
  /** Name and version, as JSON. Undefined: it has not said them. */
  name: string | undefined;
}

/** A refusal that the client has not made up for. */
interface Refusal {
  status: 401 | 403;
  client: Client;
  /** Sessions that had begun before this one was refused. */
  others: ReadonlySet<string>;
  asked: Asked;
  /** Whether the client came back with a token, but not with this request. */
  isBack: boolean;
}

/** A message of the client, or a request without one. */
interface Asked {
  /** Name in findings. */
  title: string;
  /** Identity, apart from what a client changes when it asks again. */
  key: string;
  /** Whether another beginning of a client may replace it. */
  isFirst: boolean;
  /** Whether it begins a client. */
  begins: boolean;
}

const SESSION = 'mcp-session-id';
const GET = 'GET';

/**
 * Clients that were refused for their token, and have not made the request again with another one. The same request has
 * to be accepted from the same client: in the same session, or in a later one of a client with the same name. Without
 * sessions, before 2026-07-28, clients cannot be told apart.
 */
export class RefusedClients {
  readonly #isProtected: boolean;
  #refusals: Refusal[] = [];
  #hasAccepted = false;
  /** Ids of all sessions that have begun → the name of the client. It survives a reset: clients may keep their ids. */
  readonly #sessions = new Map<string, string | undefined>();
  readonly #names = new Set<string>();
  /** Requests without a response, by exchange. */
  readonly #sent = new Map<number, Sent>();

  /** @param isProtected the server requires tokens itself, so that its 403 is about scopes */
  constructor(isProtected: boolean) {
    this.#isProtected = isProtected;
  }

  /** Notes a frame of the client, before faults. `target`: path and query of its request. */
  readonly asked = (frame: WireFrame, target?: string): void => {
    const { kind, from, stream = 0 } = frame;
    if (from === 'client' && (kind === 'message' || kind === 'open')) {
      const { headers = {} } = frame;
      const what =
        kind === 'message' ? { value: frame.json.value } : { value: undefined, opens: opens(frame.method, headers) };
      this.#sent.set(stream, { headers, ...what, ...(target && { target }) });
    }
    if (kind === 'close' && from === 'server') this.#sent.delete(stream);
  };

  /** Notes the header fields of a response, before its frames. */
  readonly answered = (stream: number, headers: Headers): void => {
    const sent = this.#sent.get(stream);
    if (sent) this.#begun(sent, headers);
  };

  /** Notes a frame that is delivered to the client. The first one of an exchange has the status. */
  readonly delivered = (frame: WireFrame): void => {
    const { kind, from, stream = 0 } = frame;
    const sent = this.#sent.get(stream);
    if (kind !== 'http-response' || from !== 'server' || sent === undefined) return;
    this.#sent.delete(stream);
    const { status } = frame;
    const isOfToken = status === 401 || (status === 403 && this.#isProtected);
    this.decided(sent, isOfToken ? status : refusedTokenStatus(frame));
  };

  /** Notes the response to a request. `status`: HTTP status with which its token was refused, if it was. */
  decided(sent: Sent, status: number | undefined): void {
    const messages = [sent.value].flat().filter(isMessage);
    const requests = messages.filter(isRequest);
    const clientOf = this.#clientOf(sent);
    const isRefused = status === 401 || status === 403;
    for (const { name } of requests.map(clientOf)) if (name !== undefined) this.#names.add(name);
    const asked = messages.map((message) => ({ client: clientOf(message), asked: askedBy(message) }));
    if (sent.opens) asked.push({ client: clientOf(), asked: askedWith(sent.opens, SESSION in sent.headers) });
    if (isRefused) {
      const others = new Set(this.#sessions.keys());
      this.#refusals.push(...asked.map((one): Refusal => ({ ...one, status, others, isBack: false })));
    }
    const { session, name } = clientOf();
    if (session !== '' && !this.#sessions.has(session)) this.#sessions.set(session, name);
    if (isRefused || asked.length === 0) return;
    // A stream may have been opened before the refusal, with the same token.
    if (messages.length > 0) {
      this.#hasAccepted = true;
      for (const one of this.#refusals) one.isBack ||= isSameClient(one, clientOf(requests[0]));
    }
    const isMadeUp = (refusal: Refusal) =>
      asked.some((one) => isSameClient(refusal, one.client) && isSame(refusal.asked, one.asked));
    this.#refusals = this.#refusals.filter((one) => !isMadeUp(one));
  }

  /** As {@link decided}, of a request whose body is not parsed. */
  readonly decidedRequest = (request: HttpRequest, status: number | undefined): void => {
    this.decided(sentOf(request), status);
  };

  /** Wraps the handler of accepted requests, to learn the session that each client begins. */
  readonly noteSessions =
    (serve: HttpHandler): HttpHandler =>
    (request, reply) => {
      if (request.method !== 'POST' || SESSION in request.headers) return serve(request, reply);
      const addResponseHeaders = (headers: Headers) => this.#begun(sentOf(request), headers);
      return serve(request, observeReply(reply, { addResponseHeaders, addServerMessage: () => {} }));
    };

  /** Whether any message of a client was accepted since the last reset. */
  get hasAccepted(): boolean {
    return this.#hasAccepted;
  }

  /** One finding for each client, session and status, about the first refused request. */
  get findings(): Finding[] {
    const firsts = new Map<string, Refusal>();
    for (const one of this.#refusals) {
      const key = JSON.stringify([one.status, one.client]);
      if (!firsts.has(key)) firsts.set(key, one);
    }
    const texts = [...firsts.values()].map((one) => textOf(one, this.#names.size > 1));
    return [...new Set(texts)].map((text) => ({ kind: 'unauthorized', text }));
  }

  reset(): void {
    this.#refusals = [];
    this.#hasAccepted = false;
    this.#names.clear();
    this.#sent.clear();
  }

  /** Notes the session that a response to `initialize` begins. */
  #begun({ value }: Sent, headers: Headers): void {
    const session = headers[SESSION];
    const first = [value]
      .flat()
      .filter(isRequest)
      .find(({ method }) => method === 'initialize');
    if (session !== undefined && first !== undefined) this.#sessions.set(session, clientNameOf(first));
  }

  /** Returns a function that returns the client of a message of an HTTP request. */
  #clientOf({ headers, target = '', value }: Sent): (message?: Message) => Client {
    const session = headers[SESSION] ?? legacySessionOf(target) ?? '';
    const opening = [value].flat().filter(isRequest).map(clientNameOf);
    const name = this.#sessions.get(session) ?? opening.find((one) => one !== undefined);
    return (message) => ({ session, name: (isRequest(message) ? clientNameOf(message) : undefined) ?? name });
  }
}

function sentOf({ method, headers, target, body }: HttpRequest): Sent {
  const value = method === 'POST' ? parseJson(body) : undefined;
  return { headers, ...(target !== undefined && { target }), value, opens: opens(method, headers) };
}

/** Returns the method of a request that opens a listening stream or ends a session. Others are for web pages. */
function opens(method: string, headers: Headers): Sent['opens'] {
  if (method === 'DELETE') return SESSION in headers ? method : undefined;
  if (method !== 'GET') return undefined;
  return SESSION in headers || headers.accept?.includes('text/event-stream') ? method : undefined;
}

function askedWith(method: 'GET' | 'DELETE', isInSession: boolean): Asked {
  // A client may look with a GET whether it needs a token, and begin with a message.
  return { title: method, key: method, isFirst: !isInSession, begins: false };
}

function askedBy(message: Message): Asked {
  if (isResponse(message)) {
    const id = JSON.stringify(message.id);
    return { title: `the answer to request ${id}`, key: `answer ${id}`, isFirst: false, begins: false };
  }
  const { method, params } = message;
  // Which request comes first depends on the revision that the client tries.
  const isFirst = FIRST.has(method);
  // From 2026-07-28 on, a client may begin with any request.
  const begins = isFirst || (isRequest(message) && clientNameOf(message) !== undefined);
  return { title: subjectOf(method, params), key: `${method} ${withoutMeta(params)}`, isFirst, begins };
}

/** Reports whether a request comes from the client that was refused. */
function isSameClient({ client, others, asked }: Refusal, { session, name }: Client): boolean {
  if (client.session !== '' && client.session === session) return true;
  const isUnnamed = asked.key === GET && client.name === undefined;
  return (isUnnamed || client.name === name) && !others.has(session);
}

/** Returns the text of a finding. `isNamed`: there were clients of several names. */
function textOf({ status, client, asked: { title }, isBack }: Refusal, isNamed: boolean): string {
  const [name] = client.name === undefined ? [] : (JSON.parse(client.name) as unknown[]);
  const who = isNamed && typeof name === 'string' ? `The client ${JSON.stringify(name)}` : 'The client';
  const refused = `${who} was refused with ${status} at ${title}`;
  if (status === 403) return `${refused}, and never made this request with a token that allows it.`;
  // Whether another request was of this client is not known.
  const isUnknown = client.session === '' && client.name === undefined;
  if (isUnknown) return `${refused}, and never made this request again with a valid token.`;
  return isBack
    ? `${refused}, and came back with a token, but never made this request again.`
    : `${refused}, and never came back with a valid token.`;
}

/** Requests with which a client begins. */
const FIRST: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Reports whether an accepted message or request is the refused one again, apart from its id and its `_meta`. */
function isSame(refused: Asked, accepted: Asked): boolean {
  return (refused.isFirst && accepted.begins) || refused.key === accepted.key;
}

function clientNameOf({ method, params }: Request): string | undefined {
  const info = method === 'initialize' && isObject(params) ? params.clientInfo : metaOf(params)[META.clientInfo];
  return isObject(info) ? JSON.stringify([info.name, info.version]) : undefined;
}

function withoutMeta(params: unknown): string {
  const { _meta, ...rest } = isObject(params) ? params : {};
  return JSON.stringify(rest);
}
