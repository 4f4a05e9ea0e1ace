import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { type Command, mcpRecord } from '../../../support/command.ts';
import { fixture, recorder, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'weather.yaml');
const server = fixture('drifts.js');
const client = fixture('swept.js', 'fails', '{server}');
const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'scenarios.md'), 'utf8');

beforeAll(async () => {
  const { command, args } = recorder(cassette, server);
  expect((await run(fixture('swept.js', 'fails', command, ...args))).status).toBe(0);
});

async function play(scenario: string, { command, args }: Command, ...options: string[]) {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, scenario);
  const ended = await run(mcpRecord('run', ...options, file, '--', command, ...args));
  return { ...ended, text: ended.stdout.toString(), file };
}

const HEAD = 'cassette: weather.yaml\nplay: server\ndeadline: 120000\n';
const LOST = 'faults:\n- do: drop\n  when: { method: tools/call, kind: response }\n';

describe('a scenario for a client', () => {
  it('holds as the page shows', async () => {
    // Times are for machines of which one has an idea.
    const example = /^```yaml\n([\s\S]*?)^```/m.exec(page)![1]!.replaceAll(/within: \d+/g, 'within: 110000');
    const { text, status } = await play(`${example}deadline: 120000\n`, client);
    const lines = text.split('\n').filter((line) => line.startsWith('✓'));
    const [forClient = ''] = page.split('\n## ', 1);
    const shown = forClient.split('\n').filter((line) => line.startsWith('✓'));
    expect(lines).toEqual(shown.map((line) => line.replace(/within \d+/, 'within 110000')));
    expect(status).toBe(0);
  });

  it('says what does not hold, and where', async () => {
    const { text, status, file } = await play(
      `${HEAD}expect:\n- call: tools/call\n  ends: cancelled\n- exit: 1\n`,
      client,
    );
    expect(text).toContain(`✗ tools/call is cancelled: it succeeds (${file}:5)`);
    expect(text).toContain(`✗ the command exits with 1: it ended with 0 (${file}:7)`);
    expect(text).toContain('2 failed, 0 passed');
    expect(status).toBe(1);
  });

  it('is told as JSON and as JUnit XML, with the cassette of what passed', async () => {
    const [junit, keep] = [join(folder, 'run.xml'), join(folder, 'kept.yaml')];
    const { text, status } = await play(
      `${HEAD}${LOST}expect:\n- exit: 0\n`,
      client,
      '--json',
      '--junit',
      junit,
      '--keep',
      keep,
    );
    expect(JSON.parse(text)).toMatchObject({
      title: 'run',
      steps: [{ title: 'the command exits with 0', status: 'failed', headline: 'it ended with 1', line: 8 }],
      notes: [],
    });
    expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
    expect(readFileSync(keep, 'utf8')).not.toContain('20 degrees');
    expect(status).toBe(1);
  });

  it('fails where the client asks for what is not in the cassette', async () => {
    const other = `process.env.MCP_RECORD_SERVER && (async () => {
      const [command, ...args] = JSON.parse(process.env.MCP_RECORD_SERVER);
      const server = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      server.stdin.end('{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"none"}}\\n');
      server.stdout.resume();
    })()`;
    const asks = { command: process.execPath, args: ['-e', other] };
    const expects = 'expect:\n- call: prompts/get\n  ends: fails\n  code: -32603\n';
    const { text, status } = await play(HEAD + expects, asks);
    expect(text).toContain('✓ prompts/get fails with -32603');
    expect(text).toContain('✗ every request is in the cassette: Cannot answer prompts/get');
    expect(status).toBe(1);
    expect((await play(`${HEAD}misses: report\n${expects}`, asks)).status).toBe(0);
  });

  it('fails where it takes longer than it may', async () => {
    const stuck = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const { text, status } = await play(
      `${HEAD.replace('120000', '500')}${LOST}expect: [{ call: initialize, ends: succeeds }]\n`,
      stuck,
    );
    expect(text).toContain('✗ the deadline: the command had not ended after 500 ms');
    expect(status).toBe(1);
  });

  it('fails where its fault never happened, unless an expectation is about that', async () => {
    const other = LOST.replace('tools/call', 'prompts/get');
    const { text, status } = await play(`${HEAD}${other}expect:\n- exit: 0\n`, client);
    expect(text).toContain('✗ fault 1 (drop) fires: it never fired, so it was not tested.');
    expect(status).toBe(1);
    const late = LOST.replace('drop', 'cut\n  bytes: 5000');
    const whole = await play(`${HEAD}${late}expect:\n- exit: 0\n`, client);
    expect(whole.text).toMatch(
      /✗ fault 1 \(cut\) fires: it never fired: the message has \d+ bytes, no more than "bytes: 5000", so it was not tested/,
    );
    expect(whole.status).toBe(1);
    const expected = await play(`${HEAD}${other}expect:\n- exit: 0\n- fault: 1\n  fires: 0\n`, client);
    expect([expected.text, expected.status]).toEqual([expect.stringContaining('2 passed'), 0]);
  });
});

describe('a scenario for a server', () => {
  const SERVER = HEAD.replace('play: server', 'play: client');

  it('holds for the server that was recorded', async () => {
    const expects = 'expect:\n- call: tools/call\n  ends: succeeds\n- session: client\n  status: 0\n';
    const { text, status } = await play(SERVER + expects, server);
    expect([text, status]).toEqual([expect.stringContaining('2 passed'), 0]);
  });

  it('shows what a server does that never gets its request', async () => {
    const lost = 'faults:\n- do: drop\n  when: { from: client, method: tools/call }\npatience: 1000\n';
    const expects = 'expect:\n- call: tools/call\n  ends: unanswered\n- fault: 1\n  fires: 1\n';
    const { text, status } = await play(SERVER + lost + expects, server);
    expect([text, status]).toEqual([expect.stringContaining('2 passed'), 0]);
  });
});

describe('a scenario that cancels a call of the played client', () => {
  writeFileSync(
    join(folder, 'work.yaml'),
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: swept, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: work } }
- server: { id: 1, result: { content: [{ type: text, text: worked }] } }
`,
  );
  const CANCELLED = `cassette: work.yaml
play: client
deadline: 120000
faults:
- do: cancel
  delay: 200
  when: { method: tools/call }
expect:
- call: tools/call
  name: work
  ends: cancelled
- fault: 1
  fires: 1
`;

  it('holds for a server that does not answer what is cancelled, and waits for no answer', async () => {
    const { text, status } = await play(
      `${CANCELLED}- session: client\n  status: 0\n`,
      fixture('swept-sdk-work.js'),
      '--json',
    );
    const { steps, duration } = JSON.parse(text);
    expect(steps.map(({ title, status }: never) => `${status} ${title}`)).toEqual([
      'passed tools/call "work" is cancelled',
      'passed fault 1 (cancel) fires once',
      'passed the client ends the session, the server with 0',
    ]);
    expect([status, duration < 9_000]).toEqual([0, true]);
  });

  it('finds a server that dies of it', async () => {
    const dies = fixture('swept-sdk-work.js', 'dies');
    const expected = await play(`${CANCELLED}- session: client\n  status: 0\n`, dies);
    expect([expected.text, expected.status]).toEqual([expect.stringContaining('✗ the client ends the session'), 1]);
  });

  it('waits for the end of the server, if the scenario expects it', async () => {
    const ends = await play(`${CANCELLED}- session: server\n  status: 3\n`, fixture('swept-sdk-work.js', 'dies-later'));
    expect([ends.text, ends.status]).toEqual([expect.stringContaining('3 passed'), 0]);
    const lives = await play(`${CANCELLED}- session: server\npatience: 1500\n`, fixture('swept-sdk-work.js'));
    expect([lives.text, lives.status]).toEqual([expect.stringContaining('the client ended it'), 1]);
  });
});

it('verify does not wait for the answer to a call that a fault cancels, and does not blame the server for it', async () => {
  const fault = ['--fault', 'cancel:tools/call:delay=200', join(folder, 'work.yaml'), '--'];
  const { command, args } = fixture('swept-sdk-work.js');
  const { stdout, status } = await run(mcpRecord('verify', ...fault, command, ...args));
  expect([stdout.toString(), status]).toEqual([expect.not.stringContaining('tools/call'), 0]);
});

it('nothing starts where the scenario cannot be used', async () => {
  const proof = join(folder, 'started');
  const starts = {
    command: process.execPath,
    args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`],
  };
  const { stderr, status, file } = await play(`${HEAD}expect: [{ exit: 0 }]\nfaults:\n- do: dorp\n`, starts);
  expect([stderr, status]).toEqual([expect.stringContaining(`${file}:6:3`), 2]);
  expect(existsSync(proof)).toBe(false);
});

it.each([
  ['nothing', 'expect: []', /nothing is expected[\s\S]*scenario\.yaml:4:1/],
  ['a call of no method', 'expect:\n- { call: tools/cal, ends: never }', /scenario\.yaml:5[\s\S]*mean "tools\/call"\?/],
  [
    'a call of no tool',
    'expect:\n- { call: tools/call, name: wether, ends: never }',
    /scenario\.yaml:5[\s\S]*mean "weather"\?/,
  ],
])('a scenario that expects %s is refused, for it would always pass', async (_, expects, message) => {
  const { stderr, status } = await play(`${HEAD}${expects}\n`, client);
  expect([stderr, status]).toEqual([expect.stringMatching(message), 2]);
  expect(stderr).toContain('[SCENARIO_BAD]');
});

it('a client that ends with an error is noted where nothing is expected of its end', async () => {
  const { text, status } = await play(`${HEAD}${LOST}expect:\n- fault: 1\n`, client);
  expect(text).toContain('note: the command ended with 1, and nothing is expected of its end.');
  expect(status).toBe(0);
});

it('a scenario without a command is refused', async () => {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, `${HEAD}expect: [{ exit: 0 }]\n`);
  const { stderr, status } = await run(mcpRecord('run', file));
  expect([stderr, status]).toEqual([expect.stringContaining('[USAGE_ONE_SERVER]'), 2]);
});
