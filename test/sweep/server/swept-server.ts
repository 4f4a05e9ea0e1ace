import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type MisbehaviourCase, misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import type { ServerUnderTest } from '../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { type ServerSweep, type SweepServerOptions, sweepServer } from '../../../src/sweep/server/sweep-server.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture } from '../../support/process.ts';

export const text = (id: number, value: string) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { content: [{ type: 'text', text: value }] },
});
const clientInfo = { name: 'swept', version: '1' };
/** The question of `swept-server.js`. */
export const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'How are you?' } }],
  maxTokens: 10,
};

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

const { initialize, initialized, note, notes, work, answer } = AT;

/** Bug of `swept-server.js` → the point that shows it, and its verdict. */
export const BUGS: readonly [bug: string, point: string, verdict: string][] = [
  ['hangs-after-a-cancel', `cancel@${work}`, 'hung'],
  ['never-ends-after-a-cancel', `cancel@${work}`, 'hung'],
  ['leaks-a-process-at-a-cancel', `cancel@${work}`, 'leaked'],
  ['leaks-its-output-at-a-cancel', `cancel@${work}`, 'leaked'],
  ['answers-cancelled-with-another', `cancel@${work}`, 'corrupted'],
  ['dies-of-a-late-cancel', `cancel-late@${note}`, 'crashed'],
  ['mixes-up-equal-ids', `equal-ids@${work}`, 'corrupted'],
  ['doubles-notes', `duplicate@${note}`, 'repeated'],
  ['hangs-when-initialized-twice', `duplicate@${initialize}`, 'hung'],
  ['answers-per-answer', `duplicate@${answer}`, 'repeated'],
  ['dies-of-half-a-line', `truncate@${notes}`, 'crashed'],
  ['dies-late-of-half-a-line', `truncate@${notes}`, 'crashed'],
  ['locks-its-file', `truncate@${notes}`, 'crashed'],
  ['dies-of-no-json', `junk@${notes}`, 'crashed'],
  ['hangs-after-no-json', `not-json@${notes}`, 'hung'],
  ['dies-of-a-wrong-version', `wrong-version@${notes}`, 'crashed'],
  ['hangs-after-a-null-id', `null-id@${notes}`, 'hung'],
  ['dies-of-a-long-line', `oversize@${notes}`, 'crashed'],
  ['takes-a-chunk-for-a-line', `slice@${notes}`, 'hung'],
  ['dies-when-called-too-early', `out-of-order@${initialized}`, 'crashed'],
  ['dies-of-an-unknown-method', `unknown-method@${notes}`, 'crashed'],
  ['dies-of-an-unknown-version', `unknown-protocol-version@${initialize}`, 'crashed'],
  ['answers-no-unknown-version', `unknown-protocol-version@${initialize}`, 'hung'],
  ['echoes-any-version', `unknown-protocol-version@${initialize}`, 'corrupted'],
  ['refuses-an-unknown-version', `unknown-protocol-version@${initialize}`, 'refused'],
  ['answers-notifications', `unknown-notification@${notes}`, 'stray'],
  ['dies-of-a-refusal', `error-reply@${answer}`, 'crashed'],
  ['dies-of-an-unknown-answer', `wrong-id@${answer}`, 'crashed'],
  ['never-ends', `end@${notes}`, 'hung'],
];

/** The first messages of a session with `swept-server.js`: two of the client. */
export const handshake = [
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo })),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'swept', version: '1' } },
  }),
  client(notification('initialized')),
];

/** A session with `swept-server.js`. */
export const session: Cassette = cassette(
  ...handshake,
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
  /** Sessions at once with a server over HTTP. */
  jobs?: number;
}

/** Sweeps a server in this process. */
export function sweepOf(
  target: ServerUnderTest,
  { points, played = session, deadline = DEADLINE, jobs = 1, leftOut = () => {} }: SweepOptions = {},
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
    room: transport === 'http' ? { busy: jobs, all: jobs } : { busy: 2, all: 8 },
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

/** The reasons of the verdicts, for the message of a test that fails. */
export function reasonsOf({ results }: ServerSweep): string {
  return results.map(({ point, why }) => `${point.name}: ${why}`).join('\n');
}

/** The session, with a second question of the server at its end. */
export const twice: Cassette = cassette(
  ...session.events.map(({ frame }) => frame),
  client(call(7, 'ask')),
  server(request('ask-1', 'sampling/createMessage', sampling)),
  client({ jsonrpc: '2.0', id: 'ask-1', result: { role: 'assistant', content: { type: 'text', text: 'fine' } } }),
  server({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'fine' }] } }),
  // The sweep repeats the last call, which is not to ask anything.
  client(call(8, 'notes')),
  server({ jsonrpc: '2.0', id: 8, result: { content: [{ type: 'text', text: 'one' }] } }),
);
/** The message of the client that answers the second question, by position. */
export const SECOND_ANSWER = 11;

/** The two cases of a pair, by their names with a `+` between them. */
export function pairOf(
  played: Cassette,
  name: string,
  transport: 'stdio' | 'http' = 'stdio',
): readonly [MisbehaviourCase, MisbehaviourCase] {
  const all = misbehaviourCases(played, misbehavioursOver(transport), transport);
  const [first, second] = name.split('+').map((one) => all.find((point) => point.name === one)!);
  return [first!, second!] as const;
}
