import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { recorded } from './recorded-restart.ts';

it('lets a client go on that waits for 100 Continue, and sends its whole body to the server', async () => {
  const { server, client, end } = await recorded();
  const peer = await client().open();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'late' } });
  const sent = request(peer.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Expect: '100-continue',
      ...(peer.session !== undefined && { 'Mcp-Session-Id': peer.session }),
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, 20));
  sent.end(body.slice(20));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([response.statusCode, await text(response)]).toEqual([200, expect.stringContaining('"said":"late"')]);
  expect(server.calls()).toEqual(['late']);
  await end();
});

it('is over when its client leaves before the request is whole: the server hears nothing', async () => {
  const { server, client, end } = await recorded();
  const peer = await client().open();
  const sent = request(peer.url, { method: 'POST', headers: { Expect: '100-continue', 'Content-Length': '100' } });
  sent.on('error', () => {});
  sent.flushHeaders();
  await once(sent, 'continue');
  await new Promise((resolve) => sent.once('close', resolve).destroy());
  expect(await peer.called('next')).toMatchObject({ result: { said: 'next' } });
  expect(server.calls()).toEqual(['next']);
  await end();
});
