import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARSERS } from './parsers.ts';

/** What steps of our sources do not count: expressions, built-in functions, and memory. `npm run fuzz` takes all parsers. */
const LENGTHS = process.env.FUZZ_BYTES?.split(',') ?? ['10000', '100000'];
const SOME = [
  'redacted text',
  'a cassette of our layout',
  'an event stream',
  'a compressed body',
  'lines of a terminal',
];
const NAMES = Object.keys(PARSERS).filter((name) => process.env.FUZZ_BYTES !== undefined || SOME.includes(name));
/** Peak of a process that reads one text after another, in KiB. */
const PEAK_MAX = 1.5 * 1024 * 1024;
/** Memory for objects, in MiB. A parser that needs more ends its process. */
const HEAP_MAX = 1_024;
/** Time for one text, after which its process is killed. Texts that take long at 10 KB take days at 4 MB. */
const PATIENCE = Number(process.env.FUZZ_PATIENCE ?? 60_000);

const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.mcp-record-guards', String(process.pid));
const program = join(folder, 'read-long-texts.js');
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await build({
    input: join(import.meta.dirname, 'read-long-texts.ts'),
    platform: 'node',
    external: /^(?!\.|\/|[A-Za-z]:)/,
    output: { file: program, format: 'esm' },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads texts in a process of its own, and returns what took too much time or memory. */
async function excessOf(name: string, lengths: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MAX}`, program, name, ...lengths], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const excess: string[] = [];
  let last = '';
  let peak: number | undefined;
  let watch: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for await (const line of createInterface({ input: child.stdout! })) {
    clearTimeout(watch);
    watch = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const said = JSON.parse(line) as { costly?: string; peak?: number };
    if (said.costly !== undefined) excess.push(line);
    else if (said.peak !== undefined) peak = said.peak;
    else last = line;
  }
  await ended;
  clearTimeout(watch);
  if (peak === undefined) excess.push(`ended, or took more than ${PATIENCE} ms, at ${last}`);
  else if (peak > PEAK_MAX) excess.push(`took ${Math.round(peak / 1024)} MiB`);
  return excess;
}

it.each(NAMES)('%s: hostile texts take no more time than prose, and no more memory than there is', async (name) => {
  expect(await excessOf(name, LENGTHS)).toEqual([]);
});

describe('found is a parser', () => {
  it('whose expression looks at a text again and again', async () => {
    expect(await excessOf('planted: quadratic time', ['30000'])).toEqual(
      expect.arrayContaining([expect.stringContaining('"["')]),
    );
  });

  it('that needs far more memory than its text is long', async () => {
    expect((await excessOf('planted: memory', ['1000000'])).join()).toMatch(/ended|MiB/);
  });
});
