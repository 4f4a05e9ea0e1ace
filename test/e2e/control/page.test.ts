import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEATHER } from '../../mock/control/controlled.ts';
import { ask } from '../../mock/control/described-api.ts';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { Running } from '../../support/process.ts';
import type { TransportLike } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'control.md'), 'utf8');
const blocks = blocksOf('docs/control.md', page);
const folder = temporaryFolder();
const WRITTEN = 'http://127.0.0.1:7357';

/** Each line of curl with what the page says that it prints. */
const lines = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => [...text.matchAll(/^\$ (curl .*)\n([^$]*)/gm)])
  .map(([, line, output]): [string, string] => [line!, output!]);

let server: Running;
let control: string;

/** Starts the server of the page, to which a client makes one call. */
beforeAll(async () => {
  writeFileSync(join(folder, 'weather.yaml'), WEATHER);
  const { command, args } = mcpRecord('replay', '--http', '--control', '127.0.0.1:0', 'weather.yaml');
  server = new Running({ command: 'bash', args: ['-c', 'cd "$0" && exec "$@"', folder, command, ...args] });
  const started = [await server.line(server.child.stderr), await server.line(server.child.stderr)];
  server.read();
  control = /http:\S+/.exec(started[0]!)![0];
  expect(started.join('\n')).toMatch(patternOf(/^\$ mcp-record.*\n((?:mcp-record: .*\n)+)/m.exec(page)![1]!));
  const { url } = (await ask(control, 'GET /health')).body;
  const client = await sdk1Over(new StreamableHTTPClientTransport(new URL(url)) as TransportLike);
  await client.request('tools/call', { name: 'weather', arguments: { city: 'Oslo' } });
  await client.close();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the page of the control API', () => {
  it('has lines of curl', () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(page.match(/^\$ curl/gm)).toHaveLength(lines.length);
  });

  it.each(lines)('%s prints what it says', (line, output) => {
    const { stdout, stderr } = spawnSync('bash', ['-c', line.replace(WRITTEN, control)], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(patternOf(output));
  });

  it('shows the fixture and a test of the example', () => {
    const example = ['conftest.py', 'test_weather_app.py'].map((name) =>
      readFileSync(join(root, 'examples', 'pytest', name), 'utf8'),
    );
    const shown = blocks.filter(({ language }) => language === 'python');
    expect(shown).toHaveLength(2);
    for (const { text } of shown) expect(example.join('\n')).toContain(text);
  });
});

/** What the page prints, with its port, and whatever stands for `…`. */
function patternOf(output: string): RegExp {
  const parts = output.trimEnd().replaceAll(WRITTEN, control).split('…');
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}\\s*$`);
}
