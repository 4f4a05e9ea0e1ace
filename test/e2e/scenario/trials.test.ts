import { expect, it } from 'vitest';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { nameOf, trials } from './trials.ts';

it.each(['stdio', 'http'] as const)(
  'the trials of the SDK clients over %s have each a name and rules that may be',
  (transport) => {
    const all = trials(transport);
    const names = all.map((trial) => `${nameOf(trial)} at ${trial.at}`);
    expect(new Set(names).size).toBe(all.length);
    for (const trial of all) parseFaultRules({ faults: trial.rules }, { name: nameOf(trial), transport });
  },
);
