import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileVersion } from '../../../src/ui/cassettes/file-version.ts';
import { temporaryFolder } from '../../support/cassette.ts';

it('a version is another one after a write and after a replacement', () => {
  const file = join(temporaryFolder(), 'a');
  writeFileSync(file, 'one');
  const versions = [fileVersion(file), fileVersion(file)];
  appendFileSync(file, ' more');
  versions.push(fileVersion(file));
  writeFileSync(`${file}.new`, 'one more');
  renameSync(`${file}.new`, file);
  versions.push(fileVersion(file));
  expect(versions[1]).toBe(versions[0]);
  expect(new Set(versions).size).toBe(3);
});
