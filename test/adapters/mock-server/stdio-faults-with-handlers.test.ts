/** A mock server over stdio with handlers has the faults of stdio: what the process of the client's server writes, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import type { StdioOptions } from '../../../src/adapters/mock-server/mock-server-types.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import type { WrittenRule } from '../../../src/modes/faulty-channel.ts';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: {} } };
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}';
const handler = tool('t', (_, { progress }) => {
  progress(1);
  return 'x'.repeat(100);
});
const ANSWER = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(100) }] } };
const LINE = `${JSON.stringify(ANSWER)}\n`;

interface Process {
  out: string;
  err: string;
  status: number | string | null;
}

/** Starts the server as a client does, sends a call, and ends its input when the answer or the end of the output came. */
async function played(rule: WrittenRule): Promise<Process & { fired: string[]; failures: unknown }> {
  const isJoined = rule.do === 'coalesce';
  const options = { over: 'stdio', faults: [rule], handlers: [handler] };
  const server = await mockServer(options as StdioOptions);
  const child = spawn(server.command, server.args, { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => {
    out += data;
    if (out.includes(LINE) || rule.do === 'corrupt') child.stdin.end();
  });
  child.stdout.on('end', () => child.stdin.end());
  child.stderr.on('data', (data) => {
    err += data;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  const params = { ...CALL.params, ...(isJoined && { _meta: { progressToken: 7 } }) };
  child.stdin.write(`${JSON.stringify({ ...CALL, params })}\n`);
  const status = await ended;
  const fired = server.fired.map(({ fault }) => fault);
  const { failures } = await server.finish();
  return { out, err, status, fired, failures };
}

const when = { method: 'tools/call' };
const rows: readonly (readonly [WrittenRule, Partial<Process>])[] = [
  [
    { do: 'truncate', bytes: 7, when },
    { out: LINE.slice(0, 7), status: 0 },
  ],
  [
    { do: 'exit', status: 3, when },
    { out: '', status: 3 },
  ],
  [
    { do: 'exit', status: 'SIGTERM', when },
    { out: '', status: 'SIGTERM' },
  ],
  [
    { do: 'cut', bytes: 7, when },
    { out: LINE.slice(0, 7), status: 'SIGKILL' },
  ],
  [
    { do: 'end', when },
    { out: '', status: 0 },
  ],
  [
    { do: 'half-close', when },
    { out: '', status: 0 },
  ],
  [{ do: 'down' }, { out: '', status: 1 }],
  [{ do: 'corrupt', kind: 'bad-json', when }, { out: `${LINE.slice(0, -2)}\n` }],
  [{ do: 'junk', when }, { out: expect.stringMatching(/^.+\n\{/s) }],
  [
    { do: 'stderr-flood', bytes: 200_000, when },
    { out: LINE, err: expect.stringMatching(/^.{199000,}$/s), status: 0 },
  ],
  [{ do: 'slice', size: 1, when }, { out: LINE }],
  [{ do: 'throttle', rate: 100_000, when }, { out: LINE }],
  [{ do: 'slow-reader', rate: 10_000, when: { ...when, from: 'client' } }, { out: LINE }],
  [
    { do: 'slow-close', for: 300 },
    { out: LINE, status: 0 },
  ],
  [{ do: 'coalesce', times: 1 }, { out: `${PROGRESS}\n${LINE}` }],
];

it.each(rows)('%o', async (rule, expected) => {
  expect(await played(rule)).toMatchObject({ ...expected, fired: [rule.do], failures: [] });
});

it('a server that is slow to close ends no sooner, and one that never does has to be killed', async () => {
  const started = performance.now();
  await played({ do: 'slow-close', for: 700 });
  expect(performance.now() - started).toBeGreaterThan(700);
  const server = await mockServer({ over: 'stdio', faults: ['slow-close'], handlers: [handler] });
  const child = spawn(server.command, server.args, { stdio: 'pipe' });
  const ended = once(child, 'close');
  child.stdin.end(`${JSON.stringify(CALL)}\n`);
  await server.journal.waitFor('tools/call');
  await once(child.stdout, 'data');
  await expect.poll(() => server.fired.length).toBe(1);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  child.kill('SIGKILL');
  await ended;
  expect((await server.finish()).failures).toEqual([]);
});

it('has every fault that has a meaning over stdio and none in memory', () => {
  const own = [...FAULTS.values()].filter(
    ({ transports }) => transports.includes('stdio') && !transports.includes('memory'),
  );
  const tested = new Set(rows.map(([rule]) => rule.do));
  expect(own.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
});
