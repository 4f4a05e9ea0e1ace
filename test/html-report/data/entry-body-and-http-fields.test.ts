import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { carriedOf, contentOf } from '../../../src/html-report/data/entry-body-and-http-fields.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { cassette, client, exits, request, stderr } from '../../support/conversation.ts';

const entryOf = (frame: Frame) => eventsToEntries(cassette(frame).events)[0]!;
const at = { at: 0, from: 'server', stream: 4 } as const;

describe('what a move carried', () => {
  it.each<[string, Frame, unknown]>([
    [
      'a message is its JSON, as it was spelt',
      client('{"id":1.0,"method":"a"}'),
      { text: '{"id":1.0,"method":"a"}', language: 'json' },
    ],
    ['a line of standard error is text', stderr('hello'), { text: 'hello', language: 'text' }],
    [
      'bytes are base64',
      { kind: 'line', at: 0, from: 'server', on: 'protocol', data: Uint8Array.of(0xff, 0xfe) },
      { text: '//4=', language: 'text' },
    ],
    ['a comment is text', { kind: 'comment', ...at, text: 'ping' }, { text: 'ping', language: 'text' }],
    [
      'an event without a message is its data',
      { kind: 'sse', ...at, sse: { event: 'endpoint', data: '/m' } },
      { text: '/m', language: 'text' },
    ],
    ['an event without data is nothing', { kind: 'sse', ...at, sse: { id: '1' } }, undefined],
    [
      'a reply is its body',
      { kind: 'http-response', ...at, status: 400, body: 'no' },
      { text: 'no', language: 'text' },
    ],
    [
      'a body of bytes is base64',
      { kind: 'http-response', ...at, status: 400, body: Uint8Array.of(1) },
      { text: 'AQ==', language: 'text' },
    ],
    ['a reply without a body is nothing', { kind: 'http-response', ...at, status: 404 }, undefined],
    [
      'an authorization exchange is its JSON',
      { kind: 'authorization', at: 0, from: 'client', json: new JsonText('{"request":"mcp"}') },
      { text: '{"request":"mcp"}', language: 'json' },
    ],
    ['the end of a process is nothing', exits(0), undefined],
  ])('%s', (_, frame, content) => {
    expect(contentOf(entryOf(frame))).toEqual(content);
  });

  it('is cut where it is too long to be read, says what was cut, and is no JSON any more', () => {
    const whole = JSON.stringify(request(1, 'a', { text: 'x'.repeat(300 * 1024) }));
    expect(contentOf(entryOf(client(whole)))).toEqual({
      text: whole.slice(0, 256 * 1024),
      language: 'text',
      cutFrom: whole.length,
    });
  });
});

describe('how HTTP carried a move', () => {
  it.each<[string, Frame, unknown]>([
    ['over stdio it did not', client(request(1, 'a')), undefined],
    ['what is ordinary is not told', { kind: 'close', at: 0, from: 'server', stream: 4 }, undefined],
    ['a status is', { kind: 'http-response', ...at, status: 404 }, { status: 404 }],
    [
      'an event is without its data, which is the content',
      { kind: 'sse', ...at, sse: { id: '7', data: 'x' } },
      { sse: { id: '7' } },
    ],
    [
      'a method, a path and what is resumed are',
      { kind: 'open', ...at, from: 'client', method: 'GET', path: '/mcp', resumes: '7' },
      { method: 'GET', path: '/mcp', resumes: '7' },
    ],
  ])('%s', (_, frame, told) => {
    const text = carriedOf(entryOf(frame));
    expect(text === undefined ? undefined : JSON.parse(text)).toEqual(told);
  });
});
