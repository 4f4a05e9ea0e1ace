import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { sweepServer } from '../../../src/sweep/server/sweep-server.ts';
import { misbehaviourPair } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { handshake, sampling, sweepOf, sweptServer, text } from './swept-server.ts';

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

  it('also after two misbehaviours in a session, of which neither alone is bad', async () => {
    const played = locked(client(call(3, 'lock')), server(text(3, 'locked and unlocked')));
    const [first, second] = misbehaviourCases(played, ['cancel']).filter(({ title }) => title.includes('lock'));
    const target = sweptServer('keeps-its-lock-at-the-second-cancel');
    const points = [misbehaviourPair(first!, second!)];
    const room = { busy: 1, all: 1 };
    const { results } = await sweepServer({ cassette: played, target, points, clock: systemClock, room });
    expect(results.map(({ point, verdict }) => [point.name, verdict])).toEqual([['cancel@3+cancel@5', 'corrupted']]);
  });

  it('and a server that releases its lock passes', async () => {
    const points = ['cancel@3', 'cancel-during@3'];
    const { results } = await sweepOf(sweptServer(), { points, played: locked() });
    expect(results.map(({ verdict }) => verdict)).toEqual(['refused', 'refused']);
  });

  it('but not one that would be answered otherwise, or whose answer needs the client, which the report lists', async () => {
    const asked = [
      client(call(3, 'ask')),
      server(request('ask-0', 'sampling/createMessage', sampling)),
      client({
        jsonrpc: '2.0',
        id: 'ask-0',
        result: { role: 'assistant', model: 'none', content: { type: 'text', text: 'well' } },
      }),
      server(text(3, 'well')),
    ];
    const points = ['cancel@4', 'latency@5', 'latency@7'];
    const { results, notRepeated } = await sweepOf(sweptServer(), { points, played: locked(...asked) });
    expect(results.map(({ verdict }) => verdict)).not.toContain('corrupted');
    const why = 'it is never called again, so what is left for its next call is not tested';
    expect(notRepeated.map(({ title, why: one }) => `${title}: ${one}`)).toEqual([
      `tools/call "note": ${why}: a second call is answered otherwise`,
      `tools/call "ask": ${why}: the server asks the client something before it answers`,
    ]);
  });
});
