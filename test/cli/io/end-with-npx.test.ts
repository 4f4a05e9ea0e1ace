import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { describeOnPosix, itOnPosix } from '../../support/on-posix.ts';
import { gone, isAlive } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = temporaryFolder();
const newFile = freeNames(folder);
if (process.platform !== 'win32') {
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'mcp-record'));
  symlinkSync('../mcp-record/bin/mcp-record.js', join(folder, 'node_modules', '.bin', 'mcp-record'));
  writeFileSync(join(folder, 'package.json'), '{}');
}

const withoutNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

/** Waits until the recorder listens; gives its process, which is the last of the line that begins with `child`. */
async function recorderOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface(child.stderr!)) if (line.includes('listening on')) break;
  const all = execFileSync('ps', ['-e', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  const parents = new Map(all.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
  let pid = child.pid!;
  for (;;) {
    const next = [...parents].find(([, parent]) => parent === pid);
    if (next === undefined) return pid;
    pid = next[0];
  }
}

itOnPosix('process groups', 'a command that npx started ends when its work is done', async () => {
  const cassette = join(root, 'cassettes', 'mcporter.yaml');
  const client = ['-e', 'process.exit(1)', '{server}'];
  const args = ['--no-install', 'mcp-record', 'sweep', cassette, '--faults', 'cut', '--', process.execPath, ...client];
  const npx = spawn('npx', args, { cwd: folder, env: withoutNpm, stdio: 'ignore' });
  expect(await once(npx, 'exit')).toEqual([2, null]);
});

describeOnPosix('process groups', 'a recorder over HTTP', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('that npx started ends with it: %s', async (signal) => {
    const file = newFile();
    const args = ['--no-install', 'mcp-record', 'record', '--http', 'http://127.0.0.1:9/mcp', '-o', file];
    const npx = spawn('npx', args, { cwd: folder, env: withoutNpm, stdio: ['ignore', 'ignore', 'pipe'] });
    const recorder = await recorderOf(npx);
    expect(recorder).not.toBe(npx.pid);
    npx.kill(signal);
    await gone(recorder);
  });

  it('that npx did not start outlives its shell, also where npx started something else', async () => {
    const bin = join(root, 'bin', 'mcp-record.js');
    const record = (script: string) =>
      `npm_lifecycle_script=${script} '${process.execPath}' '${bin}' record --http http://127.0.0.1:9/mcp -o '${newFile()}' & echo $!`;
    const line = [record('vitest'), record('mcp-record'), 'wait'].join('\n');
    const env = { ...withoutNpm, npm_lifecycle_event: 'npx' };
    const shell = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const pids: number[] = [];
    for await (const pid of createInterface(shell.stdout)) if (pids.push(Number(pid)) === 2) break;
    const [detached, ofNpx] = pids as [number, number];
    try {
      let listening = 0;
      for await (const said of createInterface(shell.stderr)) {
        listening += said.includes('listening on') ? 1 : 0;
        if (listening === 2) break;
      }
      shell.kill('SIGKILL');
      // It was started last, and has looked by then whether its shell is there.
      await gone(ofNpx);
      expect(isAlive(detached)).toBe(true);
    } finally {
      process.kill(detached, 'SIGTERM');
      await gone(detached);
    }
  });
});
