import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, program } from '../../support/command.ts';
import { modernSteps } from '../session/modern-steps.ts';
import { runSession } from '../session/run.ts';
import { type Step, steps } from '../session/steps.ts';
import { type HttpPeer, modern2, streamable1 } from './clients.ts';
import { constellations, EVERYTHING, everything } from './constellations.ts';
import { record, serve, server } from './processes.ts';
import { failures, outcomeOf, verify } from './verification.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = temporaryFolder();

/** Records what `connect` makes of a server and what `all` do with it. */
async function recorded(far: URL, connect: (url: URL) => Promise<HttpPeer>, all: readonly Step[]) {
  const output = mkdtempSync(join(folder, 'cassette-'));
  await using recorder = await record(far, join(output, 'cassette.yaml'));
  await runSession(await connect(recorder.url), all);
  await recorder.stop();
  expect(readdirSync(output)).toContain('cassette.yaml');
  return join(output, 'cassette.yaml');
}

describe('an unchanged server over HTTP', () => {
  it.each(constellations)('passes against its own cassette: $name', async ({ start, connect, steps: all }) => {
    await using far = await start();
    const cassette = await recorded(far.url, connect, all);
    const outcome = await outcomeOf(cassette, '--http', far.url.href);
    expect(failures(outcome)).toEqual([]);
    expect(outcome.steps.length).toBeGreaterThan(15);
    expect(outcome.notes).toEqual([]);
  });

  it.each([
    ['everything', () => everything('sse', '/sse')],
    ['client-2-pinned', () => server('modern.js')],
    ['client-2-auto-modern', () => server('modern.js')],
  ])('passes against a cassette of stdio: %s', async (name, start) => {
    await using far = await start();
    const outcome = await outcomeOf(join(root, 'cassettes', `${name}.yaml`), '--http', far.url.href);
    expect(failures(outcome)).toEqual([]);
  });

  it('passes but for what it says before anybody listens, against a cassette of stdio: everything', async () => {
    await using far = await everything('streamableHttp', '/mcp');
    const cassette = join(root, 'cassettes', 'everything.yaml');
    const said = failures(await outcomeOf(cassette, '--http', far.url.href, '--timeout', '5000'));
    const dropped = 'notifications/tools/list_changed: dropped: this notification did not come';
    expect(said.filter((failure) => failure !== dropped)).toEqual([]);
  });
});

describe('a cassette of HTTP', () => {
  it('verifies the same server over stdio, of 2026-07-28', async () => {
    await using far = await server('modern.js');
    const cassette = await recorded(far.url, modern2, modernSteps);
    const modern = join(root, 'test', 'e2e', 'servers', 'modern.js');
    expect(failures(await outcomeOf(cassette, '--', process.execPath, modern))).toEqual([]);
  });

  it('verifies the same server over stdio, of 2025-11-25', async () => {
    await using far = await everything('streamableHttp', '/mcp');
    const cassette = await recorded(far.url, streamable1, steps);
    const { command, args } = program(EVERYTHING, 'dist/index.js', 'stdio');
    expect(failures(await outcomeOf(cassette, '--', command, ...args))).toEqual([]);
  });
});

describe('a server that changed', () => {
  /** Server-everything with `to` in the place of `from` in one file of its code. */
  function changed(file: string, from: string, to: string): Command {
    const original = join(createRequire(import.meta.url).resolve(`${EVERYTHING}/package.json`), '..');
    const copy = mkdtempSync(join(folder, 'changed-'));
    cpSync(original, copy, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const code = join(copy, 'dist', file);
    const text = readFileSync(code, 'utf8');
    expect(text).toContain(from);
    writeFileSync(code, text.replace(from, to));
    return { command: process.execPath, args: [join(copy, 'dist', 'index.js')] };
  }

  it.each([
    ['streamableHttp', '/mcp'],
    ['sse', '/sse'],
  ])('is found out over %s', async (mode, path) => {
    const { command, args } = changed('tools/echo.js', 'Echo: ', 'You said: ');
    await using far = await serve({ command, args: [...args, mode] }, path);
    const cassette = join(root, 'cassettes', 'everything.yaml');
    const { text, status } = await verify(cassette, far.url, '--timeout', '5000');
    expect(text).toContain('✗ tools/call "echo": /result/content/0/text ("Echo: hello" → "You said: hello")');
    expect(status).toBe(1);
  });
});
