import { expect, it } from 'vitest';
import { HttpMessageLog } from '../../src/journal/http-message-log.ts';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { parseJson } from '../../src/protocol/json-text.ts';

const initialize = { id: 0, method: 'initialize' };
const call = { id: 1, method: 'tools/call' };

it('counts sessions in the order in which they begin, whenever their ids are issued', () => {
  const received = new MessageLog(new ManualClock());
  const sessions = new HttpMessageLog(received);
  const first = sessions.startExchange({ host: 'a' }, initialize);
  const second = sessions.startExchange({}, initialize);
  second.addResponseHeaders({ 'mcp-session-id': 'two' });
  first.addResponseHeaders({ 'mcp-session-id': 'one' });
  const asks = sessions.startExchange({ 'mcp-session-id': 'one' }, call);
  asks.addServerMessage({ id: 5, method: 'roots/list' });
  // Only the answer to `initialize` issues an id.
  asks.addResponseHeaders({ 'mcp-session-id': 'three' });
  sessions.startExchange({ 'mcp-session-id': 'two' }, { id: 5, result: {} });
  sessions.startExchange({ 'mcp-session-id': 'one' }, { id: 5, result: {} });
  sessions.startExchange({ 'mcp-session-id': 'three' }, call);
  const { journal } = received;
  expect(journal.entries.map(({ session }) => session)).toEqual([1, 2, 1, 2, 1, undefined]);
  expect(journal.answers().map(({ to }) => to)).toEqual([undefined, 'roots/list']);
  expect(journal.requests('initialize')[0]?.headers).toEqual({ host: 'a' });
});

it('writes nothing down of what holds no message, and begins to count anew', () => {
  const received = new MessageLog(new ManualClock());
  const sessions = new HttpMessageLog(received);
  sessions.startExchange({}, undefined);
  sessions.startExchange({}, parseJson('{'));
  sessions.startExchange({}, initialize).addResponseHeaders({});
  sessions.reset();
  sessions.startExchange({}, initialize);
  expect(received.journal.entries.map(({ session }) => session)).toEqual([1, 1]);
});
