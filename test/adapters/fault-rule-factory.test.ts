import { expect, it } from 'vitest';
import { faultFunction } from '../../src/adapters/fault-rule-factory.ts';
import { corrupt, junk, latency, oauthError, patch } from '../../src/adapters/faults.ts';
import { drop } from '../../src/faults/messages/drop.ts';
import { parseFaultRuleList } from '../../src/modes/faulty-channel.ts';

it('`on` and `nth` are short for `when`, and go with what else is selected', () => {
  const rule = faultFunction(drop)({ on: 'tools/call', nth: 2, when: { tool: 'search' } });
  expect(rule.when).toEqual({ tool: 'search', method: 'tools/call', nth: 2 });
});

it('a rule that selects nothing leaves that to its fault', () => {
  expect(faultFunction(drop)()).not.toHaveProperty('when');
});

it('a fault that has a meaning on one transport alone is written, and refused on another', () => {
  const rules = [patch({ headers: { retry: '1' } }), corrupt({ kind: 'framing' }), junk({ kind: 'event' })];
  expect(parseFaultRuleList(rules, 'http')).toEqual(rules);
  for (const rule of rules) expect(() => parseFaultRuleList([rule], 'stdio')).toThrow(/\[FAULT_NO_MEANING\]/);
  expect(() => patch()).toThrow('it has nothing to change');
});

it.each([
  ['latency', () => latency({ on: 'oauth/refesh', delay: 1 })],
  ['oauthError', () => oauthError({ on: 'oauth/refesh' })],
])('%s names a misspelled request of an authorization flow', (_, make) => {
  expect(make).toThrow(
    /there is no "oauth\/refesh" in an authorization flow\. \[FAULT_BAD_RULE\]\n *Did you mean "oauth\/refresh"\?/,
  );
  expect(() => latency({ on: 'oauth/logout', delay: 1 })).toThrow('It has oauth/resource-metadata, oauth/server-');
});
