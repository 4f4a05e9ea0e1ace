import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import type { ServerUnderTest } from '../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { type ServerSweep, type SweepServerOptions, sweepServer } from '../../../src/sweep/server/sweep-server.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture } from '../../support/process.ts';

const text = (id: number, value: string) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { content: [{ type: 'text', text: value }] },
});
const clientInfo = { name: 'swept', version: '1' };
const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'How are you?' } }], maxTokens: 10 };

/** Messages of the client in {@link session}, by position. */
export const AT = {
  initialize: 1,
  initialized: 2,
  note: 3,
  notes: 4,
  work: 5,
  ask: 6,
  answer: 7,
  ping: 8,
  notesAgain: 9,
};

/** A session with `swept-server.js`. */
export const session: Cassette = cassette(
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo })),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'swept', version: '1' } },
  }),
  client(notification('initialized')),
  client(call(1, 'note', { text: 'one' })),
  server(text(1, '1 notes')),
  client(call(2, 'notes')),
  server(text(2, 'one')),
  client(call(3, 'work')),
  server(text(3, 'worked')),
  client(call(4, 'ask')),
  server(request('ask-0', 'sampling/createMessage', sampling)),
  client({
    jsonrpc: '2.0',
    id: 'ask-0',
    result: { role: 'assistant', model: 'none', content: { type: 'text', text: 'well' } },
  }),
  server(text(4, 'well')),
  client(request(5, 'ping')),
  server({ jsonrpc: '2.0', id: 5, result: {} }),
  client(call(6, 'notes')),
  server(text(6, 'one')),
);

const DEADLINE = 2_000;

export interface SweepOptions extends Pick<SweepServerOptions, 'leftOut'> {
  /** Names of points; absent: every point. */
  points?: readonly string[];
  played?: Cassette;
  deadline?: number;
}

/** Sweeps a server in this process. */
export function sweepOf(
  target: ServerUnderTest,
  { points, played = session, deadline = DEADLINE, leftOut = () => {} }: SweepOptions = {},
): Promise<ServerSweep> {
  const { transport } = target;
  const all = misbehaviourCases(played, misbehavioursOver(transport), transport);
  const wanted = points === undefined ? all : all.filter(({ name }) => points.includes(name));
  return sweepServer({
    cassette: played,
    target,
    points: wanted,
    clock: systemClock,
    // One process over HTTP serves all runs.
    room: transport === 'http' ? { busy: 1, all: 1 } : { busy: 2, all: 8 },
    deadline,
    leftOut,
  });
}

/** `swept-server.js` with a bug. */
export function sweptServer(...args: string[]): ServerUnderTest {
  const { command, args: words } = fixture('swept-server.js', ...args);
  return stdioServer([command, ...words], systemClock);
}

/** Each point with its verdict: `cancel@5 hung`. */
export function verdictsOf({ results }: ServerSweep): string[] {
  return results.map(({ point, verdict }) => `${point.name} ${verdict}`);
}
