import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockClient } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';
// @ts-expect-error a program, which has no types
import { connectLateServer } from './late-server.js';

const program = join(import.meta.dirname, 'late-server.js');
const over = {
  stdio: (late: string, wait = 'timeout') => ({ command: process.execPath, args: [program, late, wait] }),
  'a function': (late: string, wait?: string) => (transport: unknown) => connectLateServer(transport, late, wait),
} satisfies Record<string, (late: string, wait?: string) => TestedServer>;

/** Calls a server once, and returns the first lines of what fails the test. */
async function failures(server: TestedServer): Promise<string[]> {
  const client = await mockClient({ server });
  await client.request('tools/call', { name: 'x', _meta: { progressToken: 7 } });
  return (await client.finish()).failures.map(({ text }) => text.split('\n')[0]!);
}

const progress = expect.stringContaining('[progress-stops]');
const MESSAGES: [late: string, expected: unknown[]][] = [
  ['nothing', []],
  ['progress', [progress]],
  ['answer', [expect.stringContaining('A response came to no open request')]],
  ['log', [expect.stringContaining('/params/level must be equal to one of the allowed values')]],
];

describe.each(Object.entries(over))('a late message of a server over %s', (_, start) => {
  it.each(MESSAGES)('is judged: %s', async (late, expected) => {
    expect(await failures(start(late))).toEqual(expected);
  });

  it.each<[wait: string, expected: unknown]>([
    ['chain', [progress]],
    ['forgotten', expect.arrayContaining([progress])],
    ['interval', []],
  ])('comes after work that keeps a process alive: %s', async (wait, expected) => {
    expect(await failures(start('progress', wait))).toEqual(expected);
  });
});

it('waits for no timer that is longer than the grace of a process', async () => {
  expect(await failures(over['a function']('progress', 'long'))).toEqual([]);
});
