import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, Running, run } from '../../support/process.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { recordSession, server } from '../verify/session.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
beforeAll(() => recordSession(cassette));

const replayed = (...options: string[]): Command => mcpRecord('replay', ...options, cassette);
const proxied = (...options: string[]): Command => {
  const { command, args } = server();
  return mcpRecord('proxy', ...options, '--', command, ...args);
};

/** What a real client gets for the weather in Oslo. */
async function weather(command: Command): Promise<unknown> {
  const peer = await connectSdk1(command);
  try {
    const args = { name: 'weather', arguments: { city: 'Oslo' } };
    return ((await peer.request('tools/call', args)) as { content: [{ text: string }] }).content[0].text;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await peer.close();
  }
}

const WEATHER = 'Oslo has 20 degrees celsius';

describe.each([
  ['a replay', replayed],
  ['a proxy', proxied],
])('a real client of %s', (_, start) => {
  it.each([
    ['nothing wrong', [], WEATHER],
    ['a killed server', ['--fault', 'cut:tools/call'], 'MCP error -32000: Connection closed'],
    ['a clean end', ['--fault', 'end:tools/call'], 'MCP error -32000: Connection closed'],
    ['an error', ['--fault', 'error-reply:tools/call:code=-32001,message=no'], 'MCP error -32001: no'],
    ['junk', ['--fault', 'junk'], WEATHER],
    ['single bytes', ['--fault', 'slice::size=1,gap=0'], WEATHER],
    ['late answers', ['--fault', 'latency::delay=20'], WEATHER],
    ['answers twice', ['--fault', 'duplicate'], WEATHER],
    ['a message of 1 MB', ['--fault', 'oversize:tools/call:bytes=1000000'], WEATHER],
    ['one above its limit of 10 MB', ['--fault', 'oversize:tools/call'], 'MCP error -32000: Connection closed'],
    ['an altered answer', ['--fault', 'patch:tools/call:merge=x'], undefined],
  ])('sees %s', async (_, faults, seen) => {
    if (seen === undefined) {
      const file = join(folder, 'patch.yaml');
      const merge = { result: { content: [{ type: 'text', text: 'rain' }] } };
      writeFileSync(file, JSON.stringify({ faults: [{ do: 'patch', when: { tool: 'weather' }, merge }] }));
      expect(await weather(start('--faults', file))).toBe('rain');
    } else expect(await weather(start(...faults))).toBe(seen);
  });

  const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'ping' })}\n`;

  it('hears on standard error of what fired, and what never did', async () => {
    const { stderr, status } = await run(
      start('--seed', '7', '--fault', 'junk:ping', '--fault', 'drop:x/y', '--strict-faults'),
      ask,
    );
    expect(stderr).toContain('2 faults, seed 7');
    expect(stderr).toContain('rule 1 fired: junk on message 1 of the server (ping)');
    expect(stderr).toContain('rule 2 (drop) never fired');
    expect(status).toBe(1);
  });

  it('hears of a fault that changed nothing that it never fired, and why', async () => {
    const { stdout, stderr, status } = await run(
      start('--fault', 'truncate:ping:bytes=500', '--fault', 'coalesce:ping', '--strict-faults'),
      ask,
    );
    expect(JSON.parse(stdout.toString())).toEqual({ jsonrpc: '2.0', id: 'x', result: {} });
    expect(stderr).toMatch(/rule 1 \(truncate\) never fired: the message has \d+ bytes, no more than "bytes: 500"/);
    expect(stderr).toContain('rule 2 (coalesce) never fired: no other message came to be sent with it');
    expect(stderr).not.toMatch(/rule \d fired/);
    expect(status).toBe(1);
  });

  it('is told the truth about half a line: the stream has ended, and the process has not', async () => {
    await using running = new Running(start('--fault', 'truncate:ping:bytes=8'));
    running.child.stdin.write(ask);
    const said = await running.child.stdout.toArray();
    expect(Buffer.concat(said).toString()).toMatch(/^\{"\w{6}$/);
    expect(running.child.exitCode).toBeNull();
  });

  it('is stalled for ever, and the process lives', async () => {
    await using running = new Running(start('--fault', 'stall:ping', '--fault', 'stderr-flood:x/y'));
    running.child.stdin.write(ask);
    let said = '';
    while (!said.includes('stall on message')) said = await running.line(running.child.stderr);
    expect([running.child.exitCode, running.child.stdout.read()]).toEqual([null, null]);
  });

  it('is refused a fault that there is not, before anything starts', async () => {
    const { stderr, stdout, status } = await run(start('--fault', 'ctu'));
    expect(stderr).toMatch(/no fault "ctu".*\[FAULT_UNKNOWN\].*Did you mean "cut"\?/s);
    expect([stdout.length, status]).toEqual([0, 2]);
  });
});

it('a person is told a hundred times, and the journal has them all', async () => {
  const journal = join(folder, 'many.jsonl');
  const { command, args } = fixture('answers.js');
  const pings = Array.from({ length: 150 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  const proxy = mcpRecord('proxy', '--fault', 'junk', '--journal', journal, '--', command, ...args);
  const { stderr } = await run(proxy, `${pings.join('\n')}\n`);
  expect(stderr.split('fired: junk').length - 1).toBe(100);
  expect(stderr).toContain('rule 1 goes on unsaid; --journal FILE has every time that it fires');
  expect(readFileSync(journal, 'utf8').trim().split('\n').length).toBe(150);
});

describe('down', () => {
  it.each([replayed, proxied])('is a server that exits with 1 before it says anything', async (start) => {
    const { stdout, status } = await run(start('--fault', 'down'));
    expect([stdout.length, status]).toEqual([0, 1]);
  });
});

it('a recorder has in its cassette what a faulty server said, and its client heard', async () => {
  const { command, args } = server();
  const file = join(folder, 'faulty.yaml');
  const recorder = mcpRecord(
    'record',
    '--fault',
    'error-reply:tools/call:message=no',
    '-o',
    file,
    '--',
    command,
    ...args,
  );
  expect(await weather(recorder)).toBe('MCP error -32603: no');
  expect(await weather(mcpRecord('replay', file))).toBe('MCP error -32603: no');
});

it('a recorded client misbehaves towards a live server, as the rules say', async () => {
  const { command, args } = server();
  const verify = (...options: string[]) =>
    run(mcpRecord('verify', '--seed', '1', ...options, cassette, '--', command, ...args));
  expect(await verify('--fault', 'slice::size=3,gap=0')).toMatchObject({ status: 0 });
  const lost = await verify('--timeout', '1000', '--fault', 'drop:tools/list', '--strict-faults');
  expect(lost.status).toBe(1);
  expect(lost.stderr).toMatch(/rule 1 fired: drop on message \d of the client \(tools\/list\)/);
  const whole = await verify('--fault', 'cut:tools/list:bytes=500', '--strict-faults');
  expect([whole.status, whole.stderr]).toEqual([
    1,
    expect.stringMatching(/rule 1 \(cut\) never fired: the message has/),
  ]);
});
