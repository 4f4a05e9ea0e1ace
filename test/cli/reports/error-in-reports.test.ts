import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = temporaryFolder();
const good = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'everything.yaml');
const damaged = join(folder, 'damaged.yaml');
writeFileSync(damaged, 'format: mcp-record/1\nevents:\n- sever: { id: 1 }\n');
const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;
const secret = join(folder, 'secret.yaml');
writeFileSync(secret, `format: mcp-record/1\nevents:\n- ${token}: { id: 1 }\n`);
const scenario = join(folder, 'scenario.yaml');
writeFileSync(scenario, 'cassette: damaged.yaml\nplay: server\nexpect:\n- exit: 0\n');

const OLD_JUNIT = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n</testsuites>\n';
const OLD_SARIF = '{ "version": "2.1.0", "runs": [] }';
const NO_PROGRAM = join(folder, 'no-such-program');

let count = 0;
/** Runs a command with `--junit`, `--sarif` and `--json`, where reports of an earlier run are. */
async function failing(args: readonly string[], formats: readonly string[] = ['--junit', '--sarif', '--json']) {
  count += 1;
  const [xml, log] = [join(folder, `${count}.xml`), join(folder, `${count}.sarif`)];
  writeFileSync(xml, OLD_JUNIT);
  writeFileSync(log, OLD_SARIF);
  const paths: Record<string, string[]> = { '--junit': [xml], '--sarif': [log], '--json': [] };
  const options = formats.flatMap((format) => [format, ...paths[format]!]);
  const { stdout, stderr, status } = await run(mcpRecord(args[0]!, ...options, ...args.slice(1)));
  return { stdout: String(stdout), stderr, status, xml, log };
}

const textOf = (file: string) => readFileSync(file, 'utf8');

describe('an error of a command whose result programs read', () => {
  const client = ['--', process.execPath, '-e', ''];
  it.each([
    ['verify of a damaged cassette', ['verify', damaged, ...client], 'CASSETTE_BAD_EVENT'],
    ['verify of no cassette', ['verify', join(folder, 'none.yaml'), ...client], 'CASSETTE_NOT_FOUND'],
    ['verify of a server that is not there', ['verify', good, '--', NO_PROGRAM], 'COMMAND_NOT_FOUND'],
    ['verify without a server', ['verify', good], 'USAGE_ONE_SERVER'],
    ['verify with an unknown option', ['verify', good, '--unknown', ...client], 'USAGE_UNKNOWN_OPTION'],
    ['verify of two servers', ['verify', good, '--ca', 'x', ...client], 'USAGE_'],
    ['sweep of a damaged cassette', ['sweep', damaged, ...client], 'CASSETTE_BAD_EVENT'],
    ['sweep --server of a damaged cassette', ['sweep', '--server', damaged, ...client], 'CASSETTE_BAD_EVENT'],
    ['run of a damaged cassette', ['run', scenario, ...client], 'CASSETTE_BAD_EVENT'],
  ])('is in the JUnit report: %s', async (_name, args, code) => {
    const { xml, status, stderr } = await failing(args, ['--junit']);
    expect(stderr).toContain(`[${code}`);
    expect(status).toBe(2);
    expect(textOf(xml)).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(textOf(xml)).toMatch(new RegExp(`<error type="${code}\\w*" message=".*\\[${code}`));
  });

  it('has the code, the message and the next step', async () => {
    const { xml } = await failing(['verify', damaged, ...client], ['--junit']);
    expect(textOf(xml)).toContain(`classname="${damaged}" name="verify (line 3)"`);
    expect(textOf(xml)).toContain('Did you mean "server"?</error>');
  });

  it('is a result of SARIF at its place', async () => {
    const { log, status } = await failing(['verify', damaged, ...client], ['--sarif']);
    const [{ invocations, results, tool }] = JSON.parse(textOf(log)).runs;
    expect([status, invocations, tool.driver.rules[0].id]).toEqual([
      2,
      [{ executionSuccessful: false }],
      'CASSETTE_BAD_EVENT',
    ]);
    expect(results).toMatchObject([
      { level: 'error', locations: [{ physicalLocation: { region: { startLine: 3 } } }] },
    ]);
  });

  it.each([['show'], ['lint'], ['verify'], ['sweep'], ['redact', '--check'], ['show', '--stats']])(
    'is JSON on standard output with --json: %j',
    async (...words) => {
      const after = words[0] === 'verify' || words[0] === 'sweep' ? client : [];
      const { stdout, status } = await failing([...words, join(folder, 'none.yaml'), ...after], ['--json']);
      expect(status).toBe(2);
      const told = JSON.parse(stdout);
      const error = Array.isArray(told) ? told[0].error : told.error;
      expect(error).toMatchObject({
        code: 'CASSETTE_NOT_FOUND',
        message: expect.stringContaining('[CASSETTE_NOT_FOUND]'),
        next: expect.any(String),
      });
    },
  );

  it('has no secret in a report, nor in JSON, nor in a terminal', async () => {
    const { xml, log, stdout, stderr } = await failing(['verify', secret, ...client]);
    for (const text of [textOf(xml), textOf(log), stdout, stderr]) {
      expect(text).toContain('CASSETTE_BAD_EVENT');
      expect(text).not.toContain(token);
    }
  });

  it('replaces no file that is not a report, such as a cassette in the place of the report', async () => {
    const mistaken = join(folder, 'mistaken.yaml');
    writeFileSync(mistaken, 'format: mcp-record/1\n');
    const { stderr } = await run(mcpRecord('verify', '--junit', mistaken, ...client));
    expect(stderr).toContain(`${mistaken} exists and is no report`);
    expect(textOf(mistaken)).toBe('format: mcp-record/1\n');
  });

  it.each([[['lint', '--junit']], [['lint', '--sarif']], [['redact', '--check', '--junit']], [['verify', '--junit']]])(
    'writes no report over a cassette that the option has swallowed: %j',
    async (words) => {
      const swallowed = join(folder, 'swallowed.yaml');
      const text = `# ${'A long comment. '.repeat(50)}\n${readFileSync(good, 'utf8')}`;
      writeFileSync(swallowed, text);
      const after = words[0] === 'verify' ? client : [];
      const { stderr, status } = await run(mcpRecord(...words, swallowed, good, ...after));
      expect([stderr, status]).toEqual([
        expect.stringMatching(/Cannot write the report .*swallowed.yaml: it is a cassette. \[USAGE_CANNOT_WRITE\]/),
        2,
      ]);
      expect(stderr).toContain(`Name a file for the report after ${words.at(-1)}`);
      expect(textOf(swallowed) === text).toBe(true);
    },
  );

  it('leaves no old report where the process is ended before it has a result', async () => {
    const xml = join(folder, 'killed.xml');
    writeFileSync(xml, OLD_JUNIT);
    const kill = ['--', process.execPath, '-e', 'process.kill(process.ppid, "SIGKILL")'];
    await run(mcpRecord('verify', good, '--junit', xml, ...kill));
    expect(existsSync(xml)).toBe(false);
  });
});
