import { describe, expect, it } from 'vitest';
import { SseEndpointRewriter } from '../../../../src/transports/http/proxy/sse-endpoint-rewriter.ts';

/** What passes of `stream`, cut into pieces of `size` bytes. */
function pass(stream: string, size: number): string {
  const rewriter = new SseEndpointRewriter((uri) => uri.replace('https://far', 'http://near'));
  const bytes = Buffer.from(stream);
  const passed: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) passed.push(rewriter.write(bytes.subarray(at, at + size)));
  return Buffer.concat([...passed, rewriter.end()]).toString();
}

describe('the endpoint event names the recorder, where it is absolute and where it is relative (§5)', () => {
  const rest = ': ping\n\nevent: message\ndata: https://far/x\n\nevent: endpoint\ndata: https://far/again\n\n';

  it.each([
    [`event: endpoint\ndata: https://far/x\n\n${rest}`, `event: endpoint\ndata: http://near/x\n\n${rest}`],
    [`event: endpoint\r\ndata: https://far/x\r\n\r\n${rest}`, `event: endpoint\r\ndata: http://near/x\r\n\r\n${rest}`],
    [
      `: welcome\n\nretry: 3000\n\nid: 1\nevent: endpoint\ndata: https://far/x\n\n${rest}`,
      `: welcome\n\nretry: 3000\n\nid: 1\nevent: endpoint\ndata: http://near/x\n\n${rest}`,
    ],
    [
      `\r\n\r\n: one\r\n: two\r\n\r\nevent: endpoint\r\ndata: https://far/x\r\n\r\n${rest}`,
      `\r\n\r\n: one\r\n: two\r\n\r\nevent: endpoint\r\ndata: http://near/x\r\n\r\n${rest}`,
    ],
  ])('is told as ours, and nothing else is touched: %j', (stream, expected) => {
    for (const size of [1, 7, 1000]) expect(pass(stream, size)).toBe(expected);
  });

  it.each([
    'event: endpoint\r\ndata: /relative?x=1\r\n\r\n',
    'event: message\ndata: https://far/x\n\n',
    'data: https://far/x\n\nevent: endpoint\ndata: https://far/x\n\n',
    'event: endpoint\ndata: https://far/never-finished',
    '\n\n: comment\n\n',
    'not a stream at all',
    `data: ${'x'.repeat(200_000)}`,
  ])('passes every other beginning byte for byte: %j', (stream) => {
    for (const size of [1, 7, 100_000]) expect(pass(stream, size)).toBe(stream);
  });

  it('holds back nothing that cannot belong to it', () => {
    const rewriter = new SseEndpointRewriter((uri) => uri);
    const write = (text: string) => Buffer.from(rewriter.write(Buffer.from(text))).toString();
    expect(write(': ping\n\n: pi')).toBe(': ping\n\n');
    expect(write('ng\n\n')).toBe(': ping\n\n');
    expect(write('event: end')).toBe('');
    expect(write('point\ndata: /x\n\ndata: 1')).toBe('event: endpoint\ndata: /x\n\ndata: 1');
    expect(write('2')).toBe('2');
  });
});
