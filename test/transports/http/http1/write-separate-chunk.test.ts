import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mirrorClose } from '../../../../src/transports/http/http1/mirror-close.ts';
import { writeSeparateChunk } from '../../../../src/transports/http/http1/write-separate-chunk.ts';
import { Wire } from '../wire.ts';

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** What a raw client hears after the head. */
async function heard(said: typeof answer): Promise<string> {
  answer = said;
  using client = new Wire(connect((server.address() as AddressInfo).port, '127.0.0.1'));
  client.says('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  await client.left;
  return client.heard.slice(client.heard.indexOf('\r\n\r\n') + 4);
}

it('two chunks of one tick are two', async () => {
  const body = await heard((response) => {
    writeSeparateChunk(response, 'one');
    writeSeparateChunk(response, Buffer.from('two'));
    response.end();
  });
  expect(body).toBe('3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n');
});

it.each(['fin', 'rst'] as const)(
  'what was written in the tick in which the connection is lost (%s) has left',
  async (how) => {
    const body = await heard((response) => {
      writeSeparateChunk(response, 'one');
      mirrorClose(response.socket!, how);
    });
    expect(body).toBe('3\r\none\r\n');
  },
);
