import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, recorder, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const CALL = '{ call: tools/call, name: weather, ends: succeeds }';

beforeAll(async () => {
  const { command, args } = recorder(join(folder, 'weather.yaml'), fixture('documents/server.js'));
  const recording = fixture('documents/city-client.js', command, ...args);
  expect((await run({ ...recording, env: { FIXED: '1' } })).status).toBe(0);
});

interface Played {
  cassette?: string;
  expected?: readonly string[];
  more?: string;
  options?: readonly string[];
  words?: readonly string[];
  env?: Record<string, string>;
}

const client = fixture('documents/city-client.js', '{url}');
const CLIENT = [client.command, ...client.args];

async function played({
  cassette = 'weather.yaml',
  expected = [CALL],
  more = '',
  options = [],
  words = CLIENT,
  env = {},
}: Played) {
  const file = join(folder, 'scenario.yaml');
  const head = `cassette: ${cassette}\nplay: server\ndeadline: 120000\n${more}`;
  writeFileSync(file, `${head}expect:\n${expected.map((one) => `- ${one}\n`).join('')}`);
  const ended = await run({ ...mcpRecord('run', ...options, file, '--', ...words), env: { FIXED: '1', ...env } });
  return { status: ended.status, text: ended.stdout.toString(), stderr: ended.stderr };
}

const HTTP = 'transport: http\n';

describe('a client that connects to a URL', () => {
  it('passes, and the cassette of the run is kept', async () => {
    const keep = join(folder, 'kept.yaml');
    const { status, text } = await played({ more: HTTP, expected: [CALL, '{ exit: 0 }'], options: ['--keep', keep] });
    expect([status, text]).toEqual([0, expect.stringContaining('2 passed')]);
    expect(readFileSync(keep, 'utf8')).toMatch(/transport: http[\s\S]*Oslo: sunny[\s\S]*end: complete/);
  });

  it('finds the URL in MCP_RECORD_URL', async () => {
    const reads = `process.argv.push('client', process.env.MCP_RECORD_URL); import(${JSON.stringify(pathToFileURL(client.args[0]!).href)})`;
    const words = [process.execPath, '-e', reads];
    expect((await played({ more: HTTP, words })).status).toBe(0);
  });

  it('fails with a call that the cassette does not have', async () => {
    const { status, text } = await played({ more: HTTP, env: { CALLS: '2' } });
    expect([status, text]).toEqual([1, expect.stringContaining('✗ every request is in the cassette')]);
    expect(text).toContain('match: { repeat: last }');
  });

  it('fails if it leaves out calls of which nothing is expected', async () => {
    const { status, text } = await played({ more: HTTP, expected: ['{ exit: 0 }'], env: { IDLE: '1' } });
    expect([status, text]).toEqual([1, expect.stringMatching(/never sent tools\/call "weather" \(.*weather\.yaml:/)]);
  });

  it('may send any value of a redacted key, with --redact-key alone', async () => {
    const redacted = readFileSync(join(folder, 'weather.yaml'), 'utf8').replace(
      'city: Oslo',
      'city: "[redacted:city:1]"',
    );
    writeFileSync(join(folder, 'redacted.yaml'), redacted);
    const own = { cassette: 'redacted.yaml', more: HTTP };
    expect((await played(own)).status).toBe(1);
    expect((await played({ ...own, options: ['--redact-key', 'city'] })).status).toBe(0);
  });

  it('is faulted as HTTP clients are', async () => {
    const faults = `${HTTP}faults:\n- do: http-status\n  status: 503\n  when: { method: tools/call }\n`;
    const expected = ['{ call: tools/call, ends: fails, code: 503 }', '{ fault: 1, fires: 1 }', '{ exit: 1 }'];
    const { status, text } = await played({ more: faults, expected });
    expect([status, text]).toEqual([0, expect.stringContaining('3 passed')]);
  });

  it('that never connects has tested nothing', async () => {
    const { status, stderr } = await played({ more: HTTP, words: [process.execPath, '-e', ''] });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/SERVER_NOT_REACHED.*Write \{url\}/s)]);
  });

  it.each([
    ['{url} without "transport: http"', '', '{url}', /it has \{url\}.*"transport: http" to a scenario/s],
    ['{server} with it', HTTP, '{server}', /it has \{server\}.*Write \{url\} in place of \{server\}/s],
  ])('%s is named before it starts', async (_, more, word, message) => {
    const { status, stderr } = await played({ more, words: ['node', 'client.js', word] });
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
