/**
 * The same seed gives the same journal and the same bytes. A few rounds each time; as many as wanted, on any Node, by
 * `ROUNDS=100 npx -y node@24 node_modules/vitest/vitest.mjs run test/e2e/faults/same-seed.test.ts`.
 */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fired } from '../../../src/faults/engine/fault-injector.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { faulty, post } from '../../scenario/faulty.ts';
import { CALL, liveServer } from '../../scenario/servers.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import type { Wire } from '../../transports/http/wire.ts';

const rounds = Number(process.env.ROUNDS ?? 3);
const CALLS = 50;

/** Chance in all that is drawn by chance: who is hit, by how much, and where. */
const faults = [
  { do: 'latency', delay: 2, jitter: 2, distribution: 'lognormal', probability: 0.5 },
  { do: 'corrupt', bytes: 2, probability: 0.2 },
  { do: 'error-reply', probability: 0.1 },
  { do: 'duplicate', probability: 0.1 },
  { do: 'wrong-id', probability: 0.1 },
  { do: 'slice', size: 9, variation: 8, gap: 0, probability: 0.3 },
];

const folder = temporaryFolder();
const calls = Array.from({ length: CALLS }, (_, n) => CALL.replace('"id":1', `"id":${n + 1}`));

it('over stdio, with 50 calls in flight', { timeout: rounds * 20_000 }, async () => {
  const file = join(folder, 'faults.yaml');
  // Held back until all are there: what stands in the window changes places.
  writeFileSync(file, JSON.stringify({ faults: [...faults, { do: 'reorder', window: 5 }] }));
  const { command, args } = fixture('answers.js');
  const told = async (seed: number, round: number) => {
    const journal = join(folder, `${seed}-${round}.jsonl`);
    const options = ['--faults', file, '--seed', String(seed), '--journal', journal];
    const { stdout } = await run(mcpRecord('proxy', ...options, '--', command, ...args), `${calls.join('\n')}\n`);
    // How the rules' entries interleave is up to the clock, where one of them holds what another waits for.
    const entries = (await readFile(journal, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fired);
    return { bytes: stdout.toString('latin1'), entries: entries.toSorted((a, b) => a.rule - b.rule) };
  };
  const first = await told(7, 0);
  for (let round = 1; round < rounds; round++) expect(await told(7, round)).toEqual(first);
  expect(await told(8, 0)).not.toEqual(first);
});

it('over HTTP, with 50 calls in flight that arrive in one order', { timeout: rounds * 20_000 }, async () => {
  // Every answer is held when it has come, so that all calls are in flight at once.
  const held = { do: 'stall', for: 100 };
  const { rules } = parseFaultRules({ faults: [held, ...faults] }, { name: 'faults', transport: 'http' });
  const told = async (seed: number) => {
    await using far = await liveServer('json');
    await using line = await faulty(far, rules, seed);
    const clients: Wire[] = [];
    for (const call of calls) {
      clients.push(line.client().says(post(call)));
      await line.firing(clients.length);
    }
    expect(clients.every(({ heard }) => heard === '')).toBe(true);
    await line.passing(Promise.all(clients.map(({ left }) => left)));
    return { heard: clients.map(({ heard }) => heard), fired: line.fired };
  };
  const first = await told(7);
  for (let round = 1; round < rounds; round++) expect(await told(7)).toEqual(first);
  expect(await told(8)).not.toEqual(first);
});
