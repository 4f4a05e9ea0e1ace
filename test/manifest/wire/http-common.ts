import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inbox } from './inbox.ts';
import type { Message } from './line.ts';

export const JSON_TYPE = 'application/json';
export const SSE_TYPE = 'text/event-stream';

export interface Listening {
  origin: string;
  close(): Promise<void>;
}

export async function listenOn(handle: RequestListener): Promise<Listening> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export function writeEvent(response: ServerResponse, data: string, event = 'message'): void {
  response.write(`event: ${event}\ndata: ${data}\n\n`);
}

/** Puts every message of a response into `inbox`, whatever form it has, and tells of other events. */
export async function readMessages(
  response: Response,
  inbox: Inbox,
  told: (event: string, data: string) => void = () => {},
): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith(JSON_TYPE)) return inbox.put((await response.json()) as Message);
  if (!type.startsWith(SSE_TYPE)) return void (await response.text());
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const field = (name: string) =>
        event
          .split('\n')
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const data = field('data');
      const name = field('event') ?? 'message';
      if (name !== 'message') told(name, data ?? '');
      else if (data) inbox.put(JSON.parse(data) as Message);
    }
  }
}
