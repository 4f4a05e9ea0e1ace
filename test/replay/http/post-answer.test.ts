import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { PostAnswer, type ResponseMode } from '../../../src/replay/http/post-answer.ts';
import type { DeliveredFrame } from '../../../src/replay/http/recorded-delivery.ts';
import type { HttpResponse } from '../../../src/replay/http/requests/accept-or-refuse-request.ts';
import { EventLog, ResumableEventStream } from '../../../src/replay/http/resumable-event-stream.ts';
import { notification, result } from '../../support/conversation.ts';

const exchange = (...ids: string[]) => exchangeIn('auto', ...ids);

function exchangeIn(responseMode: ResponseMode, ...ids: string[]) {
  const did: unknown[] = [];
  const reply = {
    answer: ({ status, body }: { status: number; body?: string }) => void did.push([status, body]),
    stream: () => void did.push('stream'),
    event: (data?: string) => void did.push(data && JSON.parse(data)),
    begin: ({ status, headers }: Omit<HttpResponse, 'body'>) => void did.push([status, headers]),
    write: (data: Uint8Array) => void did.push(Buffer.from(data).toString()),
    end: () => void did.push('end'),
    abort: (how: string) => void did.push(how),
  };
  const one = new PostAnswer({
    reply,
    stream: new ResumableEventStream(new EventLog()),
    ids,
    headers: {},
    responseMode,
    done: () => void did.push('done'),
  });
  const say = (message: object, carried = {}) => one.send(new JsonText(JSON.stringify(message)), carried);
  return { one, say, did };
}

const asBody = (message: object): DeliveredFrame => ({
  ...{ kind: 'message', at: 0, from: 'server', json: new JsonText(JSON.stringify(message)) },
  delivery: { bodyFor: 1 },
});

const [A, B, note] = [result(1, 'a'), result(2, 'b'), notification('message', { level: 'info', data: 1 })];

describe('an exchange', () => {
  it('with nothing but its answer is JSON, with the status of the cassette', () => {
    const { say, did } = exchange('1');
    say(A, { status: 404 });
    expect(did).toEqual([[404, JSON.stringify(A)], 'done']);
  });

  it('is a stream where its answer was an event in the cassette', () => {
    const { say, did } = exchange('1');
    say(A, { sse: {} });
    expect(did).toEqual(['stream', A, 'end', 'done']);
  });

  it('is a stream where every answer is to come as an event, but for another status and a recorded body', () => {
    const streamed = exchangeIn('sse', '1', '2');
    streamed.say(A);
    streamed.say(B);
    expect(streamed.did).toEqual(['stream', A, B, 'end', 'done']);
    const refused = exchangeIn('sse', '1');
    refused.say(A, { status: 404 });
    expect(refused.did).toEqual([[404, JSON.stringify(A)], 'done']);
    const recorded = exchangeIn('sse', '1');
    recorded.one.send(new JsonText(JSON.stringify(A)), {}, asBody(A));
    expect(recorded.did).toEqual([[200, JSON.stringify(A)], 'done']);
  });

  it('is a stream where something goes before the answer, and ends with the answer', () => {
    const { say, did } = exchange('1');
    say(note);
    say(A);
    say(note);
    expect(did).toEqual(['stream', note, A, 'end', 'done']);
  });

  it('of a batch ends with the last answer', () => {
    const { one, say, did } = exchange('1', '2');
    say(B);
    expect(one.open).toEqual(['1']);
    say(A);
    expect(did).toEqual([[200, JSON.stringify([B, A])], 'done']);
  });

  it('of a batch with one answer is that, alone', () => {
    const { say, did } = exchange('1');
    say(A);
    expect(did).toEqual([[200, JSON.stringify(A)], 'done']);
  });

  it('of a batch is a stream once something else is said', () => {
    const { say, did } = exchange('1', '2');
    say(B);
    say(note);
    say(A);
    expect(did).toEqual(['stream', B, note, A, 'end', 'done']);
  });

  it('whose events have ids goes on without its connection', () => {
    const { one, say, did } = exchange('1');
    one.prime({ id: 'x' });
    expect(one.drop()).toBe(false);
    say(A);
    expect(did).toEqual(['stream', '', 'done']);
  });

  it('that is closed before its answer is over where nobody can come back', () => {
    const { one, say, did } = exchange('1');
    one.close();
    say(A);
    expect(did).toEqual(['stream', 'end', 'done']);
  });

  it.each(['fin', 'rst'] as const)('whose connection was lost loses it, with what there was: %s', (how) => {
    const { one, say, did } = exchange('1');
    say(note);
    one.close(how);
    say(A);
    expect(did).toEqual(['stream', note, how, 'done']);
  });

  it('whose connection was lost before anything came, or after the head, loses it so', () => {
    const [bare, begun] = [exchange('1'), exchange('1')];
    bare.one.close('rst');
    begun.one.answer({ kind: 'http-response', at: 0, from: 'server', status: 'sse' });
    begun.one.close('fin');
    expect([bare.did, begun.did]).toEqual([
      ['rst', 'done'],
      ['stream', 'fin', 'done'],
    ]);
  });

  it('says a part of an event, or of a body, before its connection is lost', () => {
    const part = {
      kind: 'line',
      at: 0,
      from: 'server',
      on: 'protocol',
      data: '{"jso',
      partial: true,
    } as const;
    const [event, body] = [exchange('1'), exchange('1')];
    event.one.sayNoise({ ...part, sse: { id: 'x' } });
    event.one.close('fin');
    body.one.sayNoise(part);
    body.one.close('rst');
    expect([event.did, body.did]).toEqual([
      ['stream', 'id: x\ndata: {"jso', 'fin', 'done'],
      [[200, { 'content-type': 'application/json', 'content-length': '6' }], '{"jso', 'rst', 'done'],
    ]);
  });

  it('says what is no message, and goes on where that was an event', () => {
    const noise = { kind: 'line', at: 0, from: 'server', on: 'protocol', data: 'oops' } as const;
    const [event, body] = [exchange('1'), exchange('1')];
    event.one.sayNoise({ ...noise, sse: {} });
    event.say(A);
    body.one.sayNoise({ ...noise, status: 500, headers: { 'content-type': 'text/plain' } });
    expect([event.did, body.did]).toEqual([
      ['stream', 'data: oops\n\n', A, 'end', 'done'],
      [[500, { 'content-type': 'text/plain', 'content-length': '4' }], 'oops', 'end', 'done'],
    ]);
  });

  it('that nobody listens to any more says nothing, and knows what it had not answered', () => {
    const { one, say, did } = exchange('1');
    one.drop();
    say(A);
    expect([did, one.open]).toEqual([[], ['1']]);
  });
});
