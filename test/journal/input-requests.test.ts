import { expect, it } from 'vitest';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

const FORM = { message: 'City?', requestedSchema: { type: 'object', properties: {} } };
const asks = (id: number, inputRequests: object, requestState?: string) => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'input_required', inputRequests, ...(requestState && { requestState }) },
});
const calls = (id: number, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'book', ...params },
});

it('lists the answers inside of a call before it, with the methods of their requests', () => {
  const log = new MessageLog(new ManualClock());
  log.addFromClient(calls(1), {});
  log.addFromServer(
    asks(1, { a: { method: 'elicitation/create', params: FORM }, b: { method: 'roots/list' } }, 'state'),
    {},
  );
  log.addFromClient(
    calls(2, {
      inputResponses: { a: { action: 'decline' }, b: { roots: [] }, c: {}, d: 'none' },
      requestState: 'state',
    }),
    { headers: { x: 'y' } },
  );
  const { journal } = log;
  expect(journal.entries.map(({ kind }) => kind)).toEqual(['request', 'answer', 'answer', 'answer', 'request']);
  const result = { action: 'decline' };
  expect(journal.answers('elicitation/create')).toEqual([
    {
      kind: 'answer',
      to: 'elicitation/create',
      id: 'a',
      result,
      message: { jsonrpc: '2.0', id: 'a', result },
      headers: { x: 'y' },
    },
  ]);
  expect(journal.answers('roots/list')).toMatchObject([{ id: 'b', result: { roots: [] } }]);
  expect(journal.answers().map(({ to }) => to)).toEqual(['elicitation/create', 'roots/list', undefined]);
  expect(journal.requests('tools/call')).toHaveLength(2);
});

it('keeps apart the same key of two calls, and of two sessions', () => {
  const log = new MessageLog(new ManualClock());
  log.addFromServer(asks(1, { a: { method: 'roots/list' } }, 'one'), {});
  log.addFromServer(asks(2, { a: { method: 'elicitation/create' } }, 'two'), {});
  log.addFromServer(asks(1, { a: { method: 'sampling/createMessage' } }), { session: 1 });
  log.addFromClient(calls(3, { inputResponses: { a: {} }, requestState: 'one' }), {});
  log.addFromClient(calls(4, { inputResponses: { a: {} }, requestState: 'two' }), {});
  log.addFromClient(calls(5, { inputResponses: { a: {} } }), { session: 1 });
  log.addFromClient(calls(6, { inputResponses: { a: {} } }), { session: 2 });
  expect(log.journal.answers().map(({ to }) => to)).toEqual([
    'roots/list',
    'elicitation/create',
    'sampling/createMessage',
    undefined,
  ]);
});

it('lists what a server asks inside of its result, for a journal of its messages', async () => {
  const log = new MessageLog(new ManualClock());
  log.addFromServer(calls(1), {});
  const asked = log.journal.waitFor('elicitation/create', { params: { message: 'City?' } });
  log.addFromClient(asks(1, { a: { method: 'elicitation/create', params: FORM }, b: {}, c: 5 }), {});
  expect(await asked).toEqual({
    kind: 'request',
    method: 'elicitation/create',
    params: FORM,
    id: 'a',
    message: { jsonrpc: '2.0', id: 'a', method: 'elicitation/create', params: FORM },
  });
  expect(log.journal.entries.map(({ kind }) => kind)).toEqual(['answer', 'request']);
});

it('takes inputRequests elsewhere, and inputResponses that are no object, for nothing', () => {
  const log = new MessageLog(new ManualClock());
  log.addFromClient({ jsonrpc: '2.0', id: 1, result: [] }, {});
  log.addFromClient({ jsonrpc: '2.0', id: 2, result: { inputRequests: 'none' } }, {});
  log.addFromClient(calls(3, { inputResponses: ['x'] }), {});
  expect(log.journal.entries.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'request']);
});
