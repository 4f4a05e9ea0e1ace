import { describe, expect, it } from 'vitest';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import { ClientMessageChecks } from '../../../src/mock/server/client-message-checks.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { call, notification, request, result } from '../../support/conversation.ts';

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const initialize = request(0, 'initialize', params);

/** What is found of a client that sends these messages and batches. */
function found(...messages: unknown[]): string[] {
  const texts: string[] = [];
  const checks = new ClientMessageChecks(({ kind, text }) => texts.push(`${kind}: ${text}`));
  for (const message of messages) checks.received(new JsonText(JSON.stringify(message)));
  return texts;
}

const without = (name: string) => request(0, 'initialize', { ...params, [name]: undefined });
const calls = (args: unknown) => request(1, 'tools/call', { name: 't', arguments: args });

describe('a mock server of handlers finds of its client', () => {
  it.each<[string, unknown, string]>([
    [
      'no "jsonrpc"',
      { id: 1, method: 'tools/list' },
      'a message without "jsonrpc": "2.0", which servers do not read: "',
    ],
    ['another version in a response', { jsonrpc: '1.0', id: 1, result: {} }, 'a message without "jsonrpc": "2.0"'],
    ['a batch', [call(1, 't')], 'a batch, which servers do not read: "'],
    ['no clientInfo', without('clientInfo'), 'a bad initialize: its clientInfo is no object.'],
    ['no capabilities', without('capabilities'), 'a bad initialize: its capabilities are no object.'],
    ['no protocolVersion', without('protocolVersion'), 'a bad initialize: its protocolVersion is no string.'],
    ['no name', request(0, 'initialize', { ...params, clientInfo: {} }), 'a bad initialize: its clientInfo lacks name'],
    ['a text as arguments', calls('x'), 'a bad tools/call "t": its arguments are no object.'],
    ['a list as arguments', calls([1]), 'a bad tools/call "t": its arguments are no object.'],
    ['null as arguments', calls(null), 'a bad tools/call "t": its arguments are no object.'],
    ['null as id', { ...call(1, 't'), id: null }, 'a request whose id is no string or integer: "'],
    ['a fraction as id', { ...call(1, 't'), id: 1.5 }, 'a request whose id is no string or integer: "'],
  ])('%s, once', (_, message, text) => {
    const texts = found(message, message);
    expect(texts).toEqual([expect.stringContaining(`differs: The client sent ${text}`)]);
  });

  it('nothing, if it keeps to the specification', () => {
    const older = request(0, 'initialize', { ...params, protocolVersion: '2025-03-26' });
    const good = [initialize, notification('initialized'), call(1, 't'), { ...call(1, 't'), id: 'a' }, result(1, 'x')];
    expect(found(...good, request(2, 'tools/call', { name: 't' }), request(3, 'tools/list'))).toEqual([]);
    expect(found(older, [call(1, 't'), call(2, 't')])).toEqual([]);
  });

  it('no batch, if the server chose the revision of batches', () => {
    const texts: string[] = [];
    const checks = new ClientMessageChecks(({ text }) => texts.push(text));
    checks.received(new JsonText(JSON.stringify(initialize)));
    checks.answered('0', { result: { protocolVersion: '2025-03-26' } });
    checks.received(new JsonText(JSON.stringify([call(1, 't')])));
    expect(texts).toEqual([]);
  });
});

it('such a client fails the test, in memory and over HTTP', async () => {
  const bad = { id: 1, method: 'tools/call', params: { name: 't', arguments: 'x' } };
  const texts = [
    'The client sent a message without "jsonrpc": "2.0"',
    'The client sent a bad tools/call "t": its arguments are no object.',
  ].map((text) => ({ kind: 'differs', text: expect.stringContaining(text) }));
  const memory = await mockServer({ handlers: [tool('t', () => 'done')] });
  const { transport } = memory;
  const sent = (message: object) => {
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    return Promise.all([transport.send(message as never), answered]);
  };
  await transport.start();
  await sent(initialize);
  await transport.send(notification('initialized') as never);
  await sent(bad);
  expect((await memory.finish()).failures).toEqual(texts);

  const http = await mockServer({ over: 'http', handlers: [tool('t', () => 'done')] });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (message: object, more: object = {}) =>
    fetch(http.url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const opened = await post(initialize);
  await opened.text();
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-11-25',
  };
  await post(notification('initialized'), session);
  const answer = await post(bad, session);
  expect(await answer.text()).toContain('done');
  expect((await http.finish()).failures).toEqual(texts);
});
