import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { leftProcesses } from '../../../src/sweep/client/left-processes.ts';
import { itOnPosix } from '../../support/on-posix.ts';

itOnPosix('process groups', 'names each process of a group by its id and the start of its command line', async () => {
  const script = `console.log('up'); setInterval(() => {}, 1000); // ${'x'.repeat(200)}`;
  const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const [named, ...others] = leftProcesses(child.pid!);
  expect(named).toMatch(new RegExp(`^process ${child.pid} \\(.*-e console\\.log\\('up'\\).*x…\\)$`));
  expect(others).toEqual([]);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(leftProcesses(child.pid!)).toEqual([]);
});
