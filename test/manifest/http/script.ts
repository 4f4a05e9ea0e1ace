import type { Headers } from '../../../src/channel/frame.ts';
import type { Talk } from '../talk.ts';
import type { Line, Message, Params } from '../wire/line.ts';
import { type Answer, type Exchange, JSON_TYPE, SESSION, SSE_TYPE } from './exchange.ts';

/** The client posts `line`, with the headers that its revision demands and `extra`. */
export function post(talk: Talk, { message }: Line, answer: Answer, extra: Headers = {}): Exchange {
  const accept = `${JSON_TYPE}, ${SSE_TYPE}`;
  const headers = { 'content-type': JSON_TYPE, accept, ...headersOf(talk, message), ...extra };
  return { method: 'POST', headers, body: message, answer };
}

/** The client opens a stream to listen on, or goes on after the event `last`. */
export function get(talk: Talk, answer: Answer, last?: string): Exchange {
  const headers = { accept: SSE_TYPE, ...inSession(talk), 'last-event-id': last ?? '' };
  return { method: 'GET', headers, answer };
}

/** The client ends its session. */
export function end(talk: Talk, answer: Answer = { status: 200 }): Exchange {
  return { method: 'DELETE', headers: inSession(talk), answer };
}

/** What comes before anything else up to 2025-11-25: a session, and 202 to what needs no answer. */
export function opening(talk: Talk, capabilities: { client?: Params; server?: Params } = {}): Exchange[] {
  const [initialize, answer, initialized] = talk.opening(capabilities);
  if (initialize === undefined) return [];
  const issued = { 'mcp-session-id': SESSION };
  return [post(talk, initialize, { ...json(answer!), headers: issued }), post(talk, initialized!, { status: 202 })];
}

/** The answer is JSON. */
export const json = ({ message }: Line, status = 200): Answer => ({ status, body: message });

/** The answer is a stream of messages. */
export const stream = (...lines: readonly Line[]): Answer => ({
  status: 200,
  events: lines.map(({ message }) => ({ data: message })),
});

/** A client names its session, and from 2025-06-18 on its revision. */
export function inSession({ revision, modern }: Talk): Headers {
  if (modern) return {};
  return {
    'mcp-session-id': SESSION,
    ...(revision >= '2025-06-18' && { 'mcp-protocol-version': revision }),
  };
}

function headersOf(talk: Talk, { id, method, params }: Message): Headers {
  if (method === 'initialize') return { 'mcp-session-id': '', 'mcp-protocol-version': '' };
  if (!talk.modern) return inSession(talk);
  if (id === undefined) return { 'mcp-protocol-version': talk.revision };
  const name = params?.name ?? params?.uri ?? params?.taskId;
  return {
    'mcp-protocol-version': talk.revision,
    'mcp-method': method!,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}
