import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { runCommand } from '../../../src/sweep/client/run-command.ts';
import { gone } from '../../support/process.ts';

/** No test waits for it. */
const NEVER = Number.MAX_SAFE_INTEGER;

it('lets go of standard error where a process that has left the group holds it', async () => {
  // It says its number, and goes when nobody reads any more.
  const stays = `
    process.stderr.on('error', () => process.exit());
    process.stderr.write(process.pid + ' ', () => process.stdout.write('up'));
    setInterval(() => process.stderr.write(' '), 1);`;
  const leaves = `
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { stdio, detached: true });
    child.stdout.once('data', () => process.exit(3));`;
  const clock = new ManualClock();
  const command = [process.execPath, '-e', leaves];
  let isOver = false;
  const running = runCommand({ command, env: process.env, deadline: NEVER, clock }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { status, left, stderr } = await running;
  expect([status, left]).toEqual([3, undefined]);
  await gone(Number(/\d+/.exec(stderr)?.[0]));
});

it('refuses what Node does not start with an error that has a code', async () => {
  const run = runCommand({ command: ['node', 'a\0b'], env: process.env, deadline: NEVER, clock: new ManualClock() });
  await expect(run).rejects.toMatchObject({ code: 'COMMAND_NOT_EXECUTABLE' });
});
