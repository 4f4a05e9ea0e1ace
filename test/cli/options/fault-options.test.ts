import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultsOf } from '../../../src/cli/options/fault-options.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const file = join(temporaryFolder(), 'faults.yaml');

it.each(['stdio', 'http'] as const)(
  'a file without rules is as none over %s: nothing stands in the way that could misbehave',
  async (ground) => {
    writeFileSync(file, 'faults: []\n');
    expect(await faultsOf({ faults: file, fault: [] }, ground)).toBeUndefined();
    expect((await faultsOf({ faults: file, fault: ['drop'] }, ground))?.rules).toHaveLength(1);
  },
);
