import { describe, expect, it } from 'vitest';
import { httpErrorFrame, parseEvent } from '../../../src/cassette/read/parse-event.ts';
import type { Frame, MessageFrame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';

function read(fields: Record<string, unknown>, since = 0) {
  const text = Object.keys(fields).join('\n');
  const list = Object.entries(fields).map(([key, value]) => ({
    key,
    json: JSON.stringify(value),
    at: text.indexOf(key),
  }));
  return parseEvent({ fields: list, source: { file: 'a.yaml', text, line: 3 }, at: 0, since });
}

const frameOf = (fields: Record<string, unknown>) => read(fields).frame;

describe('an event', () => {
  it.each([
    [{ client: { method: 'ping' } }, { kind: 'message', from: 'client' }],
    [{ server: [] }, { kind: 'message', from: 'server' }],
    [{ server: 'Listening' }, { kind: 'line', from: 'server', on: 'protocol', data: 'Listening' }],
    [{ server: '{"id":1,"id":1}' }, { kind: 'message', from: 'server', json: { text: '{"id":1,"id":1}' } }],
    [{ stderr: 'x' }, { kind: 'line', from: 'server', on: 'stderr', data: 'x' }],
    [{ stderr: '{}' }, { kind: 'line', on: 'stderr', data: '{}' }],
    [{ clientBytes: '/w==' }, { kind: 'line', from: 'client', on: 'protocol', data: Uint8Array.of(0xff) }],
    [{ stderrBytes: '/w==' }, { kind: 'line', from: 'server', on: 'stderr', data: Uint8Array.of(0xff) }],
    [{ serverBytes: 'e30=' }, { kind: 'message', from: 'server', json: { text: '{}' } }],
    [{ serverBytes: 'b2s=' }, { kind: 'line', from: 'server', data: 'ok' }],
    [{ close: 'client' }, { kind: 'close', from: 'client' }],
    [{ signal: 'SIGTERM' }, { kind: 'signal', from: 'client', signal: 'SIGTERM' }],
    [{ exit: 0 }, { kind: 'exit', from: 'server', status: 0 }],
    [{ exit: 'SIGKILL' }, { kind: 'exit', from: 'server', status: 'SIGKILL' }],
    [
      { server: 'half', partial: true },
      { kind: 'line', data: 'half', partial: true },
    ],
    [
      { server: '{"id":1}', partial: true },
      { kind: 'line', data: '{"id":1}', partial: true },
    ],
    [
      { after: 5, close: 'server' },
      { kind: 'close', at: 5 },
    ],
  ])('%j is read', (fields, frame) => expect(frameOf(fields)).toMatchObject(frame));

  it('keeps how people want it to be matched', () => {
    const match = { ignore: ['/params/arguments/g', '/20\\d\\d-\\d\\d/', '/rain/i'], repeat: 'last' };
    expect(read({ client: { method: 'now' }, match })).toMatchObject({ match });
  });

  it('passes as long after the one before as it says', () => {
    expect(read({ close: 'client', after: 1.5 }, 100).frame!.at).toBe(101.5);
    expect(read({ close: 'client' }, 100).frame!.at).toBe(100);
  });

  it('may end the cassette', () => expect(read({ end: 'complete' })).toEqual({ end: 'complete' }));

  it.each([
    [
      { client: {}, afer: 1 },
      'an event has no key "afer". [CASSETTE_BAD_EVENT]\n  at a.yaml:4:1\n    afer\n    ^\n  Did you mean "after"?',
    ],
    [{ client: {}, banana: 1 }, 'It may have: client, server,'],
    [{ client: {}, server: {} }, 'one event says both "client" and "server"'],
    [{ after: 1 }, 'the event does not say what happened'],
    [{}, 'the event does not say what happened'],
    [{ client: 1 }, '"client" is 1, not text'],
    [{ client: null }, '"client" is null, not text'],
    [{ stderr: 42 }, 'Put it in quotes.'],
    [{ serverBytes: 'abc' }, 'not bytes in base64'],
    [{ serverBytes: 'ab*=' }, 'not bytes in base64'],
    [{ close: 'both' }, '"close" is "both", not client or server'],
    [{ exit: 1.5 }, 'not a status from 0 to 4294967295, or the name of a signal'],
    [{ exit: null }, 'not a status from 0 to 4294967295, or the name of a signal'],
    [{ close: 'client', after: -1 }, 'not a number of milliseconds'],
    [{ close: 'client', after: '5' }, 'not a number of milliseconds'],
    [{ close: 'client', partial: true }, 'only a line can be partial'],
    [{ close: 'client', match: {} }, '"match" cannot stand beside "close"'],
    [{ client: {}, match: 'last' }, 'not how to match'],
    [{ client: {}, match: { ignore: ['now'] } }, 'not how to match'],
    [{ server: {}, match: { ignore: ['/.*/'] } }, 'matches every text'],
    [{ server: {}, match: { ignore: ['/(?=a)/'] } }, 'is not a regular expression'],
    [{ server: {}, match: { ignore: ['/a|b/g'] } }, 'has flags that an expression has not'],
    [{ client: {}, match: { repeat: 'always' } }, 'not how to match'],
    [{ client: {}, match: { optional: 'yes' } }, 'not how to match'],
    [{ server: 'no message', match: { optional: true } }, '"optional" is for messages'],
    [{ client: {}, match: { repeats: 'last' } }, 'not how to match'],
    [{ server: 'x', partial: false }, '"partial" is false, not true'],
    [{ close: 'x'.repeat(1000) }, '"close" is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, not'],
  ])('%j is refused', (fields, message) => expect(() => read(fields)).toThrow(message));
});

describe('the body of an HTTP error that an earlier recorder wrote as a message', () => {
  const OAUTH = '{"error":"invalid_token","error_description":"Token has expired"}';
  const NO_SHAPE = '{"id":1,"error":"none"}';
  const frame = (text: string, fields: Partial<MessageFrame> = {}): MessageFrame => ({
    kind: 'message',
    at: 0,
    from: 'server',
    stream: 1,
    json: new JsonText(text),
    ...fields,
  });

  it('is an HTTP response, with all that the event of an earlier recorder says', () => {
    const headers = { 'www-authenticate': 'Bearer' };
    const read = httpErrorFrame(frame(OAUTH, { status: 401, headers, session: 'new' }), false);
    expect(read).toEqual({
      kind: 'http-response',
      at: 0,
      from: 'server',
      stream: 1,
      status: 401,
      headers: { 'content-type': 'application/json', ...headers },
      session: 'new',
      body: OAUTH,
    } satisfies Frame);
  });

  it('is none where a person wrote a message without "jsonrpc"', () => {
    const error = frame('{"error":{"code":-32000,"message":"no"}}', { status: 400 });
    expect(httpErrorFrame(error, true)).toBe(error);
    expect(httpErrorFrame(frame(NO_SHAPE, { status: 400 }), true)).toMatchObject({
      kind: 'http-response',
      body: NO_SHAPE,
    });
  });
});
