import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { unplayableEntries } from '../../../src/cassette/correlate/unplayable-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';

/** `line: why next` of each entry that cannot be played. */
function told(...frames: Frame[]): string[] {
  const entries = eventsToEntries(cassette(...frames).events);
  return [...unplayableEntries(entries, correlateEntries(entries))].map(
    ({ entry, why, next }) => `${entry.line}: ${why}. ${next}`,
  );
}

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const asked = client(call(1, 'a'));

describe('an entry that no session can play is told with its line and what to do', () => {
  it('a request without an answer', () => {
    expect(told(asked)).toEqual([
      '1: this request (id 1) has no answer. Write its answer after it, or how the wait ended: notifications/cancelled, close: client, or exit.',
    ]);
  });

  it('an answer with another id, which names the request that waits', () => {
    expect(told(asked, server(result(7, 'a')))[1]).toBe(
      '2: this answer has the id 7, and no request with this id is open. Give it the id of the request that it answers: that of line 1, 1, has no answer.',
    );
  });

  it('an answer that clients do not take as one', () => {
    const odd = (answer: object) => server({ jsonrpc: '2.0', id: 1, ...answer });
    expect(told(asked, odd({ error: 'boom' }))).toEqual([
      '2: its error is not an object with a code and a message, so clients reject it as an answer. Write, for example: error: { code: -32000, message: "…" }.',
    ]);
    expect(told(asked, odd({ error: { code: '1', message: 'x' } }))).toHaveLength(1);
    expect(told(asked, odd({ error: { code: 1, message: 'x' }, result: {} }))).toEqual([
      '2: this answer has a result and an error. Delete one of the two: clients wait for an answer with one.',
    ]);
    for (const answer of [{ error: { code: 1, message: 'x' } }, { result: {}, error: null }])
      expect(told(asked, odd(answer))).toEqual([]);
  });

  it('an id of the wrong type', () => {
    expect(told(asked, server(result('1', 'a')))[1]).toBe(
      '2: this answer has the id "1", and no request with this id is open: that of line 1 is 1. Write both ids alike: a number and a text differ.',
    );
  });

  it('an answer before its request', () => {
    expect(told(server(result(1, 'a')), asked)[0]).toBe(
      '1: this answer has the id 1, and no request with this id is open yet: its request stands at line 2. Move the answer after it.',
    );
  });

  it('an answer on the wrong side', () => {
    expect(told(asked, client(result(1, 'a')))[1]).toBe(
      '2: this answer has the id 1, and no request with this id is open: line 1 is a request of the client itself. Write the answer as said by the other side: "server:".',
    );
  });

  it('a pasted request and a pasted answer without an id', () => {
    expect(told(client({ method: 'tools/call' }), server({ result: {} }))).toEqual([
      '1: this request has no id, so it is never answered. Give it an id that no other request of the cassette has, and its answer the same.',
      '2: this answer has no id, so it answers no request. Give it the id of the request that it answers.',
    ]);
  });

  it('a second answer', () => {
    expect(told(asked, server(result(1, 'a')), server(result(1, 'b')))).toEqual([
      '3: this answer has the id 1, and no request with this id is open: line 2 answers it already. Delete one of the two.',
    ]);
  });

  it('an answer to nothing at all', () => {
    expect(told(server(result(1, 'a')))).toEqual([
      '1: this answer has the id 1, and no request with this id is open. Give it the id of the request that it answers, or delete it.',
    ]);
  });

  it('two requests that are open with one id', () => {
    expect(told(asked, client(call(1, 'b')), server(result(1, 'b')))).toEqual([
      '1: this request has the id 1, and so has that of line 2, which was made before it was answered. Give each request an id of its own, and its answer the same.',
    ]);
  });

  it('progress for a token that nobody gave', () => {
    expect(told(client(call(1, 'a', {}, 't')), server(progress('u', 1)), server(result(1, 'a')))).toEqual([
      '2: this progress has the token "u", which no request before it gave. Give the request that it is about this params._meta.progressToken, or delete the progress.',
    ]);
  });

  it.each([
    ['the client has left', clientCloses],
    ['the server has ended', exits(0)],
  ])('a request after %s', (_, end) => {
    expect(told(asked, server(result(1, 'a')), end, client(call(2, 'b')))).toEqual([
      '4: this request stands after the end of the session at line 3. Move it before that line.',
    ]);
  });
});

describe('nothing is wrong with', () => {
  it.each<[string, Frame[]]>([
    ['a call and its answer', [asked, server(result(1, 'a'))]],
    ['an id that is used again after its answer', [asked, server(result(1, 'a')), asked, server(result(1, 'b'))]],
    ['a call that was cancelled', [asked, client(cancel(1))]],
    ['a call whose client left', [asked, clientCloses]],
    ['a call that the server did not survive', [asked, exits(1)]],
    ['a ping that nobody answers', [server(request(1, 'ping'))]],
    [
      'an answer of the client after it has closed',
      [server(request(1, 'roots/list')), clientCloses, client(result(1, 'r'))],
    ],
    [
      'an error about what could not be read',
      [server({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } })],
    ],
    [
      'an id that two clients use over HTTP',
      [on(1, asked), on(2, asked), on(1, server(result(1, 'a'))), on(2, server(result(1, 'b')))],
    ],
    ['an answer that HTTP brings again', [on(1, asked), on(1, server(result(1, 'a'))), on(2, server(result(1, 'a')))]],
  ])('%s', (_, frames) => {
    expect(told(...frames)).toEqual([]);
  });
});
