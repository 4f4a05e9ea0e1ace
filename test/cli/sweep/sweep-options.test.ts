import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noPoints, unreachedFaultsAdvice } from '../../../src/cli/sweep/sweep-options.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();

it('a cassette without points: the last recording beside it is named, if there is one', () => {
  const [file, second, third] = ['session.yaml', 'session-2.yaml', 'session-3.yaml'].map((name) => join(folder, name));
  const message = () =>
    noPoints({ file: file!, shard: undefined, why: 'its client makes no call', next: 'Record.' }).message;
  writeFileSync(file!, '');
  expect(message()).not.toContain('later recording');
  writeFileSync(second!, '');
  writeFileSync(third!, '');
  expect(message()).toContain(`Record. A later recording is in ${third}.`);
  const part = noPoints({ file: file!, shard: '3/3', why: '', next: 'Record.' });
  expect(part.message).not.toContain('later recording');
});

it('faults of `all` that happened in no run are named, with the option that leaves them out', () => {
  const result = (fault: string, verdict: string) => ({ point: { fault }, verdict });
  const results = [
    ...[result('cut', 'passed'), result('cut', 'unreached'), result('reorder', 'unreached')],
    ...[result('token-refused', 'unreached'), result('token-refused', 'unreached')],
  ];
  expect(unreachedFaultsAdvice('all,-clog', results)).toBe(
    'Nothing was tested with reorder, token-refused: see why above. To leave them out: --faults all,-clog,-reorder,-token-refused',
  );
  expect(unreachedFaultsAdvice('all', results.slice(0, 2))).toBeUndefined();
  expect(unreachedFaultsAdvice('reorder', results)).toBeUndefined();
  expect(unreachedFaultsAdvice(undefined, results)).toBeUndefined();
});
