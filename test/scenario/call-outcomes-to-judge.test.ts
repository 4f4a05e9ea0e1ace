import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { callOutcomesOf } from '../../src/scenario/call-outcomes-to-judge.ts';
import { call, callOn, cassette, client, leaves } from '../support/conversation.ts';

const calls = (...events: string[]) =>
  callOutcomesOf(
    parseCassette(`format: mcp-record/1\nevents:\n${events.map((one) => `- ${one}\n`).join('')}`, 'a.yaml').events,
  );

const CALL = '{ client: { id: 1, method: tools/call, params: { name: add } } }';
const CANCEL = '{ client: { method: notifications/cancelled, params: { requestId: 1 } }, after: 20 }';
const ANSWER = '{ server: { id: 1, result: { content: [] } }, after: 50 }';
const add = { method: 'tools/call', name: 'add' };

it.each([
  ['succeeds by its answer', [CALL, ANSWER], { fate: 'succeeds', took: 50 }],
  [
    'fails by an error',
    [CALL, '{ server: { id: 1, error: { code: 5, message: no } } }'],
    { fate: 'fails', took: 0, error: { code: 5, message: 'no' } },
  ],
  [
    'fails by a result that says so',
    [CALL, '{ server: { id: 1, result: { isError: true } } }'],
    { fate: 'fails', took: 0 },
  ],
  ['is unanswered where nothing came', [CALL], { fate: 'unanswered' }],
  ['is cancelled before its answer', [CALL, CANCEL, ANSWER], { fate: 'cancelled', took: 20 }],
  ['succeeds where the cancel came late', [CALL, ANSWER, CANCEL], { fate: 'succeeds', took: 50 }],
])('a call %s', (_, events, fate) => expect(calls(...events)).toMatchObject([{ ...add, ...fate }]));

it('requests of the server are calls too', () => {
  expect(
    calls('{ server: { id: 1, method: roots/list } }', '{ client: { id: 1, result: { roots: [] } } }'),
  ).toMatchObject([{ method: 'roots/list', name: undefined, fate: 'succeeds', took: 0 }]);
});

it('a call is cancelled where its client closes its stream, from 2026-07-28 on', () => {
  const older = { ...client(call(2, 'add')), stream: 2 };
  expect(callOutcomesOf(cassette(callOn(1, 1, 'add', 10), older, leaves(1, 40), leaves(2)).events)).toMatchObject([
    { ...add, fate: 'cancelled', took: 30 },
    { ...add, fate: 'unanswered' },
  ]);
});

it('a call that HTTP refused fails with its status, and is not left unanswered', () => {
  const asked = { ...client(call(1, 'add')), stream: 1 };
  const refused: Frame = {
    kind: 'http-response',
    at: 5,
    from: 'server',
    stream: 1,
    status: 503,
    body: 'busy',
  };
  expect(callOutcomesOf(cassette(asked, refused).events)).toMatchObject([
    { ...add, fate: 'fails', took: 5, error: { code: 503, message: 'HTTP 503 busy' } },
  ]);
});
