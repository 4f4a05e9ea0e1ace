import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-record-report-'));
const cassette = 'cassettes/memory.yaml';
const report = (...words: string[]) => {
  const { command, args } = mcpRecord('report', ...words);
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
};
const at = (name: string, text?: string) => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

it('a page is one file that names no other', () => {
  const { status, stdout, stderr } = report(cassette);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(stdout.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '')).not.toMatch(
    /https?:|\bsrc=|<link|import\(/,
  );
});

it('a page goes to a file, also where an older page lies', () => {
  const file = at('session.html');
  expect(report(cassette, '-o', file).stderr).toBe(`mcp-record: wrote ${file}\n`);
  const again = report(cassette, '-o', file);
  expect(again.stderr).toContain(`${file} was a report, and is replaced`);
  expect(again.status).toBe(0);
});

it('a file that is no page is left as it is', () => {
  const file = at('precious.yaml', 'format: mcp-record/1\n');
  const { status, stderr } = report(cassette, '-o', file);
  expect([status, readFileSync(file, 'utf8')]).toEqual([2, 'format: mcp-record/1\n']);
  expect(stderr).toContain('there is a file of that name which is no report');
});

it('faults of a journal are on the page, and what is no journal is said to be none', () => {
  const journal = at('faults.ndjson', '{"rule":1,"fault":"latency","from":"server","message":2}\n');
  expect(report(cassette, '--journal', journal).stdout).toContain('Rule 1 struck message 2 of the server,');
  const { status, stderr } = report(cassette, '--journal', cassette);
  expect(status).toBe(2);
  expect(stderr).toContain('[USAGE_BAD_JOURNAL]');
});
