import { expect, it } from 'vitest';
import { faultFunction } from '../../../src/adapters/fault-rule-factory.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { serializeRule } from '../../../src/faults/rules/serialize-rule.ts';
import { parseFaultRuleList, type WrittenRule } from '../../../src/modes/faulty-channel.ts';

/** As another process reads it. */
const sent = (rule: WrittenRule) => parseFaultRuleList([JSON.parse(JSON.stringify(rule)) as WrittenRule]);

it('every fault is the same to the process that it is written for', () => {
  const given: Record<string, unknown> = {
    delay: 5,
    rate: 9,
    bytes: 7,
    size: 9,
    merge: { result: null },
    for: 5,
    status: 205,
  };
  for (const [name, kind] of FAULTS) {
    const values = Object.fromEntries(
      Object.keys(kind.params).flatMap((param) => (param in given ? [[param, given[param]]] : [])),
    );
    const [rule] = parseFaultRuleList([{ do: name, ...values }]);
    expect([name, sent(serializeRule(rule!))]).toEqual([name, [rule]]);
  }
});

it('so is when, how often and how likely it happens', () => {
  const [rule] = parseFaultRuleList([
    {
      do: 'stall',
      for: 'forever',
      when: { from: 'client', at: { '/params/name': 'a' } },
      times: 2,
      probability: 0.5,
    },
  ]);
  expect(rule!.fault.values).toEqual({ for: Number.POSITIVE_INFINITY });
  expect(sent(serializeRule(rule!))).toEqual([rule]);
});

it('one that has the name of another is not it', () => {
  const imposter = faultFunction({ ...FAULTS.get('drop')!, name: 'drop' });
  expect(() => serializeRule(imposter())).toThrow(/\[FAULT_NO_MEANING\]/);
});
