import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { isResponse } from '../../../src/protocol/message.ts';
import { McpHttpClient } from '../../../src/transports/http/client/mcp-http-client.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, result } from '../../support/conversation.ts';
import { data, hastyClock } from './dialing.ts';

const answer = JSON.stringify(result(1, 'A'));
const EVENTS = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
const bodies = [
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
  `${EVENTS}: hi\n\nretry: 1\ndata: \n\n${data(result(1, 'A'))}`,
  'HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno',
  'HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
];

/** What a server says in all, and how it ends: cut short, doubled, with bytes changed. */
const speech = fc
  .record({
    text: fc.constantFrom(...bodies, ''),
    keep: fc.nat({ max: 300 }),
    junk: fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
    isReset: fc.boolean(),
  })
  .map(({ text, keep, junk, isReset }) => {
    const bytes = Buffer.from(text).subarray(0, keep);
    for (const [at, byte] of junk) if (at < bytes.length) bytes[at] = byte;
    return { bytes: Buffer.from(bytes), isReset };
  });

describe('a request', () => {
  let said: { bytes: Buffer; isReset: boolean };
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(said.bytes, () => (said.isReset ? socket.resetAndDestroy() : socket.end()));
    });
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  it('ends in an answer, in the news that there will be none, or in an error, whatever the server says', async () => {
    const { port } = server.address() as AddressInfo;
    const upstream = parseUpstream(`http://127.0.0.1:${port}/mcp`);
    await fc.assert(
      fc.asyncProperty(speech, async (speaks) => {
        said = speaks;
        const ends: string[] = [];
        await new Promise<void>((resolve) => {
          const end = (how: string) => {
            ends.push(how);
            resolve();
          };
          const dialer = new McpHttpClient({
            upstream,
            clock: hastyClock(),
            patience: 1,
            failed: ({ code }) => end(code),
          });
          dialer.listen(({ frame, unanswered }) => {
            const message = frame.kind === 'message' ? frame.json.value : undefined;
            if (isResponse(message) && message.id === 1) end('answered');
            if (unanswered.length > 0) end('unanswered');
          });
          const json = new JsonText(JSON.stringify(call(1, 'a')));
          dialer.send({ kind: 'message', at: 0, from: 'client', json });
        });
        expect(ends).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});
