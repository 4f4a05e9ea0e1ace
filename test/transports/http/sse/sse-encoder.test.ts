import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SseDecoder, type SseEvent } from '../../../../src/transports/http/sse/sse-decoder.ts';
import { sseBytes, sseText } from '../../../../src/transports/http/sse/sse-encoder.ts';

function read(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  const decoder = new SseDecoder({
    event: (event) => events.push(event),
    comment() {},
    holdBytesMax: 1_000_000,
  });
  decoder.write(Buffer.from(text));
  decoder.end();
  return events;
}

it('an event is written with the fields that it has, and its data last', () => {
  expect(sseText('{}')).toBe('data: {}\n\n');
  expect(sseText('', { id: '7', retry: 300 })).toBe('id: 7\nretry: 300\ndata: \n\n');
  expect(sseText('/messages', { event: 'endpoint' })).toBe('event: endpoint\ndata: /messages\n\n');
});

it('what is written is read again as it was, lines and all', () => {
  const word = fc.stringMatching(/^[!-~]{1,20}$/);
  const data = fc.stringMatching(/^[ -~\n]{0,60}$/);
  fc.assert(
    fc.property(data, word, fc.nat(), (text, id, retry) => {
      expect(read(sseText(text, { id, retry }))).toEqual([{ data: text, id, retry }]);
    }),
  );
});

it('data may be bytes that are no text, and break off', () => {
  const data = Uint8Array.of(0xff, 0xfe);
  expect(sseBytes(data, { id: '1' })).toEqual(Buffer.from('id: 1\ndata: \xff\xfe\n\n', 'latin1'));
  expect(sseBytes('{"js', { event: 'message', partial: true }).toString()).toBe('event: message\ndata: {"js');
});

it('an event without data has no field for it', () => {
  expect(sseText(undefined, { retry: 5 })).toBe('retry: 5\n\n');
});
