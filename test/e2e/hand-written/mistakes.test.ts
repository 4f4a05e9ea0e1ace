import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { replayTransport } from '../../../src/adapters/sdk/replay-transport.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { verifyServer } from '../../../src/adapters/test/verify-server.ts';
import { openEndpoint } from '../../../src/mock/endpoint/fetch-endpoint.ts';
import { openSession } from '../../../src/modes/open-session.ts';
import type { ReplayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { Running, run } from '../../support/process.ts';

const folder = temporaryFolder();

/** A file with these lines of events; `recorder` makes it one that a program recorded and a person has edited. */
function written(name: string, events: readonly string[], { recorder = false } = {}): string {
  const file = join(folder, `${name}.yaml`);
  const header = ['format: mcp-record/1', ...(recorder ? ['recorder: mcp-record 1.0.0'] : []), 'transport: stdio'];
  const end = recorder ? ['- end: complete'] : [];
  writeFileSync(file, [...header, 'events:', ...events, ...end, ''].join('\n'));
  return file;
}

const ADD = `- client: { id: 5, method: tools/call, params: { name: add, arguments: { a: 1 } } }`;
const OPENING = [
  `- client: { jsonrpc: '2.0', id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: c, version: '1' } } }`,
  `- server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: s, version: '1' } } }`,
  `- client: { jsonrpc: '2.0', method: notifications/initialized }`,
];
const answerTo = (id: string) => `- server: { id: ${id}, result: { content: [{ type: text, text: '3' }] } }`;

/** How a recording ends whose client left. */
const LEFT = ['- close: client', '- exit: 0'];

type Way = 'memory' | 'stdio' | 'http';
const WAYS: readonly Way[] = ['memory', 'stdio', 'http'];

/** A client that calls `add`, on a server of the file; `patience` is that of its call. */
async function calls(cassette: string, way: Way, patience = 20_000): Promise<{ said: string } & ReplayOutcome> {
  const { transport, end } = await started(cassette, way);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as never);
  const said = await client
    .callTool({ name: 'add', arguments: { a: 1 } }, undefined, { timeout: patience })
    .then((result) => JSON.stringify(result.content), String);
  await client.close();
  return { said, ...(await end()) };
}

async function started(cassette: string, way: Way) {
  if (way === 'stdio') {
    const { command, args, finish } = await mockServer(cassette, { over: 'stdio' });
    return { transport: new StdioClientTransport({ command, args, stderr: 'ignore' }), end: finish };
  }
  if (way === 'http') {
    const { url, finish } = await mockServer(cassette, { over: 'http' });
    return { transport: new StreamableHTTPClientTransport(new URL(url)), end: finish };
  }
  const { transport, finish } = await mockServer(cassette);
  return { transport, end: finish };
}

describe.each(WAYS)('over %s', (way) => {
  it('a call that was pasted into a recording without jsonrpc is answered, and that is told', async () => {
    const tape = written(`pasted-${way}`, [...OPENING, ADD, answerTo('5')], { recorder: true });
    const { said, failed, findings } = await calls(tape, way);
    expect([said, failed]).toEqual(['[{"type":"text","text":"3"}]', false]);
    expect(findings.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      `default ${tape}:9 response has no "jsonrpc": played as "2.0".`,
    ]);
  });

  it.each([
    ['another id', [ADD, answerTo('6')], 5, 'that of line 4, 5, has no answer'],
    ['an id of another type', [ADD, answerTo(`'5'`)], 5, 'a number and a text differ'],
    ['no id', [ADD, answerTo('5').replace('id: 5, ', '')], 5, 'this answer has no id'],
    ['the id of an answered call', [ADD, answerTo('5'), answerTo('5')], 6, 'line 5 answers it already'],
  ])('a file written by hand that has an answer with %s is not played', async (_, events, line, why) => {
    const tape = written(`wrong-${way}-${events.length}-${why.length}`, events);
    const error = await calls(tape, way).then(String, (thrown) => thrown);
    expect(error).toMatchObject({ code: 'CASSETTE_UNPLAYABLE' });
    expect(error.message).toContain(`at ${tape}:${line}`);
    expect(error.message).toContain(why);
  });

  it('a pasted answer with a wrong id fails its recorded call at once, also where the session ended later', async () => {
    const asked = ADD.replace('{ id', "{ jsonrpc: '2.0', id");
    const tape = written(`recorded-wrong-${way}`, [...OPENING, asked, answerTo('6'), ...LEFT], {
      recorder: true,
    });
    const { said, failed, findings } = await calls(tape, way);
    expect(said).toContain(`tools/call "add" has no answer in the cassette (${tape}:8)`);
    expect(failed).toBe(true);
    expect(findings.map(({ text }) => text).join()).toContain(`Give the answer at ${tape}:9 the id 5: it has 6`);
  });

  it('a recorded server that answered with a wrong id does so again, and that is told at once', async () => {
    const [asked, answer] = [ADD, answerTo('6')].map((line) => line.replace('{ id', "{ jsonrpc: '2.0', id"));
    const tape = written(`recorded-silent-${way}`, [...OPENING, asked!, answer!, ...LEFT], {
      recorder: true,
    });
    const { said, failed, findings } = await calls(tape, way, 2_000);
    expect([said, failed]).toEqual([expect.stringContaining('Request timed out'), false]);
    expect(findings.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
      expect.arrayContaining([expect.stringContaining(`Give the answer at ${tape}:9 the id 5: it has 6`)]),
    );
  });

  it('a pasted call whose answer has a wrong id fails at once', async () => {
    const tape = written(`pasted-wrong-${way}`, [...OPENING, ADD, answerTo('6')], { recorder: true });
    const { said, failed } = await calls(tape, way);
    expect(said).toContain(`tools/call "add" has no answer in the cassette (${tape}:8)`);
    expect(failed).toBe(true);
  });

  it.each([
    ['no answer', []],
    ['an answer without an id', [answerTo('5').replace('id: 5, ', '')]],
  ])('a call that was pasted before the end of a recording with %s fails at once', async (what, answer) => {
    const tape = written(`pasted-end-${what}-${way}`, [...OPENING, ADD, ...answer, ...LEFT], { recorder: true });
    const { said, failed, findings } = await calls(tape, way);
    expect(said).toMatch(/has no answer in the cassette/);
    expect([failed, findings.map(({ kind }) => kind)]).toEqual([true, expect.arrayContaining(['miss'])]);
  });

  it('a call that was pasted without an id fails at once, and its answer is named, too', async () => {
    const pasted = [ADD, answerTo('5')].map((line) => line.replace('id: 5, ', ''));
    const tape = written(`pasted-bare-${way}`, [...OPENING, ...pasted], { recorder: true });
    const { said, failed, findings } = await calls(tape, way);
    expect(said).toContain(`tools/call "add" has no answer in the cassette (${tape}:8)`);
    expect(failed).toBe(true);
    const told = findings.map(({ kind, text }) => `${kind} ${text}`);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`unplayable ${tape}:8 tools/call "add": this request has no id`),
        expect.stringContaining(`unplayable ${tape}:9 response: this answer has no id`),
        expect.stringContaining('Give the request an id that no other request of the cassette has'),
      ]),
    );
  });

  it('a call that was recorded without an answer is told at once, and stays without one', async () => {
    const asked = ADD.replace('{ id', "{ jsonrpc: '2.0', id");
    const tape = written(`silent-${way}`, [...OPENING, asked], { recorder: true });
    const { said, failed, findings } = await calls(tape, way, 2_000);
    expect([said, failed]).toEqual([expect.stringContaining('Request timed out'), false]);
    expect(findings.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`unplayable ${tape}:8 tools/call "add": this request (id 5) has no answer`),
        expect.stringContaining(`unanswerable tools/call "add" has no answer in the cassette (${tape}:8): the client`),
      ]),
    );
  });
});

it('a test that fails because it waited in vain says for what', async () => {
  const asked = ADD.replace('{ id', "{ jsonrpc: '2.0', id");
  const tape = written('in-vain', [...OPENING, asked], { recorder: true });
  const mcp = openMcp({ file: join(folder, 'own.test.ts'), names: ['waits'] });
  const { transport } = await mcp.server(tape);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as never);
  await expect(client.callTool({ name: 'add', arguments: { a: 1 } }, undefined, { timeout: 100 })).rejects.toThrow();
  await client.close();
  await expect(mcp.finish({ passed: false })).rejects.toThrow(`has no answer in the cassette (${tape}:8)`);
});

it.each(['memory', 'http'] as const)(
  'a test that passes says what of its cassette cannot be played, over %s',
  async (over) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const tape = written(`twice-${over}`, [...OPENING, ADD, answerTo('5'), answerTo('5')], {
      recorder: true,
    });
    const mcp = openMcp({ file: join(folder, 'own.test.ts'), names: ['passes'] });
    const client = new Client({ name: 'test', version: '1' });
    const transport =
      over === 'memory'
        ? (await mcp.server(tape)).transport
        : new StreamableHTTPClientTransport(new URL((await mcp.server(tape, { over })).url));
    await client.connect(transport as never);
    await client.callTool({ name: 'add', arguments: { a: 1 } });
    await client.close();
    await mcp.finish({ passed: true });
    expect(warn.mock.calls.join()).toContain(`mcp-record: ${tape}:10 response: this answer has the id 5`);
    expect(warn).toHaveBeenCalledTimes(1);
  },
);

it('replay says what it cannot play before its client says anything', async () => {
  const tape = written('told', [ADD]);
  await using replay = new Running(mcpRecord('replay', tape));
  const lines = await replay.line(replay.child.stderr);
  expect(lines).toContain(`${tape}:4 tools/call "add": this request (id 5) has no answer`);
  replay.child.stdin.end();
  await replay.ended;
});

it('sweep says it before it starts a client', async () => {
  const tape = written('swept', [ADD]);
  const words = ['sweep', tape, '--point', 'none@0', '--', 'node', '--version'];
  const { stderr } = await run(mcpRecord(...words));
  expect(stderr).toContain(`${tape}:4 tools/call "add": this request (id 5) has no answer`);
});

it('run says it before it plays a scenario', async () => {
  const tape = written('scene', [ADD]);
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, `cassette: ${tape}\nplay: server\nexpect:\n- exit: 0\n`);
  const { stderr } = await run(mcpRecord('run', scenario, '--', process.execPath, '--version', '{server}'));
  expect(stderr).toContain(`${tape}:4 tools/call "add": this request (id 5) has no answer`);
});

describe('an answer twice in a file written by hand is an error with file, line and next step', () => {
  const twice = written('twice', [ADD, answerTo('5'), answerTo('5')]);
  const scenario = join(folder, 'twice-scenario.yaml');
  writeFileSync(scenario, `cassette: ${twice}\nplay: server\nexpect:\n- exit: 0\n`);
  const echo = [process.execPath, '--version'];

  it.each([
    ['replay', ['replay', twice]],
    ['replay --http', ['replay', '--http', twice]],
    ['verify', ['verify', twice, '--', ...echo]],
    ['sweep', ['sweep', twice, '--', ...echo, '{server}']],
    ['run', ['run', scenario, '--', ...echo, '{server}']],
  ])('of %s', async (_, words) => {
    const { status, stderr } = await run(mcpRecord(...words));
    expect(stderr).toContain(`[CASSETTE_UNPLAYABLE]`);
    expect(stderr).toContain(`at ${twice}:6`);
    expect(stderr).toContain('Delete one of the two.');
    expect(status).toBe(2);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['openSession', () => openSession({ cassette: twice, mode: 'replay' })],
    ['replayTransport', () => replayTransport(twice).start()],
    ['verifyServer', () => verifyServer(twice, { command: echo[0]!, args: ['--version'] })],
    ['the fixture mcp', async () => openMcp({ file: join(folder, 'own.test.ts'), names: ['a'] }).server(twice)],
    ['MSW and nock', async () => openEndpoint(twice)],
  ])('of %s', async (_, play) => {
    await expect(play()).rejects.toMatchObject({ code: 'CASSETTE_UNPLAYABLE' });
  });
});

it('sweep of a cassette without a server side is an error, and so is an empty part of one', async () => {
  const bare = written('bare', [ADD]);
  const none = await run(mcpRecord('sweep', bare, '--faults', 'drop', '--', process.execPath, '--version', '{server}'));
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('[SWEEP_NO_POINTS]')]);
  const one = written('one', [ADD, answerTo('5')]);
  const words = ['sweep', one, '--faults', 'drop', '--shard', '3/3', '--', process.execPath, '--version', '{server}'];
  const empty = await run(mcpRecord(...words));
  expect([empty.status, empty.stderr]).toEqual([2, expect.stringContaining('part 3/3 has no points')]);
});

it('verify of a cassette without a server side fails, and says what to do', async () => {
  const server = [process.execPath, 'test/fixtures/answers.js'];
  const { status, stdout } = await run(mcpRecord('verify', written('empty', []), '--', ...server));
  expect([status, String(stdout)]).toEqual([1, expect.stringContaining('nothing was verified')]);
});
