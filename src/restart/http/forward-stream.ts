import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import { eventInPlace, relayEvents } from './event-relay.ts';
import type { HeldExchange } from './held-exchange.ts';
import type { HttpSession } from './http-session.ts';
import { DOWN_WORDS } from './outage-messages.ts';
import type { Reply, ResponseBody } from './request-on-new-connection.ts';
import { headersToClient, headersToServer } from './session-headers.ts';

/** Forwards a GET with which a client listens. The stream is opened again on each new server. */
export async function forwardStream(exchange: HeldExchange, session: HttpSession): Promise<void> {
  session.enter(exchange);
  let hasLostSession = false;
  while (!exchange.isOver) {
    if (!(await session.settled())) return exchange.refuse(new Error(DOWN_WORDS), false);
    const { generation } = session;
    const reply = await askStream(exchange, session);
    if (exchange.isOver) return;
    if (reply.kind === 'invalid') return exchange.refuse(reply.error, true);
    const isRefused = reply.kind === 'response' && (reply.head.status === 404 || reply.head.status === 400);
    if (reply.kind === 'unreachable' || reply.kind === 'lost' || (isRefused && !hasLostSession)) {
      hasLostSession = isRefused;
      const isGone = await session.isGone(generation);
      if (isGone || reply.kind === 'unreachable') continue;
      if (reply.kind === 'lost') return exchange.lose(reply.how);
    }
    if (reply.kind !== 'response') continue;
    const { status, statusMessage, headers } = reply.head;
    exchange.begin(status, statusMessage, headersToClient(headers, session));
    if (isEventStream(reply)) return await listen(exchange, session, reply.body);
    return await passBody(exchange, reply.body);
  }
}

/** Forwards the DELETE that ends a session. Answers 200 if the server has already lost the session. */
export async function forwardDelete(exchange: HeldExchange, session: HttpSession): Promise<void> {
  session.enter(exchange);
  await exchange.body;
  session.isDeleted = true;
  const reply = await exchange.ask({
    headers: headersToServer(exchange.options.request.headers, session),
    body: Buffer.alloc(0),
  });
  if (exchange.isOver) return;
  const isAnswered = reply.kind === 'response' && reply.head.status !== 404 && reply.head.status !== 400;
  if (!isAnswered && (await session.isUnknown())) {
    session.end();
    return exchange.respond(200, 'OK', '');
  }
  if (reply.kind !== 'response') {
    session.isDeleted = false;
    if (reply.kind === 'lost') return exchange.lose(reply.how);
    return exchange.refuse(reply.error, reply.kind === 'invalid');
  }
  const { status, statusMessage, headers } = reply.head;
  if (status >= 200 && status < 300) session.end();
  else session.isDeleted = false;
  exchange.begin(status, statusMessage, headersToClient(headers, session));
  await passBody(exchange, reply.body);
}

/** Passes events to the client until one side ends the stream, over any number of servers. */
async function listen(exchange: HeldExchange, session: HttpSession, first: ResponseBody): Promise<void> {
  exchange.whenOver(() => session.unlisten(exchange));
  for (let body = first; ; ) {
    const { generation } = session;
    for (const message of session.listen(exchange)) await exchange.send(eventInPlace(message), true);
    const how = await relayEvents({ exchange, body, generation, toClient: (json) => session.toClient(json) });
    if (exchange.isOver) return;
    if (!(await session.isGone(generation))) {
      if (how === 'end') exchange.finish();
      else exchange.lose(how);
      return;
    }
    const next = await listenAgain(exchange, session, generation);
    if (next === undefined) return exchange.isOver ? undefined : exchange.lose(how === 'end' ? 'fin' : how);
    body = next;
  }
}

/**
 * Opens the stream again on a new server. Undefined: no new server took the session, or the new server offers no
 * stream.
 */
async function listenAgain(
  exchange: HeldExchange,
  session: HttpSession,
  before: number,
): Promise<ResponseBody | undefined> {
  for (;;) {
    await session.opened();
    if (exchange.isOver || session.generation === before) return undefined;
    const { generation } = session;
    const reply = await askStream(exchange, session);
    if (exchange.isOver) return undefined;
    if (reply.kind === 'response') return isEventStream(reply) ? reply.body : undefined;
    if (!(await session.isGone(generation))) return undefined;
  }
}

function askStream(exchange: HeldExchange, session: HttpSession): Promise<Reply> {
  const { headers } = exchange.options.request;
  return exchange.ask({ headers: headersToServer(headers, session), body: Buffer.alloc(0) });
}

async function passBody(exchange: HeldExchange, body: ResponseBody): Promise<void> {
  for (;;) {
    const piece = await body.next();
    if (exchange.isOver) return;
    if (piece === 'end') return exchange.finish();
    if (typeof piece === 'string') return exchange.lose(piece);
    await exchange.send(piece);
  }
}

function isEventStream({ head: { status, headers } }: Extract<Reply, { kind: 'response' }>): boolean {
  const type = isIdentity(headers) ? mediaType(headerOf(headers, 'content-type')) : undefined;
  return status === 200 && type === 'text/event-stream';
}
