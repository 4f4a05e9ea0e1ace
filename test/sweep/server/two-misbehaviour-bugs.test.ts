import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { sweepServer } from '../../../src/sweep/server/sweep-server.ts';
import { misbehaviourPair, pairRules } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { AT, pairOf, SECOND_ANSWER, session, sweptServer, twice, verdictsOf } from './swept-server.ts';

const { note, notes, work, ask, answer } = AT;
const DEADLINE = 2_000;

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
  const { pairs, of } = draw(misbehaviourCases(twice, faults), { count: 8, seed: 7 });
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
