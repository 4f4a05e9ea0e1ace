import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noPoints } from '../../../src/cli/sweep/sweep-options.ts';
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
