import { describe, expect, it } from 'vitest';
import { FaultInjector } from '../../../src/faults/engine/fault-injector.ts';
import { MatchCounter } from '../../../src/faults/engine/match-counter.ts';
import { drop } from '../../../src/faults/messages/drop.ts';
import type { Rule } from '../../../src/faults/rules/fault-rule.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { OTHER } from '../stage.ts';

const LIMITS: [string, Pick<Rule, 'times' | 'probability' | 'when'>][] = [
  ['without a limit', {}],
  ['with nth', { when: { nth: 4 } }],
  ['with times', { times: 3 }],
  ['with chance', { probability: 0.5 }],
  ['with chance and times', { probability: 0.5, times: 4 }],
];

describe.each(LIMITS)('a rule %s', (title, limits) => {
  const rule: Rule = { fault: drop(), ...limits };
  const alone = new MatchCounter({ rule, number: 1, seed: 7 });
  const fates = Array.from({ length: 20 }, () => alone.count());

  it('fires on the same matches where several programs number them together', () => {
    let matches = 0;
    const nextMatch = () => ++matches;
    const counters = [1, 2, 3].map(() => new MatchCounter({ rule, number: 1, seed: 7, nextMatch }));
    // Which of them sees a match follows no pattern.
    const shared = fates.map((_fate, n) => counters[(n * n + 1) % 3]!.count());
    expect(shared).toEqual(fates);
    expect(new Set(fates).size).toBe(title === 'without a limit' ? 1 : 2);
  });

  it('fires on the same matches in several injectors that share its counter', () => {
    const counters = new Map([[rule, new MatchCounter({ rule, number: 1, seed: 7 })]]);
    let arrived = 0;
    const injectors = [1, 2, 3].map(
      () =>
        new FaultInjector({
          rules: [rule],
          seed: 7,
          counters,
          clock: new ManualClock(),
          encode: () => new Uint8Array(0),
          send: () => void arrived++,
        }),
    );
    const shared = fates.map((_fate, n) => {
      const before = arrived;
      const json = new JsonText(JSON.stringify({ ...OTHER, id: n }));
      injectors[(n * n + 1) % 3]!.push({ kind: 'message', at: 0, from: 'server', json });
      return arrived === before;
    });
    expect(shared).toEqual(fates);
  });
});

it('a rule without a limit asks nobody for numbers, and neither does one that can fire no more', () => {
  let asked = 0;
  const nextMatch = () => ++asked;
  const counts = (rule: Rule) => {
    asked = 0;
    const counter = new MatchCounter({ rule, number: 1, seed: 1, nextMatch });
    for (let match = 0; match < 9; match++) counter.count();
    return asked;
  };
  expect(counts({ fault: drop() })).toBe(0);
  expect(counts({ fault: drop(), times: 2 })).toBe(2);
  expect(counts({ fault: drop(), when: { nth: 3 } })).toBe(3);
});
