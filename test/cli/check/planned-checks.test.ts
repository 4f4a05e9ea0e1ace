import { expect, it } from 'vitest';
import { type CheckOptions, plannedChecks } from '../../../src/cli/check/planned-checks.ts';

const none: CheckOptions = {
  redactKey: [],
  redactPointer: [],
  redactPattern: [],
  redactAllow: [],
  usedBy: [],
  ignore: [],
  ignorePattern: [],
  allowNotification: [],
  header: [],
};
const plan = (options: Partial<CheckOptions>, server: string[] = []) =>
  Object.fromEntries(
    plannedChecks({
      named: ['cassettes'],
      present: ['cassettes'],
      cassettes: ['cassettes/a.yaml', 'cassettes/b.yaml'],
      server,
      options: { ...none, ...options },
    }).map(({ name, runs }) => [name, runs.map(({ args }) => args.join(' '))]),
  );

it('gives each command the options that it has', () => {
  const options = {
    base: 'main',
    slower: '2x',
    ignore: ['/result/a'],
    allowNotification: ['notifications/a'],
    secretsFromEnv: 'A,B',
    redactRules: 'rules.yaml',
    timeout: '50',
  };
  expect(plan(options, ['node', 'server.js'])).toEqual({
    secrets: ['redact --check --redact-rules rules.yaml cassettes'],
    protocol: ['lint cassettes'],
    changes: ['diff --fail-on breaking --ignore /result/a --slower 2x main: cassettes'],
    server: ['a', 'b'].map(
      (name) =>
        `verify --strict --fail-on any --ignore /result/a --slower 2x --allow-notification notifications/a --redact-rules rules.yaml cassettes/${name}.yaml --timeout 50 --secrets-from-env A,B -- node server.js`,
    ),
  });
});

it('compares with nothing, and plays to nobody, unless it is asked to', () => {
  expect(plan({})).toMatchObject({ changes: [], server: [] });
  expect(plan({ http: 'http://127.0.0.1:1/mcp', failOn: 'used' }).server).toEqual([
    expect.stringContaining('--fail-on used cassettes/a.yaml --http http://127.0.0.1:1/mcp'),
    expect.stringContaining('cassettes/b.yaml'),
  ]);
});

it('writes a report for each cassette, and takes none for an option', () => {
  const cassettes = ['a/b.yaml', 'a-b.yaml', '--junit=x.yaml'];
  const options = { ...none, reports: 'reports' };
  const [, , , server] = plannedChecks({
    named: ['*.yaml'],
    present: ['*.yaml'],
    cassettes,
    server: ['node', 's.js'],
    options,
  });
  const args = server!.runs.map((run) => run.args);
  expect(new Set(args.map((words) => words[words.indexOf('--junit') + 1])).size).toBe(3);
  expect(args[2]).toContain('./--junit=x.yaml');
  expect(args[2]).not.toContain('--junit=x.yaml');
});

it('asks only the revision about a folder whose last cassette is deleted', () => {
  const options = { ...none, base: 'main' };
  const all = plannedChecks({ named: ['gone'], present: [], cassettes: [], server: ['node', 's.js'], options });
  expect(all.map(({ name, runs }) => [name, runs.map(({ args }) => args.join(' '))])).toEqual([
    ['secrets', []],
    ['protocol', []],
    ['changes', ['diff --fail-on breaking main: gone']],
    ['server', []],
  ]);
});
