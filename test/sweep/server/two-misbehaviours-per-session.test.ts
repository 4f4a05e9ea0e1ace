import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { sweepServer } from '../../../src/sweep/server/sweep-server.ts';
import { misbehaviourPair, pairRules, rulesOf } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { AT, sampling, session, sweptServer, verdictsOf } from './swept-server.ts';

const { initialize, note, notes, work, ask, answer, notesAgain } = AT;
const DEADLINE = 2_000;

/** The session, with a second question of the server at its end. */
const twice: Cassette = cassette(
  ...session.events.map(({ frame }) => frame),
  client(call(7, 'ask')),
  server(request('ask-1', 'sampling/createMessage', sampling)),
  client({ jsonrpc: '2.0', id: 'ask-1', result: { role: 'assistant', content: { type: 'text', text: 'fine' } } }),
  server({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'fine' }] } }),
  // The sweep repeats the last call, which is not to ask anything.
  client(call(8, 'notes')),
  server({ jsonrpc: '2.0', id: 8, result: { content: [{ type: 'text', text: 'one' }] } }),
);
const SECOND_ANSWER = 11;

function pairOf(played: Cassette, name: string, transport: 'stdio' | 'http' = 'stdio') {
  const all = misbehaviourCases(played, misbehavioursOver(transport), transport);
  const [first, second] = name.split('+').map((one) => all.find((point) => point.name === one)!);
  return [first!, second!] as const;
}

/** Sweeps `swept-server.js` with pairs. */
async function swept(bug: string[], names: readonly string[], played: Cassette = session) {
  return await sweepServer({
    cassette: played,
    target: sweptServer(...bug),
    points: names.map((name) => misbehaviourPair(...pairOf(played, name))),
    clock: systemClock,
    room: { busy: 2, all: 8 },
    deadline: DEADLINE,
  });
}

describe('a server with a bug that takes two misbehaviours', () => {
  it.concurrent.each([
    ['dies-of-two-bad-lines', `junk@${note}+not-json@${notes}`, 'crashed'],
    ['hangs-after-two-cancels', `cancel@${work}+cancel@${ask}`, 'hung'],
    ['forgets-after-two-unknown-methods', `unknown-method@${work}+unknown-method@${ask}`, 'corrupted'],
  ])('that %s is found at %s: %s', async (bug, pair, verdict) => {
    expect(verdictsOf(await swept([bug], [pair]))).toEqual([`${pair} ${verdict}`]);
  });

  it('at two messages that count as one kind is found: what comes twice does not move the second', async () => {
    const pair = `duplicate@${answer}+error-reply@${SECOND_ANSWER}`;
    const { results } = await swept(['dies-of-a-refusal-after-a-repeated-answer'], [pair], twice);
    expect(results).toMatchObject([{ verdict: 'crashed', why: expect.stringContaining('ended with 7') }]);
  });
});

it('a misbehaviour that is bad alone is the finding, once, also where it ends the session before the second', async () => {
  const pairs = [`latency@${note}+junk@${notes}`, `junk@${notes}+duplicate@${work}`, `slice@${note}+latency@${notes}`];
  expect(verdictsOf(await swept(['dies-of-no-json'], pairs))).toEqual([
    `junk@${notes} crashed`,
    ...[`${pairs[0]} single`, `${pairs[1]} single`, `${pairs[2]} passed`],
  ]);
});

it('a server without a bug fails at no pair', async () => {
  const { draw } = pairRules(twice, 'stdio');
  // A note that comes twice is there twice, and a call that takes no time cannot be cancelled at work.
  const faults = misbehavioursOver('stdio').filter((name) => !['duplicate', 'cancel-during'].includes(name));
  const { pairs, of } = draw(misbehaviourCases(twice, faults, 'stdio'), { count: 8, seed: 7 });
  expect(of).toBeGreaterThan(10_000);
  const { results } = await swept(
    [],
    pairs.map(([first, second]) => `${first.name}+${second.name}`),
    twice,
  );
  const bad = results.filter(({ verdict }) => !['passed', 'refused', 'ignored', 'unreached'].includes(verdict));
  expect(bad.map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'unreached').length).toBeLessThan(5);
});

describe('a pair', () => {
  const { whyNot, draw } = pairRules(session, 'stdio');

  it.each([
    [`junk@${notes}+junk@${notes}`, 'its second message is not after the first'],
    [`leave@${note}+junk@${notes}`, `the client has left after leave@${note}`],
    [`end@${note}+junk@${notes}`, `the client has left after end@${note}`],
    [
      `not-json@${ask}+error-reply@${answer}`,
      `the server never asks for this answer, because not-json@${ask} keeps the request from it`,
    ],
    [`not-json@${note}+error-reply@${answer}`, undefined],
    [`latency@${ask}+error-reply@${answer}`, undefined],
    [`not-json@${ask}+junk@${notesAgain}`, undefined],
  ])('%s has a meaning, or none: %s', (name, why) => {
    expect(whyNot(...pairOf(session, name))).toBe(why);
  });

  it('is drawn only if it has a meaning', () => {
    const points = misbehaviourCases(session, misbehavioursOver('stdio'), 'stdio');
    const { pairs, of } = draw(points, { count: 100_000, seed: 1 });
    expect(pairs.length).toBe(of);
    expect(pairs.filter(([first, second]) => whyNot(first, second) !== undefined)).toEqual([]);
    const all = points.flatMap((first) => points.filter((second) => whyNot(first, second) === undefined));
    expect(of).toBe(all.length);
  });

  it('goes on after a connection that has closed over HTTP, where the session is still there', () => {
    expect(
      pairRules(session, 'http').whyNot(...pairOf(session, `leave@${note}+slice@${notes}`, 'http')),
    ).toBeUndefined();
  });

  it('has its rules in order, but for messages that are counted together', () => {
    const orderOf = (played: Cassette, name: string) =>
      rulesOf(pairOf(played, name), 'stdio').points.map(({ misbehaviour }) => misbehaviour.name);
    expect(orderOf(session, `duplicate@${initialize}+junk@${notes}`)).toEqual(['duplicate', 'junk']);
    expect(orderOf(session, `duplicate@${notes}+junk@${notesAgain}`)).toEqual(['duplicate', 'junk']);
    expect(orderOf(twice, `duplicate@${answer}+drop@${SECOND_ANSWER}`)).toEqual(['drop', 'duplicate']);
  });
});
