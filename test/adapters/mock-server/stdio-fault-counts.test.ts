/** Faults over stdio count over all processes of one mock server: a client that starts its server anew and tries again gets its answer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cut, errorReply } from '../../../src/adapters/faults.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { Restarting, startsOverStdio, TWO_CALLS } from './restarting-client.ts';

const folder = temporaryFolder();
const tape = join(folder, 'cassette.yaml');
writeFileSync(tape, TWO_CALLS);

describe.each(startsOverStdio(tape))('a mock server over stdio that %s', (_, start) => {
  it.each([
    ['nth: 1', cut({ on: 'tools/call', nth: 1 })],
    ['times: 1', cut({ on: 'tools/call', times: 1 })],
  ])('dies once where a fault is for one call (%s), and answers the retry from the tape', async (_title, fault) => {
    const server = await start({ faults: [fault] });
    const client = new Restarting(server);
    expect(await client.call('add')).toBe('add of the tape');
    await client.close();
    expect(client.starts).toBe(2);
    expect(server.fired).toMatchObject([{ rule: 1, fault: 'cut', method: 'tools/call' }]);
    expect(server.received('tools/call')).toHaveLength(2);
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('finds the second call in the second process', async () => {
    const server = await start({ faults: [errorReply({ on: 'tools/call', nth: 2, message: 'busy' })] });
    const one = new Restarting(server);
    expect(await one.call('add', 1)).toBe('add of the tape');
    await one.close();
    const two = new Restarting(server);
    await expect(two.call('add', 1)).rejects.toThrow('busy');
    expect(await two.call('multiply', 1)).toBe('multiply of the tape');
    await two.close();
    expect(server.fired).toHaveLength(1);
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('counts the calls of two processes that run at once', async () => {
    const server = await start({ faults: [errorReply({ on: 'tools/call', nth: 3, message: 'busy' })] });
    const [one, two] = [new Restarting(server), new Restarting(server)];
    expect(await Promise.all([one, two].map((client) => client.call('add', 1)))).toHaveLength(2);
    const last = await Promise.allSettled([one, two].map((client) => client.call('multiply', 1)));
    expect(last.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await Promise.all([one.close(), two.close()]);
    expect(server.fired).toHaveLength(1);
    expect(await server.finish()).toMatchObject({ failed: false });
  });
});

it('a mock server over stdio that is down is down for every process', async () => {
  const server = await mockServer(tape, { over: 'stdio', onUnused: 'report', faults: [{ do: 'down' }] });
  const client = new Restarting(server);
  await expect(client.call('add', 3)).rejects.toThrow('Connection closed');
  expect([client.starts, server.fired.length]).toEqual([3, 3]);
  await server.finish();
});
