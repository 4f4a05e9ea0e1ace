import { expect, it } from 'vitest';
import { HttpDeliveries, jsonOf } from '../../src/journal/http-deliveries.ts';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

const initialize = { id: 0, method: 'initialize' };
const call = { id: 1, method: 'tools/call' };

it('counts sessions in the order in which they begin, whenever their ids are issued', () => {
  const received = new MessageLog(new ManualClock());
  const sessions = new HttpDeliveries(received);
  const first = sessions.exchange({ host: 'a' }, initialize);
  const second = sessions.exchange({}, initialize);
  second.answered({ 'mcp-session-id': 'two' });
  first.answered({ 'mcp-session-id': 'one' });
  const asks = sessions.exchange({ 'mcp-session-id': 'one' }, call);
  asks.said({ id: 5, method: 'roots/list' });
  // Only the answer to `initialize` issues an id.
  asks.answered({ 'mcp-session-id': 'three' });
  sessions.exchange({ 'mcp-session-id': 'two' }, { id: 5, result: {} });
  sessions.exchange({ 'mcp-session-id': 'one' }, { id: 5, result: {} });
  sessions.exchange({ 'mcp-session-id': 'three' }, call);
  const { journal } = received;
  expect(journal.entries.map(({ session }) => session)).toEqual([1, 2, 1, 2, 1, undefined]);
  expect(journal.answers().map(({ to }) => to)).toEqual([undefined, 'roots/list']);
  expect(journal.requests('initialize')[0]?.headers).toEqual({ host: 'a' });
});

it('writes nothing down of what holds no message, and begins to count anew', () => {
  const received = new MessageLog(new ManualClock());
  const sessions = new HttpDeliveries(received);
  sessions.exchange({}, undefined);
  sessions.exchange({}, jsonOf('{'));
  sessions.exchange({}, initialize).answered({});
  sessions.reset();
  sessions.exchange({}, initialize);
  expect(received.journal.entries.map(({ session }) => session)).toEqual([1, 1]);
});
