import { describe, expect, it } from 'vitest';
import { META } from '../../src/protocol/meta.ts';
import { call, client, notification, progress, request, result, server } from '../support/conversation.ts';
import { named } from './performed.ts';
import { ACCEPT, served, servedAt } from './served.ts';

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const initialize = request(0, 'initialize', params);
const welcome = {
  jsonrpc: '2.0' as const,
  id: 0,
  result: { ...params, serverInfo: { name: 's', version: '1' } },
};
const opening = [client(initialize), server(welcome)];
const changed = notification('tools/list_changed');

function opened(mock: ReturnType<typeof served>) {
  const session = { 'mcp-session-id': mock.post(initialize).headers['mcp-session-id']! };
  const listen = () => mock.ask('GET', { ...session, ...ACCEPT });
  return { ...mock, session, listen };
}

describe('a mock server over Streamable HTTP', () => {
  it('says a response in the exchange of its request, and never where a client listens (§6, "Streams")', () => {
    const mock = opened(served(named('one', ...opening, client(call(1, 'a')), server(result(1, 'A')))));
    const listening = mock.listen();
    expect(mock.post(call(5, 'a'), mock.session).body).toEqual(result(5, 'A'));
    expect(listening.events).toEqual([]);
  });

  it('says a message on one stream, and broadcasts none (§6, "Streams")', () => {
    const events = [...opening, client(notification('initialized')), server(changed)];
    const mock = opened(served(named('one', ...events)));
    const streams = [mock.listen(), mock.listen()];
    mock.post(notification('initialized'), mock.session);
    mock.settle();
    expect(streams.flatMap((stream) => stream.events)).toEqual([changed]);
  });

  it('takes a lost connection for no cancel up to 2025-11-25 (§6, "Disconnect is not cancellation")', () => {
    const events = [client(call(1, 'a', {}, 't')), server(progress('t', 1)), server(result(1, 'A'), 1_000)];
    const mock = opened(servedAt('recorded', named('one', ...opening, ...events)));
    mock.post(call(5, 'a', {}, 'mine'), mock.session).leave();
    mock.clock.advance(1_000);
    mock.server.end();
    expect(mock.findings).toEqual([]);
  });

  it('takes a closed stream for a cancel from 2026-07-28 on, and says nothing more (§7)', () => {
    const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {}, progressToken: 't' };
    const asked = (id: number) => request(id, 'tools/call', { name: 'a', _meta });
    const events = [client(asked(1)), server(progress('t', 1)), server(result(1, 'A'), 1_000)];
    const mock = servedAt('recorded', named('one', ...events));
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a' };
    const answer = mock.post(asked(5), headers);
    expect([answer.events, answer.ids]).toEqual([[progress('t', 1)], [undefined]]);
    answer.leave();
    mock.clock.advance(1_000);
    mock.server.end();
    expect(answer.events).toHaveLength(1);
    expect(mock.findings.map(({ kind }) => kind)).toEqual(['unrecorded', 'unsent']);
  });
});
