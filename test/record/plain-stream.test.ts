import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversation, inSession } from './http-conversation.ts';

/** Blocks of an event stream: those that may go the short way to the cassette, and those that only look like it. */
const BLOCKS = [
  'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}\n\n',
  'data: {"method":"notifications/message","params":{"data":"a b"},"jsonrpc":"2.0"}\n\n',
  'data: {"method":"ping","id":3,"jsonrpc":"2.0"}\r\n\r\n',
  'data: {"method":"ping","id":4,"jsonrpc":"2.0"}\n\r\n',
  'data:{"method":"ping","id":5,"jsonrpc":"2.0"}\n\n',
  'data: {"method":"a",\ndata: "id":6}\n\n',
  'id: 7\ndata: {"method":"notifications/a"}\n\n',
  'data: {"method":"notifications/a"}\nid: 8\n\n',
  'data: {"method":"notifications/a"}\n: word\n\n',
  'data: {"method":"notifications/ä"}\n\n',
  'data: {"method":"a","method":"b"}\n\n',
  'data: {"method":"notifications/a","params":{"long":"0123456789012345678901234567890123456789"}}\n\n',
  'data: {"method":"\n\n',
  'data: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}\n\n',
  'event: endpoint\ndata: {"method":"a"}\n\n',
  'event: message\ndata: {"method":"notifications/a"}\n\n',
  'event: message\nid: _GET_stream_17\ndata: {"method":"notifications/a","params":{"data":"a b"}}\n\n',
  'id:  9: \nevent: message\ndata: {"method":"notifications/a"}\n\n',
  'retry: 500\nid: 10\ndata: {"method":"notifications/a"}\n\n',
  `id: ghp_${'a1B2'.repeat(9)}\ndata: {"method":"notifications/a"}\n\n`,
  'data: \n\n',
  ': word\n\n',
  '\n',
];

/** The cassette of a stream whose blocks come 20 ms apart, each in pieces of `size` bytes. */
function cassetteOf(blocks: readonly string[], size: number, holdBytesMax = 1e6): string {
  using line = conversation({ holdBytesMax });
  line.open('s');
  const stream = line.ask({ body: { jsonrpc: '2.0', id: 1, method: 'a' }, headers: inSession('s') }).stream();
  for (const block of blocks) {
    const bytes = Buffer.from(block);
    for (let at = 0; at < bytes.length; at += size) stream.says(bytes.subarray(at, at + size));
    line.clock.advance(20);
  }
  stream.ends();
  expect(line.failures).toEqual([]);
  return line.cassetteText();
}

describe('an event of a stream that comes whole', () => {
  it('is in the cassette as one that comes byte by byte', () => {
    const several = fc.array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(several, { minLength: 1, maxLength: 3 }), (blocks) => {
        expect(cassetteOf(blocks, 1e6)).toBe(cassetteOf(blocks, 1));
      }),
    );
  });

  it('is cut where it is longer than may be held', () => {
    expect(cassetteOf([BLOCKS[0]!], 1e6, 40)).toContain('partial: true');
  });

  it('and may be in the session that its stream begins is not in the cassette before that', () => {
    using line = conversation();
    const message = { method: 'notifications/a' };
    line
      .ask({ method: 'GET', headers: inSession('s', { Accept: 'text/event-stream' }) })
      .stream()
      .event(message);
    line
      .ask({ body: { jsonrpc: '2.0', id: 0, method: 'initialize' } })
      .stream({ 'Mcp-Session-Id': 't' })
      .event(message);
    expect(line.cassetteText('cassette-2.yaml')).toContain('session: new\n');
    expect(line.cassetteText()).toMatch(/method: notifications\/a\n {2}stream: 1\n {2}sse: \{\}\n- $/);
  });
});
