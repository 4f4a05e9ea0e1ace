import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPageData } from '../../../../src/html-report/data/load/load-page-data.ts';
import type { LoadJson } from '../../../../src/load/load-report.ts';
import type { Listening } from '../../../e2e/http/processes.ts';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord, program } from '../../../support/command.ts';
import { loadedServer as flawed, loadedForSecond, recordLoadedServer } from '../../../support/loaded-server.ts';
import { Running, run } from '../../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const folder = realpathSync(temporaryFolder());
const newFile = freeNames(folder);
const memoryCassette = join(root, 'cassettes', 'memory.yaml');
const cassette = join(folder, 'weather.yaml');

// Each client makes a call at least, however slow the machine is.
let sound: Listening;
beforeAll(async () => {
  sound = await flawed();
  await recordLoadedServer(sound, cassette);
});
afterAll(() => sound[Symbol.asyncDispose]());

/** The data of a page. */
function dataOf(file: string): LoadPageData {
  const [, block] = /id="data">([^<]*)</.exec(readFileSync(file, 'utf8'))!;
  return JSON.parse(gunzipSync(Buffer.from(block!, 'base64')).toString());
}

const loaded = (url: URL, ...options: string[]) => loadedForSecond(cassette, url, options);

describe('a load of a server over HTTP', () => {
  it('passes where all answers are as recorded, and prints its figures', async () => {
    const args = ['load', '--clients', '4', '--for', '1s', '--threshold', 'rate>1', '--http', sound.url.href, cassette];
    const { status, stdout } = await run(mcpRecord(...args));
    expect(stdout.toString()).toMatch(/ answers in [\d.]+ s .*\n\nanswers {2}failed {2}p50 ms .*what\n(?:.*\n){4}\n/);
    expect(stdout.toString()).toMatch(/\n✓ rate>1: it is \d+ a second\n\n/);
    expect(stdout.toString()).toMatch(/\nnote: All sessions send the same values, .*\n\n2 passed in [\d.]+ s\n$/);
    expect(status).toBe(0);
  });

  it('finds the answers that are wrong now and then', async () => {
    await using server = await flawed('wrong', '4');
    const { status, json } = await loaded(server.url, '--clients', '4');
    const [failure] = json.failures;
    expect(status).toBe(1);
    expect(failure!.step).toMatchObject({ title: 'tools/call "weather"', file: cassette, line: expect.any(Number) });
    expect(JSON.stringify(failure!.step.live)).toContain('Oslo: snow');
    expect(json.failed).toBe(Math.floor(json.calls.find(({ what }) => what.includes('weather'))!.answers / 4));
    expect(failure!.count).toBe(json.failed);
  });

  it('lets a threshold say how many may be wrong', async () => {
    await using server = await flawed('wrong', '10');
    const few = await loaded(server.url, '--threshold', 'failed<5%');
    const fewer = await loaded(server.url, '--threshold', 'failed<0.1%');
    expect([few.status, fewer.status]).toEqual([0, 1]);
  });

  it('finds a tool that is slow now and then by its p99, and no other one', async () => {
    await using server = await flawed('slow', '10');
    const { status, json } = await loaded(
      server.url,
      '--threshold',
      'weather:p99<250ms',
      '--threshold',
      'ping:p99<250s',
    );
    expect(status).toBe(1);
    expect(json.thresholds.map(({ holds }) => holds)).toEqual([false, true]);
    expect(json.failed).toBe(0);
  });

  it('finds a tool that gets slower with each call', async () => {
    await using server = await flawed('leaks');
    const { status, json } = await loaded(server.url, '--clients', '2', '--threshold', 'weather:max<5ms');
    const { answers, took } = json.calls.find(({ what }) => what.includes('weather'))!;
    expect(status).toBe(1);
    // The n-th call waits for n milliseconds. A timer may be a millisecond early.
    expect(took!.max).toBeGreaterThan(0.99 * answers - 1);
    expect(took!.p50).toBeLessThan(took!.max);
  });

  it('finds a notification that is lost', async () => {
    await using server = await flawed('silent', '5');
    const { status, json } = await loaded(server.url, '--timeout', '3000');
    expect(status).toBe(1);
    // A busy machine may also be too slow for an answer.
    expect(json.failures.map(({ step }) => step.title)).toContainEqual(
      expect.stringContaining('notifications/message'),
    );
  });

  it('finds an error in place of an answer', async () => {
    await using server = await flawed('error', '10');
    const { status, json } = await loaded(server.url);
    expect(status).toBe(1);
    expect(json.failures[0]!.step).toMatchObject({ title: 'tools/call "weather"' });
  });

  it('goes on when the server dies, and tells how often it was not there', async () => {
    await using server = await flawed('dies', '2');
    const { status, json } = await loaded(server.url, '--clients', '2', '--for', '3s', '--timeout', '500');
    expect(status).toBe(1);
    expect(json.failedSessions).toBeGreaterThan(1);
    expect(json.sessions).toBeLessThan(200);
    expect(json.failures.map(({ step }) => step.title)).toContain('the server');
  });

  it('starts sessions at a rate, and says where it cannot', async () => {
    const kept = await loaded(sound.url, '--rate', '8');
    // A busy machine may start some of them too late to be counted.
    expect(kept.json.started + kept.json.missed).toBe(8);
    await using server = await flawed('slow', '1');
    const { status, json } = await loaded(server.url, '--rate', '20', '--clients', '1', '--threshold', 'p95<60s');
    expect(json.missed).toBeGreaterThan(10);
    // A busy machine may be too slow for a second session.
    expect(json.notes.some((note) => note.includes('started late'))).toBe(json.late > 0);
    // One client plays one session at a time.
    expect(json.notes.join()).not.toContain('same values');
    // No threshold is failed: what was asked for was not measured.
    expect(status).toBe(1);
  });

  it('writes JUnit', async () => {
    const file = newFile();
    await loaded(sound.url, '--junit', file, '--threshold', 'p95<0.001ms');
    expect(readFileSync(file, 'utf8')).toMatch(/<testsuites.* tests="2" failures="1".*p95&lt;0\.001ms/s);
  });

  it('writes a page with the figures and the checks that it prints', async () => {
    const file = `${newFile()}.html`;
    const { status, json } = await loaded(sound.url, '--html', file, '--threshold', 'p95<0.001ms');
    const { figures, checks } = dataOf(file);
    expect(figures).toEqual(json);
    expect(json.intervals.reduce((sum, { answers }) => sum + answers, 0)).toBe(json.answers);
    expect([status, checks.map((check) => check.status)]).toEqual([1, ['passed', 'failed']]);
    // A second load may replace the page.
    const again = await loaded(sound.url, '--html', file);
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('will be replaced')]);
  });

  describe('with the page of an earlier load', () => {
    const pageOf = async (): Promise<string> => {
      const file = `${newFile()}.html`;
      await loaded(sound.url, '--html', file);
      return file;
    };

    it('keeps it where an option is wrong, or no server answers', async () => {
      const file = await pageOf();
      const before = readFileSync(file, 'utf8');
      const nowhere = new URL('http://127.0.0.1:9/mcp');
      for (const [url, options, code] of [
        [sound.url, ['--threshold', 'p95<fast'], 'USAGE_BAD_THRESHOLD'],
        [sound.url, ['--clients', '0'], 'USAGE_BAD_NUMBER'],
        [sound.url, ['--header', 'none'], 'USAGE_BAD_HEADER'],
        [nowhere, [], 'HTTP_UPSTREAM_UNREACHABLE'],
      ] as const) {
        const { status, stderr } = await loaded(url, '--html', file, ...options);
        expect([status, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
        expect(stderr).not.toContain('is replaced');
        expect(readFileSync(file, 'utf8')).toBe(before);
      }
    });

    it('removes it with the first answer, and writes another at the end', async () => {
      const file = await pageOf();
      const args = ['load', '--json', '--for', '1h', '--html', file, '--http', sound.url.href, cassette];
      const running = new Running(mcpRecord(...args)).read();
      while (existsSync(file)) await new Promise(setImmediate);
      running.signal('SIGINT');
      expect([(await running.ended).status, dataOf(file).figures.files]).toEqual([130, [cassette]]);
    });
  });

  it('says what was run, in JSON and on the page, without credentials', async () => {
    const file = `${newFile()}.html`;
    const before = new Date().toISOString();
    const url = new URL('?token=tk_5fJ29vbQ81xZ', sound.url);
    const options = ['--rate', '4', '--clients', '3', '--ramp', '500ms', '--html', file];
    const { json } = await loaded(url, ...options);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(json.run).toEqual({
      ...{ version, date: expect.any(String), url: `${sound.url.href}?token=[redacted:token:1]` },
      ...{ clients: 3, rate: 4, for: 1_000, ramp: 500, workers: 1, cores: availableParallelism() },
    });
    expect(json.run.date >= before && json.run.date <= new Date().toISOString()).toBe(true);
    expect(dataOf(file).figures.run).toEqual(json.run);
    expect(JSON.stringify(dataOf(file))).not.toContain('tk_5fJ29');
  });

  it('writes no secret to the page', async () => {
    await using server = await flawed('wrong', '1');
    const file = `${newFile()}.html`;
    await loaded(server.url, '--html', file, '--redact-pattern', 'Oslo: \\w+');
    expect(JSON.stringify(dataOf(file).figures.failures)).toContain('[redacted:');
    expect(JSON.stringify(dataOf(file))).not.toContain('Oslo: snow');
  });

  it('that is interrupted reports what it knows, and exits with 130', async () => {
    const args = ['load', '--json', '--for', '1h', '--http', sound.url.href, cassette];
    const running = new Running(mcpRecord(...args)).read();
    const before = sound.said.length;
    while (sound.said.length < before + 40) await new Promise(setImmediate);
    running.signal('SIGINT');
    const { status, stdout } = await running.ended;
    const { sessions, answers, failed } = JSON.parse(stdout.toString()) as LoadJson;
    expect(status).toBe(130);
    expect([sessions > 0, answers > 0, failed]).toEqual([true, true, 0]);
  });
});

describe('a load of servers over stdio', () => {
  const memory = { ...program('@modelcontextprotocol/server-memory', 'dist/index.js') };

  it('has a process for each session, and plays cassettes in turn', async () => {
    const modern = [process.execPath, join(root, 'test/e2e/servers/modern.js')];
    const cassettes = ['client-2-pinned', 'client-2-auto-modern'].map((name) =>
      join(root, 'cassettes', `${name}.yaml`),
    );
    const secret = ['--api-key', 'sk_5fJ29vbQ81xZ'];
    const args = ['load', '--json', '--clients', '2', '--for', '1s', ...cassettes, '--', ...modern, ...secret];
    const { status, stdout } = await run(mcpRecord(...args));
    const json = JSON.parse(stdout.toString()) as LoadJson;
    expect([status, json.failures]).toEqual([0, []]);
    expect(json.run).toMatchObject({ command: [...modern, '--api-key', '[redacted:api-key:1]'], clients: 2 });
    expect(json.files).toEqual(cassettes);
    expect(json.sessions).toBeGreaterThanOrEqual(2);
  });

  it('finds sessions that change what others see', async () => {
    const shared = { MEMORY_FILE_PATH: join(folder, 'shared.jsonl') };
    const { command, args } = memory;
    const load = mcpRecord('load', '--json', '--clients', '2', '--for', '2s', memoryCassette, '--', command, ...args);
    const { status, stdout } = await run({ ...load, env: { ...load.env, ...shared } });
    const json = JSON.parse(stdout.toString()) as LoadJson;
    expect(status).toBe(1);
    expect(json.failures.map(({ step }) => step.title)).toContain('tools/call "create_entities"');
  });
});

describe('is refused', () => {
  const silent = join(folder, 'silent.js');
  writeFileSync(silent, 'process.stdin.resume();');
  const http = ['--http', 'http://127.0.0.1:9/mcp'];

  it.each([
    ['without a server', [], 2, 'USAGE_ONE_SERVER'],
    ['with a command and a URL', [...http, '--', 'node', 'server.js'], 2, 'USAGE_ONE_SERVER'],
    ['with no clients', [...http, '--clients', '0'], 2, 'USAGE_BAD_NUMBER'],
    ['with a part of a client', [...http, '--clients', '1.5'], 2, 'USAGE_BAD_NUMBER'],
    ['with too many clients', [...http, '--clients', '10001'], 2, 'USAGE_BAD_NUMBER'],
    ['with no worker', [...http, '--workers', '0'], 2, 'USAGE_BAD_NUMBER'],
    ['with no rate', [...http, '--rate', '0'], 2, 'USAGE_BAD_NUMBER'],
    ['for no time', [...http, '--for', '0s'], 2, 'USAGE_BAD_DURATION'],
    ['for a time without a unit', [...http, '--for', '60'], 2, 'USAGE_BAD_DURATION'],
    ['with a ramp that is no time', [...http, '--ramp', 'slow'], 2, 'USAGE_BAD_DURATION'],
    ['with a threshold that is none', [...http, '--threshold', 'fast'], 2, 'USAGE_BAD_THRESHOLD'],
    [
      'with a threshold for a tool that is not called',
      [...http, '--threshold', 'sun:p95<1s'],
      2,
      'USAGE_BAD_THRESHOLD',
    ],
    ['with a header without a URL', ['--header', 'A: b', '--', 'node', 'x.js'], 2, 'USAGE_OPTION_WITHOUT_MEANING'],
    ['with a page in place of the cassette', [...http, '--html', cassette], 2, 'USAGE_CANNOT_WRITE'],
    ['where nobody listens', http, 2, 'HTTP_UPSTREAM_UNREACHABLE'],
    ['by a program that is not there', ['--', './no-such-program'], 2, 'COMMAND_NOT_FOUND'],
    ['by a server that ends at once', ['--for', '1s', '--', 'node', '-e', '0'], 2, 'LOAD_NOT_ANSWERED'],
    [
      'by a server that never answers',
      ['--for', '1s', '--timeout', '200', '--', 'node', silent],
      2,
      'LOAD_NOT_ANSWERED',
    ],
  ])('%s', async (_, args, status, code) => {
    const [options, words] = args.includes('--')
      ? [args.slice(0, args.indexOf('--')), args.slice(args.indexOf('--'))]
      : [args, []];
    const ended = await run(mcpRecord('load', ...options, cassette, ...words));
    expect([ended.status, ended.stderr.toString()]).toEqual([status, expect.stringContaining(`[${code}]`)]);
    expect(ended.stdout.toString()).toBe('');
  });

  it('for a cassette that is not there', async () => {
    const { status, stderr } = await run(mcpRecord('load', ...http, join(folder, 'none.yaml')));
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining('none.yaml')]);
  });
});
