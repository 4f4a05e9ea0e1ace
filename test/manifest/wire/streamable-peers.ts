import type { ServerResponse } from 'node:http';
import { isModern } from '../../../src/protocol/revisions.ts';
import { bodyOf, JSON_TYPE, listenOn, readMessages, SSE_TYPE, writeEvent } from './http-common.ts';
import { Inbox } from './inbox.ts';
import { cancelOf, type Id, isRequest, isResponse, type Line, type Message, type Params } from './line.ts';
import type { Peer } from './peer.ts';

const REVISION = 'io.modelcontextprotocol/protocolVersion';
const CANCELLED = 'notifications/cancelled';

const revisionOf = ({ params }: Message): string | undefined =>
  (params?._meta as Params | undefined)?.[REVISION] as string | undefined;

/** 2026-07-28, "Error Handling". */
const statusOf = ({ error }: Message, modern: boolean): number =>
  !modern || !error ? 200 : error.code === -32601 ? 404 : error.code <= -32020 && error.code > -32100 ? 400 : 200;

/** A client that speaks Streamable HTTP to `url`. */
export function streamableClient(url: string): Peer {
  const inbox = new Inbox('client');
  const asking = new Map<Id, AbortController>();
  const listening = new AbortController();
  let session: Record<string, string> = {};
  let negotiated: string | undefined;

  const post = (message: Message, signal?: AbortSignal) => {
    const modern = revisionOf(message);
    const { name, uri, taskId } = message.params ?? {};
    const version = modern ?? negotiated;
    return fetch(url, {
      method: 'POST',
      body: JSON.stringify(message),
      ...(signal && { signal }),
      headers: {
        'content-type': JSON_TYPE,
        accept: `${JSON_TYPE}, ${SSE_TYPE}`,
        ...session,
        ...(version !== undefined && version > '2025-03-26' && { 'mcp-protocol-version': version }),
        ...(modern !== undefined && { 'mcp-method': message.method! }),
        ...(modern !== undefined && { 'mcp-name': (name ?? uri ?? taskId ?? undefined) as string }),
      },
    });
  };
  const ask = async (message: Message) => {
    const leaving = new AbortController();
    asking.set(message.id!, leaving);
    try {
      const response = await post(message, leaving.signal);
      const id = response.headers.get('mcp-session-id');
      if (id !== null) session = { 'mcp-session-id': id };
      await readMessages(response, inbox);
    } finally {
      asking.delete(message.id!);
    }
  };
  const listen = async () => {
    const headers = { accept: SSE_TYPE, ...session };
    const response = await fetch(url, { headers, signal: listening.signal });
    readMessages(response, inbox).catch(() => {});
  };

  return {
    inbox,
    async say({ message }) {
      const { method, params } = message;
      if (isRequest(message)) return void ask(message).catch(() => {});
      if (method === CANCELLED && revisionOf(message) !== undefined) {
        return asking.get(params!.requestId as Id)?.abort();
      }
      await (await post(message)).text();
      if (method === 'notifications/initialized') await listen();
    },
    async close() {
      listening.abort();
      for (const leaving of asking.values()) leaving.abort();
      if ('mcp-session-id' in session) await (await fetch(url, { method: 'DELETE', headers: session })).text();
    },
    agree(revision) {
      negotiated = revision;
    },
  };
}

/** A server that speaks Streamable HTTP: JSON where it has nothing but an answer to say, events where it has. */
export async function streamableServer(): Promise<Peer & { url: string }> {
  const inbox = new Inbox('server');
  const asked = new Map<Id, { message: Message; response: ServerResponse }>();
  let listens: (response: ServerResponse) => void;
  const listening = new Promise<ServerResponse>((resolve) => {
    listens = resolve;
  });
  const listener = await listenOn(async (request, response) => {
    if (request.method === 'DELETE') return void response.end();
    if (request.method === 'GET') {
      if (!('mcp-session-id' in request.headers)) return void response.writeHead(400).end();
      response.writeHead(200, { 'content-type': SSE_TYPE }).flushHeaders();
      return listens(response);
    }
    const message = JSON.parse(await bodyOf(request)) as Message;
    if (isRequest(message)) {
      asked.set(message.id!, { message, response });
      response.once('close', () => {
        if (response.writableFinished || revisionOf(message) === undefined) return;
        inbox.put(cancelOf(message.id!));
      });
    } else response.writeHead(202).end();
    inbox.put(message);
  });

  const answer = (message: Message) => {
    const { message: request, response } = asked.get(message.id!)!;
    const text = JSON.stringify(message);
    if (response.headersSent) {
      writeEvent(response, text);
      return void response.end();
    }
    const session = request.method === 'initialize' && message.result && { 'mcp-session-id': 'a-session' };
    const revision = revisionOf(request);
    const status = statusOf(message, revision !== undefined && isModern(revision));
    response.writeHead(status, { 'content-type': JSON_TYPE, ...session }).end(text);
  };

  return {
    url: `${listener.origin}/mcp`,
    inbox,
    async say({ message, on }: Line) {
      if (isResponse(message)) return answer(message);
      const response = on === undefined ? await listening : asked.get(on)!.response;
      if (!response.headersSent) response.writeHead(200, { 'content-type': SSE_TYPE });
      writeEvent(response, JSON.stringify(message));
    },
    close: () => listener.close(),
  };
}
