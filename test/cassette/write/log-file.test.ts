import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogFile } from '../../../src/cassette/write/log-file.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();

it('goes on with an earlier log, and makes a new one', () => {
  const file = join(folder, 'log.jsonl');
  for (const line of ['{"a":1}\n', '{"b":2}\n']) new LogFile(file).append(line);
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n{"b":2}\n');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('does not touch a file that is no log', () => {
  const file = join(folder, 'other.txt');
  writeFileSync(file, 'alias ls=ls\n');
  expect(() => new LogFile(file).append('{}\n')).toThrow('it is no such log');
  expect(readFileSync(file, 'utf8')).toBe('alias ls=ls\n');
});

itOnPosix('links', 'does not follow a link, and writes to a device', () => {
  const [file, link] = [join(folder, 'target.jsonl'), join(folder, 'link.jsonl')];
  writeFileSync(file, '');
  symlinkSync(file, link);
  expect(() => new LogFile(link).append('{}\n')).toThrow('symbolic link');
  expect(readFileSync(file, 'utf8')).toBe('');
  new LogFile('/dev/null').append('{}\n');
});
