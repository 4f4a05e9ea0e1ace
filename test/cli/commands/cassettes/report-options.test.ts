import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { reportCommand } from './report-command.ts';

const cassette = 'cassettes/memory.yaml';
const { folder, report, at } = reportCommand();

it('a page goes to a file, also where an older page lies', () => {
  const file = at('session.html');
  expect(report(cassette, '-o', file).stderr).toBe(`mcp-record: wrote ${file}\n`);
  const again = report(cassette, '-o', file);
  expect(again.stderr).toContain(`${file} is an earlier report, and will be replaced`);
  expect(again.status).toBe(0);
});

it('a page that opens cassettes has none, takes none, and is allowed no connection', () => {
  const file = at('viewer.html');
  expect(report('--viewer', '-o', file).stderr).toBe(`mcp-record: wrote ${file}\n`);
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/connect-src|unsafe|https?:|\*/);
  const { status, stderr } = report('--viewer', cassette);
  expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE_OPTION_WITHOUT_MEANING]')]);
  expect(report().stderr).toContain('[USAGE_MISSING_ARGUMENT]');
});

it('a file that is no page is left as it is', () => {
  const file = at('precious.yaml', 'format: mcp-record/1\n');
  const { status, stderr } = report(cassette, '-o', file);
  expect([status, readFileSync(file, 'utf8')]).toEqual([2, 'format: mcp-record/1\n']);
  expect(stderr).toContain('a file with this name exists, and is not a report');
});

it('faults of a journal are on the page, and what is no journal is said to be none', () => {
  const journal = at('faults.ndjson', '{"rule":1,"fault":"latency","from":"server","message":2}\n');
  const block = /id="data">([^<]*)</.exec(report(cassette, '--journal', journal).stdout)?.[1] ?? '';
  const data = gunzipSync(Buffer.from(block, 'base64')).toString();
  expect(data.includes('Rule 1 struck message 2 of the server,')).toBe(true);
  const { status, stderr } = report(cassette, '--journal', cassette);
  expect(status).toBe(2);
  expect(stderr).toContain('[USAGE_BAD_JOURNAL]');
});

it('a comparison leaves out what it is told to, reads revisions of git, and notes a rule that matches nothing', () => {
  const repository = temporaryFolder();
  const text = (id: string) =>
    `format: mcp-record/1\nevents:\n- client: { id: 1, method: tools/call, params: { name: order } }\n- server: { id: 1, result: { content: [{ type: text, text: ${id} }] } }\n`;
  const git = (...words: string[]) =>
    expect(
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: repository }).status,
    ).toBe(0);
  writeFileSync(join(repository, 'order.yaml'), text('ord_1111'));
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'order');
  writeFileSync(join(repository, 'order.yaml'), text('ord_2222'));
  const compared = (...words: string[]) => {
    const { command, args } = mcpRecord('report', 'main:order.yaml', 'order.yaml', ...words);
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: repository, encoding: 'utf8' });
    const block = /id="data">([^<]*)</.exec(stdout)?.[1] ?? '';
    const data = gunzipSync(Buffer.from(block, 'base64')).toString();
    return { status, stderr, differences: Number(/"differences":(\d+)/.exec(data)?.[1]) };
  };
  expect(compared()).toEqual({ status: 0, stderr: '', differences: 1 });
  expect(compared('--ignore-pattern', 'ord_\\d+')).toEqual({ status: 0, stderr: '', differences: 0 });
  expect(compared('--ignore-pattern', 'nothing-like-it').stderr).toContain("--ignore-pattern 'nothing-like-it'");
});

it('a page of sessions with two servers says that it compares them', () => {
  const file = at('two.html');
  expect(report(cassette, 'cassettes/filesystem.yaml', '-o', file).stderr).toContain('add --timeline');
  expect(report(cassette, cassette, '-o', at('same.html')).stderr).not.toContain('add --timeline');
});

const opened = (recorded: string, name: string) =>
  `format: mcp-record/1\n${recorded}events:\n- client: { id: 1, method: tools/call, params: { name: ${name} } }\n- server: { id: 1, result: { content: [] } }\n`;

it.each([
  ['one file', ['a.yaml'], 'a.yaml is a single session'],
  ['the same file twice', ['a.yaml', './a.yaml'], './a.yaml is named twice'],
  ['a file without a time', ['a.yaml', 'undated.yaml'], 'undated.yaml does not say when its session began'],
])('a timeline of %s is refused', (_, files, why) => {
  at('a.yaml', opened("recorded: '2026-11-29T12:00:00.250Z'\n", 'a'));
  at('undated.yaml', opened('', 'b'));
  const { command, args } = mcpRecord('report', '--timeline', '-o', 'page.html', ...files);
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining(`Cannot show a timeline: ${why}. [USAGE_NO_TIMELINE]`)]);
  expect(readdirSync(folder)).not.toContain('page.html');
});

it('a timeline with a damaged file names its place', () => {
  const good = at('a.yaml', opened("recorded: '2026-11-29T12:00:00.250Z'\n", 'a'));
  const damaged = at('damaged.yaml', 'format: mcp-record/1\nevents:\n- client: [\n- server: {}\n');
  const { status, stderr } = report('--timeline', good, damaged);
  expect([status, stderr]).toEqual([2, expect.stringContaining('[CASSETTE_DAMAGED]')]);
  expect(stderr).toContain(`at ${damaged}:`);
});
