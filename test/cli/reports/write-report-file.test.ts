import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mockProcessLogWriter } from '../../../src/cli/io/mock-process-log-writer.ts';
import { writeReport } from '../../../src/cli/reports/write-report-file.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();

itOnPosix('file modes', 'what a session said is read by its owner alone, in reports and logs, too', () => {
  const report = join(folder, 'report.html');
  writeReport(report, 'what was said');
  const log = join(folder, 'findings.jsonl');
  mockProcessLogWriter(log).started();
  expect([report, log].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});

it('creates the folder of a report, as test runners do', () => {
  const report = join(folder, 'reports', 'new', 'verify.xml');
  writeReport(report, 'first');
  writeReport(report, 'second');
  expect(readFileSync(report, 'utf8')).toBe('second');
  if (process.platform !== 'win32') expect(statSync(report).mode & 0o777).toBe(0o600);
});

it('refuses a folder that is a file, and says why', () => {
  const file = join(folder, 'plain.txt');
  writeFileSync(file, 'text');
  expect(() => writeReport(join(file, 'verify.xml'), 'x')).toThrow(/(?:EEXIST|ENOTDIR).*\[USAGE_CANNOT_WRITE\]/);
});

itOnPosix('links', 'creates nothing where a link to nowhere points', () => {
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'elsewhere'), link);
  expect(() => writeReport(join(link, 'verify.xml'), 'x')).toThrow('[USAGE_CANNOT_WRITE]');
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
});

itOnPosix('links', 'takes the place of a link to a file, which keeps its text', () => {
  const [link, file] = [join(folder, 'linked.xml'), join(folder, 'of-somebody.txt')];
  writeFileSync(file, 'theirs');
  symlinkSync(file, link);
  writeReport(link, 'ours');
  expect([file, link].map((path) => readFileSync(path, 'utf8'))).toEqual(['theirs', 'ours']);
  expect(statSync(link).mode & 0o777).toBe(0o600);
});
