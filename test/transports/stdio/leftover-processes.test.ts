import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { Leftovers, type LeftProcesses, leftText } from '../../../src/transports/stdio/leftover-processes.ts';
import { HAS_PROC, itOnPosix, titled } from '../../support/on-posix.ts';
import { gone } from '../../support/process.ts';

const STAYS = `console.log('up'); setTimeout(() => {}, 60_000)`;
/** A program that starts a detached process, says its id, and ends. */
const LEAVES = `
  const { spawn } = require('node:child_process');
  const options = { stdio: ['ignore', 'pipe', 'ignore'], detached: true, windowsHide: true };
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(STAYS)}], options);
  child.stdout.once('data', () => process.stdout.write(String(child.pid), () => process.exit()));`;

const clock = new ManualClock();
const started: number[] = [];
const processesOf = (isMarked = true, env = process.env) => new Leftovers({ env, clock, isMarked });

async function start(script: string, { env }: Leftovers): Promise<{ child: ChildProcess; said: string }> {
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: [...stdio], env });
  started.push(child.pid!);
  const [said] = await once(child.stdout as Readable, 'data');
  return { child, said: String(said) };
}

/** Starts a program that ends at once, and leaves a process in a group of its own. */
async function leave(processes: Leftovers): Promise<{ group: number; left: number }> {
  const { child, said } = await start(LEAVES, processes);
  if (child.exitCode === null) await once(child, 'exit');
  started.push(Number(said));
  return { group: child.pid!, left: Number(said) };
}

function killAll(): void {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
afterEach(killAll);

itOnPosix('process groups', 'names each process of a group by its id and the start of its command line', async () => {
  const processes = processesOf(false);
  const { child } = await start(`${STAYS}; // ${'x'.repeat(200)}`, processes);
  const [named, ...others] = processes.left(child.pid!) ?? [];
  expect(named).toMatch(new RegExp(`^process ${child.pid} \\(.*-e console\\.log\\('up'\\).*x…\\)$`));
  expect(others).toEqual([]);
  const exited = once(child, 'exit');
  processes.end(child.pid!);
  await exited;
  expect(processes.left(child.pid!)).toBeUndefined();
});

it('describes them after "it left"', () => {
  expect([[], ['process 7'], ['process 7', 'process 8']].map(leftText)).toEqual([
    'processes',
    'process 7',
    'process 7 and 1 more',
  ]);
});

describe.skipIf(!HAS_PROC)(titled('a process that has left the group of its program', 'environments in /proc'), () => {
  it('is found, named and ended', async () => {
    const processes = processesOf();
    const { group, left } = await leave(processes);
    expect(processes.left(group)).toEqual([expect.stringMatching(`^process ${left} \\(.*console\\.log\\('up'\\)`)]);
    processes.end(group);
    await gone(left);
    expect(processes.left(group)).toBeUndefined();
  });

  it('is waited for 2 s', async () => {
    const processes = processesOf();
    const { group, left } = await leave(processes);
    const found: LeftProcesses[] = [];
    processes.whenGone(group, (one) => found.push(one));
    clock.advance(1_999);
    expect(found).toEqual([]);
    clock.advance(20);
    expect(found).toEqual([[expect.stringContaining(`process ${left}`)]]);
  });

  it('is not accused if it ends within 2 s', async () => {
    const processes = processesOf();
    const { group, left } = await leave(processes);
    const found: LeftProcesses[] = [];
    processes.whenGone(group, (one) => found.push(one));
    clock.advance(1_000);
    process.kill(left, 'SIGKILL');
    await gone(left);
    clock.advance(20);
    expect(found).toEqual([undefined]);
  });

  it('of another run, or of a run that is not marked, is not found', async () => {
    const [one, other, unmarked] = [processesOf(), processesOf(), processesOf(false)];
    const { group } = await leave(one);
    const plain = await leave(unmarked);
    expect([other.left(group), unmarked.left(plain.group)]).toEqual([undefined, undefined]);
    expect(one.left(group)).toHaveLength(1);
  });

  it('of a run within another one is found by both', async () => {
    const outer = processesOf();
    const inner = processesOf(true, outer.env);
    const { group, left } = await leave(inner);
    const named = [expect.stringContaining(`process ${left}`)];
    expect([inner.left(group), outer.left(group)]).toEqual([named, named]);
  });
});
