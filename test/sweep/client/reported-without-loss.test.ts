import { expect, it } from 'vitest';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { firstPointsText, reportedWithoutLoss } from '../../../src/sweep/client/reported-without-loss.ts';
import type { Verdict } from '../../../src/sweep/client/verdict.ts';

const result = (name: string, verdict: Verdict = 'reported') => ({
  point: { name, fault: name.split('@', 1)[0]! },
  verdict,
});

it('a client gave up without need where its fault takes no answer away', () => {
  const gaveUp = ['duplicate@1', 'duplicate@2', 'junk@3', 'slice@1', 'coalesce@1', 'reorder@1', 'stderr-flood@1'];
  for (const name of gaveUp) expect(FAULTS.has(name.split('@', 1)[0]!)).toBe(true);
  const lost = ['drop@1', 'error-reply@1', 'latency@1', 'oversize@1'].map((name) => result(name));
  const others = [...lost, result('duplicate@3', 'passed'), result('junk@1', 'hung')];
  const found = reportedWithoutLoss([...others, ...gaveUp.map((name) => result(name))]);
  expect(found.map(({ point }) => point.name)).toEqual(gaveUp);
  expect(firstPointsText(found)).toBe('duplicate@1 and 1 more, junk@3, slice@1, coalesce@1, reorder@1, stderr-flood@1');
});
