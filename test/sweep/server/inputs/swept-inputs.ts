import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { inputCases } from '../../../../src/sweep/server/inputs/input-cases.ts';
import { INPUT_KINDS } from '../../../../src/sweep/server/inputs/input-kinds.ts';
import { type InputResult, sweepInputs } from '../../../../src/sweep/server/inputs/sweep-inputs.ts';
import { listedTools } from '../../../../src/sweep/server/inputs/tools-listed-in-cassette.ts';
import type { ServerUnderTest } from '../../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../../src/sweep/server/stdio-server.ts';
import type { Command } from '../../../support/command.ts';
import { call, cassette, client, notification, request, server } from '../../../support/conversation.ts';
import { fixture, run } from '../../../support/process.ts';

const clientInfo = { name: 'swept', version: '1' };
const HANDSHAKE = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });

/** Arguments of a recorded call, and the text of its answer. */
export type RecordedCall = readonly [tool: string, args: Record<string, unknown>, text: string];

/** A session of 2025-11-25 that lists the tools of a server over stdio, and calls some. */
export async function sessionOf(program: Command, calls: readonly RecordedCall[]): Promise<Cassette> {
  const list = request(1, 'tools/list');
  const lines = [HANDSHAKE, notification('initialized'), list].map((one) => `${JSON.stringify(one)}\n`);
  const { stdout } = await run(program, lines.join(''));
  const said = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [welcome, tools] = [0, 1].map((id) => said.find((message) => message.id === id));
  return cassette(
    client(HANDSHAKE),
    server(welcome),
    client(notification('initialized')),
    client(list),
    server(tools),
    ...calls.flatMap(([name, args, text], index) => [
      client(call(index + 2, name, args)),
      server({ jsonrpc: '2.0', id: index + 2, result: { content: [{ type: 'text', text }] } }),
    ]),
  );
}

/** `swept-tools.js` with bugs. */
export const sweptTools = (...bugs: string[]): Command => fixture('swept-tools.js', ...bugs);

/** A session with `swept-tools.js`. */
export const sweptToolsSession = (): Promise<Cassette> =>
  sessionOf(sweptTools(), [
    ['say', { text: 'hello' }, 'said hello'],
    ['count', { to: 3 }, 'counted 3'],
  ]);

export const overStdio = ({ command, args = [] }: Command): ServerUnderTest =>
  stdioServer([command, ...args], systemClock);

export interface SweepInputsOfOptions {
  played: Cassette;
  /** Names of points. Absent: every point. */
  points?: readonly string[];
  seed?: number;
  /** Also calls destructive tools. */
  destructive?: boolean;
  deadline?: number;
}

/** Sweeps the inputs of a server in this process. */
export async function sweepInputsOf(
  target: ServerUnderTest,
  { played, points, seed = 1, destructive = false, deadline = 2_000 }: SweepInputsOfOptions,
): Promise<InputResult[]> {
  const tools = listedTools(played).filter(({ isDestructive }) => destructive || !isDestructive);
  const found = inputCases({ tools, kinds: [...INPUT_KINDS.keys()], seed, file: played.file });
  if (found.problems.length > 0) throw found.problems[0];
  const wanted = found.points.filter(({ name }) => points?.includes(name) ?? true);
  const room = target.transport === 'http' ? { busy: 1, all: 1 } : { busy: 2, all: 2 };
  const { results } = await sweepInputs({
    cassette: played,
    target,
    points: wanted,
    clock: systemClock,
    room,
    deadline,
  });
  return results;
}
