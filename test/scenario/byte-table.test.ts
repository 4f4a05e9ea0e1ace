import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { conversations, held } from './conversations.ts';
import { rows } from './rows.ts';
import { liveServer, replayedServer } from './servers.ts';

describe.each([
  ['live', liveServer],
  ['replayed', replayedServer],
])('of a %s server', (_, start) => {
  it.each(conversations.map((one) => [one.fault, one] as const))('%s is observed as it is', async (_fault, one) => {
    expect(await held(start, one)).toEqual(one.observes);
  });
});

/** Those of an authorization server are shown before one: test/mock/authorization/authorization-faults.test.ts. */
const all = [...FAULTS.values()]
  .filter(({ transports, when }) => transports.includes('http') && when?.kind !== 'authorization')
  .map(({ name }) => name);

it(`every fault of HTTP is shown once, all ${all.length}, with the bytes that a peer hears of a live server and of a replayed one`, () => {
  const byRows = rows.map(({ fault }) => fault.split(':')[0]);
  const byConversations = conversations.map(({ fault }) => fault);
  expect([...new Set([...byRows, ...byConversations])].sort()).toEqual(all.sort());
});
