import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, run } from '../support/process.ts';

const root = join(import.meta.dirname, '..', '..');
interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { steps: { name: string; run?: string; env?: Record<string, string>; with?: Record<string, string> }[] };
}
const action = parse(readFileSync(join(root, 'action', 'action.yml'), 'utf8')) as Action;
const folder = temporaryFolder();
const { command, args } = fixture('pages-tools-of.js');

/** The part of the API of GitHub that has the comments of pull request 7. */
const comments: { id: number; body: string; by: string }[] = [];
const asked: string[] = [];
const github = createServer((request, response) => {
  const { method, url = '', headers } = request;
  let text = '';
  request.on('data', (data) => (text += data));
  request.on('end', () => {
    asked.push(`${method} ${url} ${headers.authorization}`);
    const { body = '' } = text === '' ? {} : (JSON.parse(text) as { body?: string });
    const say = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    if (url.startsWith('/repos/o/r/issues/7/comments')) {
      const page = Number(new URL(url, 'http://a').searchParams.get('page') ?? 1);
      if (method === 'GET') return say(200, comments.slice(page * 100 - 100, page * 100));
      comments.push({ id: comments.length + 1, body, by: 'us' });
      return say(201, comments.at(-1));
    }
    const one = comments.find(({ id }) => url === `/repos/o/r/issues/comments/${id}`);
    if (method !== 'PATCH' || one?.by !== 'us') return say(403, {});
    one.body = body;
    return say(200, one);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
  mkdirSync(join(folder, 'cassettes'));
  const server = [command, ...args, '2', 'a', 'b', 'c'];
  await run(mcpRecord('record', '--lists', '-o', join(folder, 'cassettes', 'lists.yaml'), '--', ...server));
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  for (const words of [
    ['init', '-q'],
    ['add', 'cassettes'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder });
});
afterAll(() => void github.close());

/** Runs the steps of the action as a runner does: those with a script, in bash, with `env` from the inputs. */
async function runAction(inputs: Record<string, string>): Promise<Record<string, { status: number; output: string }>> {
  const given = (text: string) =>
    text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => {
      const { default: otherwise = '', required = false } = action.inputs[name]!;
      expect(required && inputs[name] === undefined, `input ${name}`).toBe(false);
      return inputs[name] ?? otherwise;
    });
  const ended: Record<string, { status: number; output: string }> = {};
  for (const { name, run: script, env = {} } of action.runs.steps) {
    if (script === undefined) continue;
    const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, given(value)]));
    const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        ...process.env,
        ...own,
        GITHUB_ACTION_PATH: join(root, 'action'),
        GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
        GITHUB_REPOSITORY: 'o/r',
        GITHUB_WORKFLOW: 'ci',
        GITHUB_JOB: 'contract',
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_STEP_SUMMARY: join(folder, 'job.md'),
        GITHUB_OUTPUT: join(folder, 'output.txt'),
      },
    });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += data));
    const status = await new Promise<number>((resolve) => shell.once('close', (code) => resolve(code ?? -1)));
    ended[name] = { status, output };
  }
  return ended;
}

const inputs = (...tools: string[]) => ({
  cassettes: 'cassettes\n',
  base: 'HEAD',
  token: 'a-token',
  server: [command, ...args, '9', ...tools].join(' '),
  options: '--fail-on=breaking\n--ignore=/result/any\n',
});

describe('the action', () => {
  it('names the artifact as its folder, without a character that artifacts may not have', async () => {
    await runAction({ ...inputs('a', 'b', 'c'), comment: 'false', reports: 'reports/shop: new' });
    expect(readFileSync(join(folder, 'output.txt'), 'utf8')).toMatch(/^artifact=reports-shop--new$/m);
    expect(existsSync(join(folder, 'reports/shop: new/summary.md'))).toBe(true);
    const upload = action.runs.steps.find(({ with: inputs }) => inputs?.path !== undefined);
    expect(upload?.with?.name).toContain('steps.check.outputs.artifact');
  });

  it('fails with the check, and writes a comment beside those of others', async () => {
    const mark = '<!-- mcp-record check: ci / contract / mcp-record-reports -->';
    for (let id = 1; id <= 120; id++) comments.push({ id, body: id === 3 ? `${mark} not ours` : 'hello', by: 'them' });
    const { Check, Comment } = await runAction(inputs('a', 'c'));
    expect(Check!.output).toContain('✗ server    failed');
    expect([Check!.status, Comment!.status]).toEqual([1, 0]);
    expect(comments).toHaveLength(121);
    expect(comments[120]!.body).toMatch(
      /^<!-- mcp-record check: ci \/ contract \/ mcp-record-reports -->\n## mcp-record: 1 of 4 checks did not pass\n/,
    );
    expect(comments[120]!.body).toContain('breaking: tool "b" was removed');
    expect(comments[2]!.body).toBe(`${mark} not ours`);
    expect(asked.every((line) => line.endsWith(' Bearer a-token'))).toBe(true);
    expect(readFileSync(join(folder, 'job.md'), 'utf8')).toContain('1 of 4 checks did not pass');
  });

  it('changes its comment when the next run passes', async () => {
    const { Check } = await runAction(inputs('a', 'b', 'c', 'd'));
    expect(Check!.status).toBe(0);
    expect(comments).toHaveLength(121);
    expect(comments[120]!.body).toContain('## mcp-record: 4 checks passed');
  });

  it('lets no server give commands to the runner', async () => {
    const server = `node -e 'console.error("::warning::from the server"); process.exit(3)'`;
    const { Check } = await runAction({ ...inputs(), server });
    expect(Check!.status).toBe(2);
    const [, resume, said] = /^::stop-commands::([0-9a-f-]{36})\n([\s\S]*)\n::\1::\n$/.exec(Check!.output) ?? [];
    expect(said).toContain('::warning::from the server');
    expect(said).not.toContain(resume);
  });

  it('warns if it may not comment, and leaves the result of the check alone', async () => {
    const at = comments.splice(0).length;
    expect(at).toBe(121);
    const event = join(folder, 'event.json');
    writeFileSync(event, JSON.stringify({ pull_request: { number: 8 } }));
    const { Check, Comment } = await runAction(inputs('a', 'b', 'c'));
    expect([Check!.status, Comment!.status]).toEqual([0, 0]);
    expect(Comment!.output).toMatch(
      /^::warning title=mcp-record::Cannot comment on the pull request \(GET .*HTTP 403\)/m,
    );
    writeFileSync(event, JSON.stringify({ ref: 'refs/heads/main' }));
    const pushed = await runAction({ ...inputs('a', 'b', 'c'), base: '' });
    expect(pushed.Comment).toEqual({ status: 0, output: '' });
    expect(pushed.Check!.output).toContain('- changes   skipped');
  });
});
