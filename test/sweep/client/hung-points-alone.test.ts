import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import type { FaultCase } from '../../../src/sweep/client/fault-cases.ts';
import { sweep } from '../../../src/sweep/client/sweep-client.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';

const newFile = freeNames(temporaryFolder());
/** A client that hangs at its first run of each point, as on a machine that is busy with other runs. */
const client = join(temporaryFolder(), 'client.mjs');
writeFileSync(
  client,
  `import { existsSync, writeFileSync } from 'node:fs';
const seen = process.argv[2];
if (!existsSync(seen)) {
  writeFileSync(seen, '');
  setInterval(() => {}, 1_000);
}
`,
);

const point = (name: string, more: Partial<FaultCase> = {}): FaultCase => ({
  ...{ name: `${name}@2`, fault: name, message: 2, line: 5, title: 'answer' },
  ...more,
});
const request = { from: 'client', kind: 'request' } as const;
const LOSES = { loses: { request, answered: { from: 'server', kind: 'response' } } } as const;

/** Sweeps the client, and returns its verdicts, the runs of each point, and the points in the order of their results. */
async function swept(points: readonly FaultCase[], all: number) {
  const [runs, done]: [string, string[]] = [newFile(), []];
  const files = new Map(points.map(({ name }) => [name, newFile()]));
  const results = await sweep({
    command: [process.execPath, client, '{server}'],
    env: process.env,
    points,
    clock,
    unserved: [],
    deadline: 3_000,
    room: { busy: all, all },
    async target({ name }) {
      appendFileSync(runs, `${name}\n`);
      return {
        at: { words: [files.get(name)!] },
        journal: () => [{ rule: 1 }],
        reached: () => true,
        unserved: () => [],
        async clear() {},
      };
    },
    done: ({ point: { name }, verdict }) => done.push(`${name} ${verdict}`),
  });
  const verdicts = results.map(({ point: { name }, verdict }) => `${name} ${verdict}`);
  return { verdicts, done: done.sort(), runs: readFileSync(runs, 'utf8').trim().split('\n').sort() };
}

describe('a point that hangs beside other runs', () => {
  it('runs again alone if its fault only delays an answer, and not if it withholds one', async () => {
    const points = [point('latency'), point('stall', LOSES)];
    const { verdicts, done, runs } = await swept(points, 2);
    expect(verdicts).toEqual(['latency@2 passed', 'stall@2 hung']);
    expect(done).toEqual([...verdicts].sort());
    expect(runs).toEqual(['latency@2', 'latency@2', 'stall@2']);
  });

  it('does not run again if it was alone', async () => {
    const both = await swept([point('latency'), point('throttle')], 1);
    const single = await swept([point('latency')], 2);
    expect(both.verdicts).toEqual(['latency@2 hung', 'throttle@2 hung']);
    expect(single).toEqual({ verdicts: ['latency@2 hung'], done: ['latency@2 hung'], runs: ['latency@2'] });
  });
});
