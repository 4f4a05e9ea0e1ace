import { expect, it } from 'vitest';
import { faultFunction } from '../../src/adapters/fault-rule-factory.ts';
import { drop } from '../../src/faults/messages/drop.ts';

it('`on` and `nth` are short for `when`, and go with what else is selected', () => {
  const rule = faultFunction(drop)({ on: 'tools/call', nth: 2, when: { tool: 'search' } });
  expect(rule.when).toEqual({ tool: 'search', method: 'tools/call', nth: 2 });
});

it('a rule that selects nothing leaves that to its fault', () => {
  expect(faultFunction(drop)()).not.toHaveProperty('when');
});
