import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { pairRules, rulesOf } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { AT, pairOf, SECOND_ANSWER, session, twice } from './swept-server.ts';

const { initialize, note, notes, ask, answer, notesAgain } = AT;

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
    const points = misbehaviourCases(session, misbehavioursOver('stdio'));
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
      rulesOf(pairOf(played, name)).points.map(({ misbehaviour }) => misbehaviour.name);
    expect(orderOf(session, `duplicate@${initialize}+junk@${notes}`)).toEqual(['duplicate', 'junk']);
    expect(orderOf(session, `duplicate@${notes}+junk@${notesAgain}`)).toEqual(['duplicate', 'junk']);
    expect(orderOf(twice, `duplicate@${answer}+drop@${SECOND_ANSWER}`)).toEqual(['drop', 'duplicate']);
  });
});
