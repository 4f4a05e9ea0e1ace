import { expect, it } from 'vitest';
import { checkMarkdown } from '../../../src/cli/check/check-markdown.ts';
import { type CheckResult, statusOf, summaryLines } from '../../../src/cli/check/check-verdicts-and-summary.ts';

const failed = (output: string, status = 1): CheckResult[] => [
  {
    name: 'secrets',
    runs: [{ title: 'redact --check a', args: [], status: 0, output: 'nothing to redact in 1 file\n' }],
  },
  {
    name: 'changes',
    runs: [],
    skipped: 'for pull requests: --base origin/main compares the cassettes with that revision',
  },
  { name: 'server', runs: [{ title: 'verify a', args: [], status, output }] },
];

it('says in a table what each check has found, and in details what did not pass', () => {
  const text = checkMarkdown(['cassettes'], failed('✗ ping\n\n1 failed, 2 passed\n'));
  expect(text).toContain('## mcp-record: 1 of 2 checks did not pass\n');
  expect(text).toContain('| secrets | ✅ passed | `nothing to redact in 1 file` |');
  expect(text).toContain(
    '| changes | ➖ skipped | `for pull requests: --base origin/main compares the cassettes with that revision` |',
  );
  expect(text).toContain('| server | ❌ failed | `1 failed, 2 passed` |');
  expect(text).toContain('<details><summary>server</summary>\n\n```text\n── verify a\n✗ ping\n');
  expect(text).not.toContain('<details><summary>secrets');
});

it('lists breaking changes first, each once', () => {
  const output =
    '✗ tools/list: breaking: tool "a" was removed\n\n  breaking: tool "a" was removed (/result/tools/0)\n1 failed';
  const [ok, none, bad] = failed(output);
  const text = checkMarkdown(['cassettes'], [ok!, none!, { ...bad!, runs: [...bad!.runs, ...bad!.runs] }]);
  expect(text).toContain('**Changes**\n\n```text\n✗ tools/list: breaking: tool "a" was removed\n```\n');
});

it('lists who uses what a change breaks, and shows where a line is cut', () => {
  const output =
    '✗ tools/list: breaking: tool "a" was removed\n    used by b.yaml:3 (shop 1.0.0)\n✗ ' +
    'x'.repeat(400) +
    '\n1 failed';
  const text = checkMarkdown(['cassettes'], failed(output));
  expect(text).toContain('✗ tools/list: breaking: tool "a" was removed\n    used by b.yaml:3 (shop 1.0.0)\n');
  expect(text).toMatch(/^✗ x{297}…$/m);
});

it('keeps what a server has said inside code', () => {
  const text = checkMarkdown(['cassettes'], failed('a ``` b ```` c\n<img src=x> | `x` @everybody\n'));
  expect(text).toContain('`````text\n── verify a\na ``` b ```` c\n<img src=x> | `x` @everybody\n`````');
  expect(text).toContain("| server | ❌ failed | `<img src=x> \\| 'x' @everybody` |");
});

it('fits a comment, however much was said', () => {
  const text = checkMarkdown(
    ['cassettes'],
    failed(`  breaking: ${'y'.repeat(100_000)} \n`.repeat(100) + 'x'.repeat(1_000_000)),
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('characters more: see the output of the job');
});

it('lists breaking changes that only the comparison with a revision has found, and counts what was compared', () => {
  const output =
    'cassettes/a.yaml\n  ~ tools/list\n    breaking: tool "a" was removed\n\n4 cassettes compared, 0 deleted, 0 new\n';
  const changes: CheckResult = { name: 'changes', runs: [{ title: 'diff', args: [], status: 1, output }] };
  const text = checkMarkdown(['cassettes'], [{ ...changes, runs: [...changes.runs, ...changes.runs] }]);
  expect(text).toContain('**Changes**\n\n```text\n✗ tools/list\n    breaking: tool "a" was removed\n```\n');
  expect(text).toContain('`4 cassettes compared, 0 deleted, 0 new; 4 cassettes compared, 0 deleted, 0 new`');
});

it('is red if a check could not look at anything, and says the error', () => {
  const results = failed('mcp-record: Cannot read a: no. [CASSETTE_NOT_FOUND]\n  Check the name.\n', 2);
  expect(statusOf(results)).toBe(2);
  expect(summaryLines(results)).toEqual([
    '✓ secrets   passed: nothing to redact in 1 file',
    '- changes   skipped: for pull requests: --base origin/main compares the cassettes with that revision',
    '✗ server    not checked: Cannot read a: no. [CASSETTE_NOT_FOUND]',
  ]);
  expect(checkMarkdown(['cassettes'], results)).toContain('⚠️ not checked');
  expect(statusOf(failed(''))).toBe(1);
  expect(statusOf(failed('', 0))).toBe(0);
});

it('says what was checked: a pull request may have comments on several folders', () => {
  expect(checkMarkdown(['shop', 'a|b/*.yaml'], failed(''))).toContain(
    'did not pass\n\n`shop` `a\\|b/*.yaml`\n\n| check',
  );
});

const revision = '0123456789abcdef0123456789abcdef01234567';
const textOfDiff = (status: number, ...lines: string[]) =>
  checkMarkdown(
    ['cassettes'],
    [{ name: 'changes', runs: [{ title: `diff ${revision}`, args: [], status, output: lines.join('\n') }] }],
  );
const changesIn = (text: string) => /\*\*Changes\*\*\n\n```text\n([\s\S]*?)\n```\n/.exec(text)![1]!.split('\n');

it('lists what fails first, also without a severity and other rules, then what passes', () => {
  const passing = '  ✓ tools/list: compatible: new tool "b" (a.yaml:3)';
  const answer = '  ~ tools/call "add": /result/text ("Added todo_1" → "Added todo_2") (a.yaml:5)';
  const text = textOfDiff(
    1,
    'a.yaml',
    passing,
    answer,
    '',
    passing,
    '    compatible: new tool "b" (/result/tools/1)',
    '    cosmetic: tool "a": description changed (/result/tools/0/description)',
    '',
    answer,
    '      - text: "Added todo_1"',
    '',
    `  ✗ The settings of the answer to tools/call "a" differ: ${revision}:a.yaml:3: match.ignore: none → ["/x"]`,
    '    Other rules fail.',
    '  note: --fail-on breaking does not fail tools/list: compatible: new tool "b" (a.yaml:3)',
    '',
    '- b.yaml: deleted since main',
    '',
    '1 cassette compared, 1 failed, 1 deleted, 0 new',
  );
  expect(changesIn(text)).toEqual([
    '✗ tools/call "add": /result/text ("Added todo_1" → "Added todo_2") (a.yaml:5)',
    '✗ b.yaml: deleted since main',
    '✗ The settings of the answer to tools/call "a" differ: 0123456:a.yaml:3: match.ignore: none → ["/x"]',
    '✓ tools/list: compatible: new tool "b" (a.yaml:3)',
    '    cosmetic: tool "a": description changed (/result/tools/0/description)',
  ]);
});

it('marks what the server may do', () => {
  const output = [
    '✗ tools/call "add": /result/text ("1" → "2") (a.yaml:5)',
    '✓ tools/list  line 3',
    '',
    'note: --fail-on breaking does not fail tools/list: compatible: new tool "b" (a.yaml:3)',
    '',
    '1 failed, 1 passed',
  ].join('\n');
  expect(changesIn(checkMarkdown(['a'], failed(output)))).toEqual([
    '✗ tools/call "add": /result/text ("1" → "2") (a.yaml:5)',
    '✓ tools/list: compatible: new tool "b" (a.yaml:3)',
  ]);
});

it('lists the worst first, also of a check that passed', () => {
  const heads = [
    '  ✓ tools/call "a": cosmetic: d (a.yaml:1)',
    '  ✓ tools/call "b": compatible: c (a.yaml:2)',
    `  ✓ tools/call "c": breaking: b (${revision}:a.yaml:3)`,
  ];
  const text = textOfDiff(0, 'a.yaml', ...heads, '', ...heads, '', '1 compared');
  expect(changesIn(text)).toEqual([
    '✓ tools/call "c": breaking: b (0123456:a.yaml:3)',
    '✓ tools/call "b": compatible: c (a.yaml:2)',
    '✓ tools/call "a": cosmetic: d (a.yaml:1)',
  ]);
  expect(text).not.toContain(revision);
});

it('keeps lines of differences that come again', () => {
  const drawn = (name: string) => [
    '',
    `✗ tools/call "${name}": x (a.yaml:7)`,
    '  - Recorded',
    '  +   isError: true',
    '  -     - uri: x',
  ];
  const output = [...drawn('a'), ...drawn('b'), '', '2 failed, 0 passed'].join('\n');
  expect(checkMarkdown(['cassettes'], failed(output))).toContain(output.trim());
  const paths = ['a.yaml', '  ~ tools/list: x (a.yaml:7)', '', '  ~ tools/list: x (a.yaml:7)', '    + isError: true'];
  const again = [...paths, '', ...paths.map((line) => line.replaceAll('a.yaml', 'b.yaml'))];
  expect(
    textOfDiff(1, ...again)
      .split('<details>')[1]!
      .match(/ {4}\+ isError: true/g),
  ).toHaveLength(2);
});

it('has each headline once in the details', () => {
  const [head, passing] = ['  ~ tools/list: breaking: x (a.yaml:7)', '  ✓ ping: compatible: y (a.yaml:9)'];
  const [, details] = textOfDiff(1, 'a.yaml', head, passing, '', head, '    x', '', passing, '    y').split(
    '<details>',
  );
  expect([details!.split('~ tools/list').length, details!.split('✓ ping').length]).toEqual([2, 2]);
});
