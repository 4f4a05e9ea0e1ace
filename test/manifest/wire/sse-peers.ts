import type { ServerResponse } from 'node:http';
import { bodyOf, JSON_TYPE, listenOn, readMessages, SSE_TYPE, writeEvent } from './http-common.ts';
import { Inbox } from './inbox.ts';
import type { Message } from './line.ts';
import type { Peer } from './peer.ts';

/** A client that speaks HTTP with SSE to `url`, once it was told where to post to. */
export async function sseClient(url: string): Promise<Peer> {
  const inbox = new Inbox('client');
  const leaving = new AbortController();
  const response = await fetch(url, { headers: { accept: SSE_TYPE }, signal: leaving.signal });
  const endpoint = await new Promise<string>((resolve) => {
    readMessages(response, inbox, (event, data) => event === 'endpoint' && resolve(data)).catch(() => {});
  });
  return {
    inbox,
    async say({ message }) {
      const headers = { 'content-type': JSON_TYPE };
      const body = JSON.stringify(message);
      await (await fetch(new URL(endpoint, url), { method: 'POST', body, headers })).text();
    },
    close: () => leaving.abort(),
  };
}

/** A server that speaks HTTP with SSE, and names where to post by a path, or by a whole URL. */
export async function sseServer(byOrigin = false): Promise<Peer & { url: string }> {
  const inbox = new Inbox('server');
  let stream: ServerResponse | undefined;
  let leave: () => void;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const listener = await listenOn(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': SSE_TYPE });
      response.once('close', () => leave());
      const base = byOrigin ? listener.origin : '';
      return writeEvent(response, `${base}/messages?sessionId=a-session`, 'endpoint');
    }
    if (request.url === '/sse') return void response.writeHead(405).end();
    const message = JSON.parse(await bodyOf(request)) as Message;
    response.writeHead(202).end('Accepted');
    inbox.put(message);
  });
  return {
    url: `${listener.origin}/sse`,
    inbox,
    say: ({ message }) => writeEvent(stream!, JSON.stringify(message)),
    close: () => listener.close(),
    left: () => left,
  };
}
