import { describe, expect, it } from 'vitest';
import { frameOfBody, frameOfEvent } from '../../../../src/transports/http/client/response-to-frame.ts';

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
const body = (status: number, type: string | undefined, text: string) =>
  frameOfBody(
    { status, headers: type === undefined ? [] : ['Content-Type', type], isStream: false },
    Buffer.from(text),
    5,
  );
const event = (fields: object) => frameOfEvent(fields, 5);

describe('a body', () => {
  it.each([
    [200, 'application/json', answer, { kind: 'message', at: 5 }],
    [200, 'Application/JSON; charset=utf-8', answer, { kind: 'message' }],
    [200, 'text/plain', answer, { kind: 'http-response', status: 200, body: answer }],
    [200, 'application/json', '"text"', { kind: 'http-response', body: '"text"' }],
    [400, 'application/json', answer, { kind: 'message', status: 400 }],
    [500, 'text/plain', answer, { kind: 'message', status: 500 }],
    [502, undefined, answer, { kind: 'message', status: 502 }],
    [502, 'text/html', '<p>', { kind: 'http-response', status: 502, headers: { 'content-type': 'text/html' } }],
  ])('of status %i and type %s: %s', (status, type, text, frame) => {
    expect(body(status, type, text)).toMatchObject(frame);
  });

  it.each([200, 500])('that is labelled as compressed is no message, whatever it is: status %i', (status) => {
    const headers = ['content-type', 'application/json', 'Content-Encoding', 'gzip'];
    expect(frameOfBody({ status, headers, isStream: false }, Buffer.from(answer), 5)).toMatchObject({
      kind: 'http-response',
      headers: { 'content-encoding': 'gzip' },
    });
    headers[3] = 'identity';
    expect(frameOfBody({ status, headers, isStream: false }, Buffer.from(answer), 5)).toMatchObject({
      kind: 'message',
    });
  });

  it('that is empty is none', () => {
    expect(body(405, undefined, '')).toEqual({ kind: 'http-response', at: 5, from: 'server', status: 405 });
  });
});

describe('an event', () => {
  it.each([
    [{ data: answer }, { kind: 'message', sse: {} }],
    [
      { data: answer, event: 'message', id: 'x' },
      { kind: 'message', sse: { id: 'x' } },
    ],
    [
      { data: '', id: 'x' },
      { kind: 'sse', sse: { id: 'x', data: '' } },
    ],
    [{ retry: 5 }, { kind: 'sse', sse: { retry: 5 } }],
    [
      { data: '/messages', event: 'endpoint' },
      { kind: 'sse', sse: { event: 'endpoint', data: '/messages' } },
    ],
    [{ data: 'hello' }, { kind: 'line', data: 'hello' }],
    [{ data: Uint8Array.of(255) }, { kind: 'line', data: Uint8Array.of(255) }],
  ])('%j', (fields, frame) => {
    expect(event(fields)).toMatchObject({ at: 5, from: 'server', ...frame });
  });

  it('that was cut off is none', () => {
    expect(event({ data: answer, partial: true })).toBeUndefined();
  });
});
