import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LoadJson } from '../../../../src/load/load-report.ts';
import type { Listening } from '../../../e2e/http/processes.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { loadedForSecond, loadedServer, recordLoadedServer } from '../../../support/loaded-server.ts';
import { Running, run } from '../../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const folder = realpathSync(temporaryFolder());
const cassette = join(folder, 'weather.yaml');

let sound: Listening;
beforeAll(async () => {
  sound = await loadedServer();
  await recordLoadedServer(sound, cassette);
});
afterAll(() => sound[Symbol.asyncDispose]());

const loaded = (url: URL, ...options: string[]) => loadedForSecond(cassette, url, ['--workers', '3', ...options]);

it('workers keep a rate together', async () => {
  const { json } = await loaded(sound.url, '--rate', '8');
  // A busy machine may start some of them too late to be counted.
  expect(json.started + json.missed).toBe(8);
});

it('a worker redacts by its own messages what it hands over', async () => {
  await using server = await loadedServer('wrong', '1');
  const { json } = await loaded(server.url, '--redact-pattern', 'Oslo: \\w+');
  expect(JSON.stringify(json.failures)).toContain('[redacted:');
  expect(JSON.stringify(json)).not.toContain('Oslo: snow');
});

it('workers that are interrupted report together what they know', async () => {
  const args = ['load', '--json', '--for', '1h', '--workers', '2', '--http', sound.url.href, cassette];
  const running = new Running(mcpRecord(...args)).read();
  const before = sound.said.length;
  while (sound.said.length < before + 40) await new Promise(setImmediate);
  running.signal('SIGINT');
  const { status, stdout } = await running.ended;
  const { sessions, answers, failed } = JSON.parse(stdout.toString()) as LoadJson;
  expect(status).toBe(130);
  expect([sessions > 0, answers > 0, failed]).toEqual([true, true, 0]);
});

it('workers each start processes of a server over stdio, and play all cassettes', async () => {
  const modern = [process.execPath, join(root, 'test/e2e/servers/modern.js')];
  const cassettes = ['client-2-pinned', 'client-2-auto-modern'].map((name) => join(root, 'cassettes', `${name}.yaml`));
  const options = ['--clients', '2', '--workers', '2', '--for', '1s'];
  const { status, stdout } = await run(mcpRecord('load', '--json', ...options, ...cassettes, '--', ...modern));
  const { failures, sessions } = JSON.parse(stdout.toString()) as LoadJson;
  expect([status, failures]).toEqual([0, []]);
  expect(sessions).toBeGreaterThanOrEqual(2);
});

it.each([
  ['where nobody listens', ['--http', 'http://127.0.0.1:9/mcp'], 'HTTP_UPSTREAM_UNREACHABLE'],
  ['without a server', [], 'USAGE_ONE_SERVER'],
  ['by a program that is not there', ['--', './no-such-program'], 'COMMAND_NOT_FOUND'],
  ['by a server that ends at once', ['--', process.execPath, '-e', '0'], 'LOAD_NOT_ANSWERED'],
])('an error of a worker is that of the load: %s', async (_, words, code) => {
  const { status, stdout, stderr } = await run(mcpRecord('load', '--for', '1s', '--workers', '2', cassette, ...words));
  expect([status, stdout.toString(), stderr.toString()]).toEqual([2, '', expect.stringContaining(`[${code}]`)]);
});

it('a worker that ends without its results fails the load', async () => {
  const ends = `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) process.exit(0);`;
  const { env, ...load } = mcpRecord('load', '--workers', '2', '--http', sound.url.href, cassette);
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ends)}`;
  const { status, stdout, stderr } = await run({ ...load, env: { ...env, NODE_OPTIONS } });
  expect([status, stdout.toString()]).toEqual([expect.any(Number), '']);
  expect(status).not.toBe(0);
  expect(stderr.toString()).toContain('a worker of the load ended before it had played its share');
});
