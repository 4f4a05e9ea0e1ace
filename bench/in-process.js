/**
 * What a replayed call, and one that a handler answers, costs in the process of a test, beside the same call to a server on the SDK over its
 * `InMemoryTransport`, and to nobody (the SDK client alone, handed objects or, as over a wire, text); and what a test with a
 * cassette of its own spends in us.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mockServer, tool } from '../dist/adapters/mock.js';
import { replayTransport } from '../dist/adapters/sdk.js';
import { openMcp } from '../dist/adapters/test/any-runner-fixture.js';
import { cassetteOf, INITIALIZED, OPENING } from './cassettes.js';
import { comparedInTurns, mapValues, ownCpu } from './measure.js';
import { spanOf } from './profile/own-process.js';

export const name = 'in-process';

const call = (n) => ({ name: 'add', arguments: { a: n, b: 1 } });
const sum = (n) => ({ content: [{ type: 'text', text: String(n + 1) }] });

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    const warm = quick ? { calls: 1_000, before: 1_000 } : { calls: 10_000, before: 10_000 };
    // Kernels may count the work of a thread in steps of 4 ms, a third of what 100 calls take.
    const cold = { calls: 100, before: 0, isShort: true };
    const rounds = quick ? 1 : 7;
    const tape = join(folder, 'cassette.yaml');
    writeSums(tape, warm.calls + warm.before);
    return [
      ...(await calling('a call, one at a time', tape, warm, rounds, 1)),
      ...(await calling('a call, 64 in flight', tape, warm, rounds, 64)),
      ...(await calling('one of the first 100 calls', tape, cold, 3 * rounds, 1)),
      await testing(folder, quick ? 200 : 1_000),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A cassette of calls that `callInBatches` makes. */
export function writeSums(file, calls) {
  writeFileSync(file, cassetteOf(calls, { params: call, result: sum }));
}

export const contenders = {
  nobody: async () => nobody((message) => message),
  'as text': async () => nobody((message) => JSON.parse(JSON.stringify(message))),
  'sdk server': async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => sum(params.arguments.a));
    await server.connect(far);
    return near;
  },
  replay: async (tape) => replayTransport(tape),
  handler: async () => {
    const server = await mockServer({ handlers: [tool('add', ({ a }) => sum(a))] });
    const { transport } = server;
    // As a test does: a server that is not finished is kept until the process ends.
    const close = transport.close.bind(transport);
    transport.close = async () => {
      // The end of the server closes the transport.
      transport.close = close;
      await close();
      await server.finish();
    };
    return transport;
  },
};

/** A transport that answers at once, without anybody behind it; `cross` is what the wire makes of a message. */
function nobody(cross) {
  return {
    async start() {},
    async close() {},
    async send(message) {
      const { id, method, params } = cross(message);
      if (id === undefined) return;
      const result = method === 'initialize' ? INITIALIZED : sum(params.arguments.a);
      queueMicrotask(() => this.onmessage(cross({ jsonrpc: '2.0', id, result })));
    },
  };
}

/** Calls `first` and those that follow it, `together` at once, each batch after the one before it was answered. */
export async function callInBatches(client, calls, together, first = 0) {
  for (let n = first; n < first + calls; n += together) {
    const batch = Array.from({ length: Math.min(together, first + calls - n) }, (_, k) => client.callTool(call(n + k)));
    const last = (await Promise.all(batch)).at(-1).content[0].text;
    if (last !== String(n + batch.length)) throw new Error(`${last} is not the answer`);
  }
}

/** An SDK client of one of the contenders. */
export async function connected(contender, tape) {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(await contenders[contender](tape));
  return client;
}

/** Each contender has a process of its own in each round, as in a test: what one has made of shared code slows no other. */
async function calling(what, tape, { calls, before, isShort = false }, rounds, together) {
  const called = (_, contender) => async () => {
    const { from, to, main, others } = await spanOf([], 'in-process-task.js', contender, together, calls, tape, before);
    return (isShort ? to - from : main + others) / calls;
  };
  const { values, ratio } = await comparedInTurns(rounds, mapValues(contenders, called), (took) => ({
    server: took.replay / took['sdk server'],
    handler: took.handler / took['sdk server'],
    alone: took.nobody / took.replay,
  }));
  const unit = isShort ? 'µs' : 'µs CPU';
  return [
    { what, unit, values, ratio: ratio.server, goal: '≤ 1' },
    {
      what: `${what}: by a handler`,
      unit,
      values: { 'sdk server': values['sdk server'], handler: values.handler },
      ratio: ratio.handler,
      goal: '≤ 1',
    },
    {
      what: `${what}: beside the client alone`,
      unit: '1/s',
      values: {
        nobody: 1e6 / values.nobody,
        'as text': 1e6 / values['as text'],
        replay: 1e6 / values.replay,
      },
      ratio: ratio.alone,
      goal: '≥ 0.8',
    },
  ];
}

/** Each test opens its cassette, asks one thing and ends; no client is counted. */
async function testing(folder, tests) {
  const cassettes = Array.from({ length: tests }, (_, n) => join(folder, `test-${n}.yaml`));
  for (const cassette of cassettes) writeSums(cassette, 1);
  const server = { command: 'no-such-server' };
  const began = ownCpu();
  for (const [n, cassette] of cassettes.entries()) {
    const mcp = openMcp({ file: 'bench.test.js', names: [`test ${n}`] });
    const transport = await mcp.connect(server, { cassette, mode: 'replay' });
    await new Promise((answered) => {
      transport.onmessage = ({ id }) => id === 1 && answered();
      transport.start();
      transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: OPENING });
      transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call(0) });
    });
    await transport.close();
    await mcp.finish({ passed: true });
  }
  const values = { replay: (ownCpu() - began) / tests / 1_000 };
  return {
    what: `a test with a cassette, of ${tests}`,
    unit: 'ms',
    values,
    ratio: values.replay,
    goal: '< 1',
  };
}
