import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import {
  addedHandshakeFinding,
  addMissingHandshake,
  isMadeUp,
  refusedHandshakeFindings,
} from '../../../src/replay/prepare/add-missing-handshake.ts';
import { call, cassette, client, clientCloses, request, result, server } from '../../support/conversation.ts';

const opened = (...frames: Frame[]) => addMissingHandshake(eventsToEntries(cassette(...frames).events));
const called = [client(call(1, 'add')), server(result(1, '3'))];

describe('a cassette without initialize', () => {
  it('gets a handshake before its first message, from a client that can do what it is asked', () => {
    const entries = opened(server(request(0, 'roots/list')), ...called);
    expect(entries.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(entries.map(isMadeUp)).toEqual([true, true, true, false, false, false]);
    expect(entries[0]!.json!.value).toMatchObject({
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'mcp-record' },
      },
    });
    expect(entries[2]!.message).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
  });

  it.each<[string, Frame[]]>([
    ['has one', [client(request(0, 'initialize')), ...called]],
    ['asks nothing', [clientCloses]],
    [
      'is of 2026-07-28',
      [client(request(1, 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }))],
    ],
  ])('gets none where it %s', (_, frames) => {
    expect(opened(...frames).some(isMadeUp)).toBe(false);
  });
});

it('what was made up is told, and whether the server refused it', () => {
  expect(addedHandshakeFinding('a.yaml')).toEqual({
    kind: 'default',
    text: 'a.yaml has no initialize: the mock client made the handshake first, with 2025-11-25.',
  });
  expect(refusedHandshakeFindings(new JsonText('{"id":1,"result":{}}'))).toEqual([]);
  expect(refusedHandshakeFindings(new JsonText('{"id":1,"error":{"code":1,"message":"no"}}'))).toEqual([
    { kind: 'default', text: 'The server refused the handshake that the cassette leaves out: no.' },
  ]);
});
