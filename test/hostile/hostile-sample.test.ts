import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import { OTHERS, ROWS, type Row } from './command-rows.ts';
import { hostilePlaces, violationsOf } from './places.ts';

/** Each row gets one of so many cassettes, and the next row others. `hostile-commands.test.ts` tries more. */
const SHARE = 100;

const { folder, good, cassettes } = hostilePlaces();

it('there are at least 200 hostile cassettes, and every command that reads cassettes has a row', () => {
  expect(cassettes.length).toBeGreaterThanOrEqual(200);
  const tried = new Set(ROWS.map(({ title }) => title.split(/[ ,]/, 1)[0]));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !tried.has(name) && OTHERS[name] === undefined)).toEqual([]);
});

it('no command is steered by a cassette of a stranger', () => {
  const tasks = ROWS.flatMap((row, number) =>
    cassettes.filter(({ index }) => index % SHARE === number % SHARE).map((cassette) => ({ row, cassette })),
  );
  expect(violationsOf(tasks, { folder, good })).toEqual([]);
  rmSync(join(folder, 'out'), { recursive: true });
});

it('what is forbidden is seen where it happens', () => {
  mkdirSync(join(folder, 'elsewhere'));
  const rows: readonly Row[] = [
    { title: 'show, another file', args: ['/etc/hosts'] },
    { title: 'lint, elsewhere', args: ['F', '--sarif', join(folder, 'elsewhere', 'a')] },
    { title: 'verify, another server', args: ['F', '--http', 'http://other.example/mcp'] },
    { title: 'verify, another port', args: ['F', '--http', 'http://127.0.0.1:1/mcp'] },
    { title: 'verify, a process', args: ['F', '--timeout', '15', '--', 'true'] },
    { title: 'verify, a request', args: ['F', '--http', 'http://NAMED/mcp', '--timeout', '15'] },
  ];
  const harmless = cassettes.find(({ name }) => name.startsWith('nothing in every text, stdio'))!;
  const found = violationsOf(
    rows.map((row) => ({ row, cassette: harmless })),
    { folder, good },
  ).join('\n');
  for (const what of [
    'read: ',
    'write: ',
    'other.example',
    'connect: 127.0.0.1:1',
    'spawn: ["true"]',
    'sent a request',
  ])
    expect(found).toContain(what);
});
