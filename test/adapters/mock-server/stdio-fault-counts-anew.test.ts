/** Faults over stdio count over all processes of one mock server: a client that starts its server anew and tries again gets its answer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cut, errorReply } from '../../../src/adapters/faults.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { Restarting, startsOverStdio, TWO_CALLS } from './restarting-client.ts';

const folder = temporaryFolder();
const tape = join(folder, 'cassette.yaml');
writeFileSync(tape, TWO_CALLS);

describe.each(startsOverStdio(tape))('a mock server over stdio that %s', (_, start) => {
  it('dies as often as its rules say, by the rule that says so', async () => {
    const server = await start({ faults: [cut({ on: 'ping', times: 0 }), cut({ on: 'tools/call', times: 2 })] });
    const client = new Restarting(server);
    await expect(client.call('add')).rejects.toThrow('Connection closed');
    expect(await client.call('add')).toBe('add of the tape');
    await client.close();
    expect(server.fired.map(({ rule }) => rule)).toEqual([2, 2]);
    const { failures } = await server.finish();
    expect(failures.filter(({ kind }) => kind === 'unfired')).toEqual([
      { kind: 'unfired', text: 'Rule 1 (cut) never fired.' },
    ]);
  });

  it('gives no number of a match twice where two processes are busy at once', async () => {
    const server = await start({ faults: [errorReply({ on: 'ping', probability: 0.5 })], seed: 7 });
    const clients = [new Restarting(server), new Restarting(server)];
    for (const client of clients) await client.call('add');
    const fates: boolean[] = [];
    const ask = async (client: Restarting) => {
      for (let round = 0; round < 100; round++) {
        const pings = Array.from({ length: 10 }, () => client.ping());
        for (const { status } of await Promise.allSettled(pings)) fates.push(status === 'rejected');
      }
    };
    await Promise.all(clients.map(ask));
    const random = seededRandom(7);
    const drawn = fates.filter(() => random() < 0.5).length;
    expect([fates.filter(Boolean).length, server.fired.length]).toEqual([drawn, drawn]);
    await Promise.all(clients.map((client) => client.close()));
    await server.finish();
  });

  it('counts anew after `misbehave` and after `reset`', async () => {
    const once = [cut({ on: 'tools/call', times: 1 })];
    const server = await start({ faults: once });
    const client = new Restarting(server);
    expect(await client.call('add')).toBe('add of the tape');
    server.misbehave(once);
    expect(await client.call('multiply')).toBe('multiply of the tape');
    expect(await client.call('add')).toBe('add of the tape');
    expect([client.starts, server.fired.length]).toEqual([3, 2]);
    await client.close();
    expect(await server.reset()).toMatchObject({ failed: false });
    const after = new Restarting(server);
    expect(await after.call('add')).toBe('add of the tape');
    await after.close();
    expect([after.starts, server.fired.length]).toEqual([2, 1]);
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('says of a rule that fired in no process that it never fired, once for each set of rules', async () => {
    const server = await start({ faults: [cut({ on: 'tools/call', nth: 3 })] });
    server.misbehave([cut({ on: 'tools/call', nth: 3 })]);
    for (const name of ['add', 'multiply']) {
      const client = new Restarting(server);
      expect(await client.call(name, 1)).toBe(`${name} of the tape`);
      await client.close();
    }
    const { failed, findings } = await server.finish();
    const unfired = findings.filter(({ kind }) => kind === 'unfired').map(({ text }) => text);
    expect([failed, unfired]).toEqual([true, ['Rule 1 (cut) never fired.', 'Rule 1 (cut) never fired.']]);
  });

  it('draws the chance of a rule from one sequence for all processes', async () => {
    const server = await start({ faults: [errorReply({ on: 'tools/call', probability: 0.5 })], seed: 7 });
    const fates: boolean[] = [];
    for (let process = 0; process < 4; process++) {
      const client = new Restarting(server);
      const fate = await client.call('add', 1).catch(() => 'refused');
      fates.push(fate === 'refused');
      await client.close();
    }
    const random = seededRandom(7);
    const drawn = [random(), random(), random(), random()].map((chance) => chance < 0.5);
    expect(fates).toEqual(drawn);
    expect(new Set(drawn).size).toBe(2);
    await server.finish();
  });
});

it.each([
  ['is down until it was started twice where its rule says so', { do: 'down', times: 2 }, 3],
  ['is up for its first process, and down for its second', { do: 'down', when: { nth: 2 } }, 1],
] as const)('a mock server over stdio %s', async (_, fault, starts) => {
  const server = await mockServer(tape, { over: 'stdio', onUnused: 'report', onUnfired: 'report', faults: [fault] });
  const client = new Restarting(server);
  expect(await client.call('add', 3)).toBe('add of the tape');
  expect(client.starts).toBe(starts);
  await client.close();
  const next = new Restarting(server);
  expect(await next.call('add', 2)).toBe('add of the tape');
  expect([next.starts, server.fired.length]).toEqual(starts === 1 ? [2, 1] : [1, 2]);
  await next.close();
  await server.finish();
});

it('`mcp.faults` over stdio counts over all processes of each server of the test', async () => {
  const mcp = openMcp({ file: join(folder, 'a.test.js'), names: ['a retry'] });
  const open = await mcp.server(tape, { over: 'stdio', onUnused: 'report' });
  mcp.faults([cut({ on: 'tools/call', nth: 1 })]);
  const later = await mcp.server(tape, { over: 'stdio' });
  for (const server of [open, later]) {
    const client = new Restarting(server);
    expect(await client.call('add')).toBe('add of the tape');
    await client.close();
    expect([client.starts, server.fired.length]).toEqual([2, 1]);
  }
  await mcp.finish({ passed: true });
});
