import { describe, expect, it } from 'vitest';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { handshake, sweepOf, sweptServer, text } from './swept-server.ts';

describe('a request at which the client misbehaves is made again at the end', () => {
  const locked = (...more: Parameters<typeof cassette>) =>
    cassette(
      ...handshake,
      client(call(1, 'lock')),
      server(text(1, 'locked and unlocked')),
      client(call(2, 'note', { text: 'one' })),
      server(text(2, '1 notes')),
      ...more,
      client(call(9, 'notes')),
      server(text(9, 'one')),
    );

  it('so a lock that its cancelled tool never releases is found, though the cassette calls the tool once', async () => {
    const points = ['cancel@3', 'cancel-during@3'];
    const { results } = await sweepOf(sweptServer('keeps-its-lock-when-cancelled'), { points, played: locked() });
    expect(results.map(({ point, verdict, why }) => [point.name, verdict, why])).toEqual(
      points.map((point) => [
        point,
        'corrupted',
        'tools/call "lock" is answered on the same connection with /result/content/0/text ("locked and unlocked" → "busy") (no rule; surprising)',
      ]),
    );
  });

  it('nor is one listed that the cassette calls again', async () => {
    const again = [client(call(3, 'note', { text: 'two' })), server(text(3, '2 notes'))];
    const { notRepeated } = await sweepOf(sweptServer(), { points: ['cancel@4'], played: locked(...again) });
    expect(notRepeated).toEqual([]);
  });
});
