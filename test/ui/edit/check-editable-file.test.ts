import { appendFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileVersion } from '../../../src/ui/cassettes/file-version.ts';
import { checkEditableFile, checkVersion } from '../../../src/ui/edit/check-editable-file.ts';
import { temporaryFolder } from '../../support/cassette.ts';

it('a file may be edited until it changes', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'a');
  const given = { file, folder, version: fileVersion(file), state: 'ended' as const };
  expect(() => checkEditableFile(given)).not.toThrow();
  appendFileSync(file, 'b');
  expect(() => checkEditableFile(given)).toThrow(/has changed since you began to edit.*CASSETTE_CHANGED/);
  expect(() => checkVersion(file, fileVersion(file))).not.toThrow();
  expect(() => checkEditableFile({ ...given, state: 'growing' })).toThrow(/UI_CASSETTE_GROWING/);
  expect(() => checkEditableFile({ ...given, folder: tmpdir(), version: fileVersion(file) })).not.toThrow();
});
