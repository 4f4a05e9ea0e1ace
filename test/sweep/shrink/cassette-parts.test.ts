import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { cassetteParts } from '../../../src/sweep/shrink/cassette-parts.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

const answer = (id: number, result: object) => server({ jsonrpc: '2.0', id, result });
const session: Cassette = cassette(
  client(
    request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
  ),
  answer(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  client(notification('initialized')),
  client(call(1, 'one')),
  server(request('ask', 'sampling/createMessage', {})),
  client({ jsonrpc: '2.0', id: 'ask', result: {} }),
  answer(1, { content: [] }),
  client(call(2, 'two')),
  answer(2, { content: [] }),
);

const eventsOf = (target: number) => cassetteParts(session, [target]).parts.map(({ events }) => events);

describe('the parts of a cassette', () => {
  it('are calls with all events in them, and not the handshake', () => {
    expect(eventsOf(1)).toEqual([
      [3, 4, 5, 6],
      [4, 5],
      [7, 8],
    ]);
  });

  it('do not have what the target needs', () => {
    expect(eventsOf(8)).toEqual([
      [3, 4, 5, 6],
      [4, 5],
    ]);
    // The call may be played without the question in it.
    expect(eventsOf(6)).toEqual([
      [4, 5],
      [7, 8],
    ]);
    // The question is played in its call only.
    expect(eventsOf(5)).toEqual([[7, 8]]);
  });

  it('say whether they come after the target, and leave what is left', () => {
    const { parts, without } = cassetteParts(session, [6]);
    expect(parts.map(({ isAfterTarget }) => isAfterTarget)).toEqual([false, true]);
    expect(without([])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(without(parts)).toEqual([0, 1, 2, 3, 6]);
  });
});
