import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { describe, expect, it } from 'vitest';
import { request as handle, mockServer, RpcFailure } from '../../../src/adapters/mock.ts';
import { client2Over } from '../../e2e/session/client-2.ts';
import type { TransportLike } from '../../e2e/session/peer.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { CLIENTS, connectTo, WAYS } from '../clients.ts';
import { handlers, waiting } from './asking-handlers.ts';

const subscribing = handle('resources/subscribe', () => ({}));

describe.each(WAYS)('$client over $over', ({ client, over }) => {
  it('breaks no rule', async () => {
    let cancelled = () => {};
    const isCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const server = await mockServer({
      over,
      handlers: [waiting('slow', cancelled), ...handlers, subscribing],
    } as never);
    const peer = await connectTo(server, client);
    const isModern = client.endsWith('2026-07-28');
    if (!isModern) await peer.request('ping');
    await peer.request('tools/list');
    await peer.request('prompts/list');
    await peer.request('prompts/list', { cursor: 'two' });
    expect(await peer.request('tools/call', { name: 'ask' }, { progress: true })).toMatchObject({
      content: [{ text: expect.any(String) }],
    });
    if (!isModern) await peer.request('resources/subscribe', { uri: 'x://a' });
    const abort = new AbortController();
    const called = peer.request('tools/call', { name: 'slow' }, { signal: abort.signal }).catch(() => {});
    await server.journal.waitFor('tools/call', { params: { name: 'slow' } });
    abort.abort();
    await Promise.all([called, isCancelled]);
    await peer.close();
    expect((await server.finish()).failures).toEqual([]);
  });
});

it('client 2 breaks no rule where it finds out that the server is of an earlier revision', async () => {
  const legacy = handle('server/discover', () => {
    throw new RpcFailure({ code: -32601, message: 'Method not found' });
  });
  const [memory, http, sse] = [
    await mockServer({ handlers: [legacy, ...handlers] }),
    await mockServer({ over: 'http', handlers: [legacy, ...handlers] }),
    await mockServer({ over: 'http', handlers }),
  ];
  const peers = [
    await client2Over(memory.transport, 'auto'),
    await client2Over(new CLIENTS['client 2'].http(new URL(http.url)) as TransportLike, 'auto'),
    await sdk1Over(new SSEClientTransport(new URL('/sse', sse.url)) as TransportLike),
  ];
  for (const peer of peers) {
    await peer.request('tools/call', { name: 'ask' }, { progress: true });
    await peer.close();
  }
  for (const server of [memory, http, sse]) expect((await server.finish()).failures).toEqual([]);
});
