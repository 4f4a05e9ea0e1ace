import { expect, it } from 'vitest';
import { recordedUses } from '../../../src/contract/usage/recorded-uses.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

it('has the requests of the client, the notifications of the server, the client and the revision', () => {
  const clientInfo = { name: 'editor', version: '1.2' };
  const recorded = cassette(
    client(request(0, 'initialize', { protocolVersion: '2025-11-25', clientInfo })),
    server({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } }),
    client(notification('initialized')),
    server(notification('tools/list_changed')),
    server(request(1, 'roots/list')),
    client(call(1, 'add', { a: 1 })),
  );
  const { revisions, ...rest } = recordedUses(recorded);
  expect([...revisions]).toEqual(['2025-06-18']);
  expect(rest).toMatchObject({
    file: 'cassette.yaml',
    client: 'editor 1.2',
    uses: [
      { line: 1, method: 'initialize' },
      { line: 4, method: 'notifications/tools/list_changed', params: {} },
      { line: 6, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } },
    ],
  });
});

it('reads a session without a handshake, and a client without a version', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'editor' },
  };
  const { revisions, client: name } = recordedUses(cassette(client(request(1, 'tools/list', { _meta }))));
  expect([[...revisions], name]).toEqual([['2026-07-28'], 'editor']);
  expect(recordedUses(cassette())).not.toHaveProperty('client');
});

it('keeps the name of a tool that is called with deep arguments', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const text = `{"id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":${deep}}}}`;
  expect(recordedUses(cassette(client(text))).uses[0]!.params.name).toBe('add');
});
