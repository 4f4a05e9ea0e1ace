import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkReplaceable } from '../../../src/cli/reports/replaceable-file.ts';
import { loadPage } from '../../../src/html-report/html-page.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const refusal = (why: string, next: string) => ({
  code: 'USAGE_CANNOT_WRITE',
  problem: expect.objectContaining({ why: expect.stringContaining(why), next: expect.stringContaining(next) }),
});
const thrownBy = (file: string): unknown => {
  try {
    checkReplaceable(file, { option: '--html', kind: 'report' });
  } catch (error) {
    return error;
  }
  return undefined;
};

it('lets a file be written that is not there, and an earlier page be replaced', () => {
  const figures = {
    run: { version: '1', date: '2026-11-29T04:12:00.000Z', clients: 1, for: 1, ramp: 0, workers: 1 },
    ...{
      files: [],
      duration: 1,
      sessions: 1,
      failedSessions: 0,
      answers: 1,
      checks: 1,
      failed: 0,
      lostStreams: 0,
      resumedStreams: 0,
    },
    ...{ calls: [], intervals: [], failures: [], thresholds: [], notes: [] },
  };
  const page = loadPage({ version: '1', figures, checks: [] }, { script: '', style: '' });
  expect(thrownBy(join(folder, 'none.html'))).toBeUndefined();
  expect(thrownBy(fileOf('page.html', page))).toBeUndefined();
});

it('refuses another file, and a folder, and names the option', () => {
  const cassette = fileOf('a.yaml', 'format: mcp-record/1\n');
  mkdirSync(join(folder, 'pages'));
  expect(thrownBy(cassette)).toMatchObject(refusal('is not a report', 'Name another with --html'));
  expect(thrownBy(join(folder, 'pages'))).toMatchObject(refusal('it is a folder', '--html '));
  expect(readFileSync(cassette, 'utf8')).toBe('format: mcp-record/1\n');
});

it('knows a script from a page', () => {
  const script = fileOf(
    'load.js',
    '// Plays the recorded clients of a.yaml. Made by mcp-record 1.0.0, load --export k6.\n',
  );
  expect(thrownBy(script)).toMatchObject(refusal('is not a report', '--html'));
  expect(() => checkReplaceable(script, { option: '-o', kind: 'script' })).not.toThrow();
});
