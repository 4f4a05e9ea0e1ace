import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import type { Found } from '../client/sweeps.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const cassette = file('cassette.yaml');
const sequential = file('sequential.yaml');
const rich = file('rich.yaml');

const OPENING = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true }, logging: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
`;
const asked = (id: number, city: string, meta = '') =>
  `- client: { id: ${id}, method: tools/call, params: { name: weather, arguments: { city: ${city} }${meta} } }\n`;
const answered = (id: number, city: string) =>
  `- server: { id: ${id}, result: { content: [{ type: text, text: '${city}: sunny' }] } }\n`;
const LOG = '- server: { method: notifications/message, params: { level: info, data: halfway } }\n';
const progressed = (value: number) =>
  `- server: { method: notifications/progress, params: { progressToken: 1, progress: ${value} } }\n`;
const THREE = asked(1, 'Oslo') + asked(2, 'Rome') + asked(3, 'Lima');

beforeAll(() => {
  // Messages 2 to 5 of the server have no fixed order, on lines 9 to 12.
  writeFileSync(cassette, OPENING + THREE + answered(1, 'Oslo') + LOG + answered(2, 'Rome') + answered(3, 'Lima'));
  writeFileSync(sequential, OPENING + asked(1, 'Oslo') + answered(1, 'Oslo'));
  writeFileSync(
    rich,
    OPENING +
      asked(1, 'Oslo', ', _meta: { progressToken: 1 }') +
      asked(2, 'Rome') +
      asked(3, 'Lima') +
      progressed(1) +
      '- server: { id: q, method: roots/list }\n- client: { id: q, result: { roots: [] } }\n' +
      progressed(2) +
      answered(1, 'Oslo') +
      '- server: { method: notifications/tools/list_changed }\n' +
      answered(2, 'Rome') +
      answered(3, 'Lima') +
      asked(4, 'Bern') +
      answered(4, 'Bern'),
  );
});

const http = (options: readonly string[]) => options.includes('--http');
const client = (manner: string, options: readonly string[], major = '1'): Command =>
  fixture('concurrent-calls.js', manner, major, http(options) ? '{url}' : '{server}');

async function sweep(manner: string, options: readonly string[], tape = cassette, major = '1') {
  const { command, args } = client(manner, options, major);
  const { stdout, stderr, status } = await run(mcpRecord('sweep', ...options, tape, '--', command, ...args));
  return { text: stdout.toString(), stderr: stderr.toString(), status };
}

async function found(manner: string, options: readonly string[], tape = cassette, major = '1') {
  const { text, status } = await sweep(manner, ['--json', ...options], tape, major);
  const { results } = JSON.parse(text) as Found;
  return { status, verdicts: new Map(results.map(({ point, verdict }) => [point.name, verdict])) };
}

describe('other orders of messages', () => {
  it.each([
    ['1', []],
    ['2', []],
    ['1', ['--http']],
    ['2', ['--http']],
  ])('accuse no client of SDK %s %j', async (major, options) => {
    const drawn = [...options, '--orders', '6', '--seed', major];
    const { status, verdicts } = await found('expects-progress', drawn, rich, major);
    expect([status, verdicts.size, [...new Set(verdicts.values())]]).toEqual([0, 6, ['passed']]);
  });

  it.each([
    [
      'by-arrival',
      [],
      'failed order@5,4: answer to tools/call "weather" (city: "Lima") before answer to tools/call "weather" (city: "Rome") of line 11',
    ],
    [
      'by-arrival',
      ['--http'],
      'failed order@5,4: answer to tools/call "weather" (city: "Lima") before answer to tools/call "weather" (city: "Rome") of line 11',
    ],
    [
      'needs-the-log-first',
      [],
      'crashed order@4,3: answer to tools/call "weather" before notifications/message of line 10',
    ],
    [
      'hangs-if-late',
      ['--deadline', '4000'],
      'hung order@3,4,2: answer to tools/call "weather" (city: "Rome") before answer to tools/call "weather" (city: "Oslo") of line 9',
    ],
  ])('find a client that is %s %j, and say with which command', async (manner, options, finding) => {
    const { text, status } = await sweep(manner, [...options, '--orders', '30']);
    expect(text).toMatch(/^all \d+ orders other than the recorded one\n/);
    expect([status, text]).toEqual([1, expect.stringContaining(finding)]);
    const [, point = ''] = /order@([\d,-]+)/.exec(finding)!;
    expect(text).toContain(`again: mcp-record sweep ${http(options) ? '--http ' : ''}--point order@${point} `);
    const again = await found(manner, [...options, '--point', `order@${point}`]);
    expect([again.status, [...again.verdicts]]).toEqual([1, [[`order@${point}`, finding.split(' ')[0]]]]);
  });

  it('find a client that dies of a question after an answer', async () => {
    const { text, status } = await sweep('dies-of-a-late-question', ['--orders', '12'], rich);
    expect([status, text]).toEqual([
      1,
      expect.stringMatching(/^failed order@[\d,-]+: answer to .* before roots\/list of line 10/m),
    ]);
  });

  it('do not come about with a client that makes its calls one at a time', async () => {
    const { text, status } = await sweep('one-at-a-time', [
      '--point',
      'order@5,4',
      '--point',
      'order@3,2',
      '--jobs',
      '2',
    ]);
    const lines =
      /the message at line 12 had not come \d+ ms after the one at line 11: the client waits for that one first/;
    expect([status, text]).toEqual([2, '']);
    const { stderr } = await sweep('one-at-a-time', ['--point', 'order@5,4']);
    expect(stderr).toMatch(/in none of 1 run the order came about/);
    expect(stderr).toMatch(lines);
    expect(stderr).toContain('[SWEEP_NO_POINTS]');
  });

  it('are divided into parts that together are the whole', async () => {
    const options = ['--orders', '4', '--seed', '5'];
    const [whole, one, two] = [
      await found('sound', options),
      await found('sound', [...options, '--shard', '1/2']),
      await found('sound', [...options, '--shard', '2/2']),
    ];
    expect([...one.verdicts.keys(), ...two.verdicts.keys()].sort()).toEqual([...whole.verdicts.keys()].sort());
    expect([one.verdicts.size, two.verdicts.size]).toEqual([2, 2]);
  });

  it('say how many there are', async () => {
    const { text, stderr } = await sweep('sound', ['--orders', '2', '--seed', '3']);
    const head = '2 of 23 orders other than the recorded one, drawn with --seed 3';
    expect(text).toContain(head);
    expect(stderr).toContain(`2 points: ${head}`);
  });

  it('become a scenario with the two messages that matter', async () => {
    const [small, { command, args }] = [file('small'), client('by-arrival', [])];
    const words = ['--', command, ...args];
    const shrunk = await run(
      mcpRecord('shrink', '--budget', '12', '--point', 'order@3,4,2', '-o', small, cassette, ...words),
    );
    expect([shrunk.status, shrunk.stderr.toString()]).toEqual([0, expect.any(String)]);
    expect(readFileSync(join(small, 'scenario.yaml'), 'utf8')).toContain('\npoint: order@3,2\n');
    expect(readFileSync(join(small, 'cassette.yaml'), 'utf8')).not.toContain('notifications/message');
    const again = await run(mcpRecord('run', join(small, 'scenario.yaml'), ...words));
    expect([again.status, again.stdout.toString()]).toEqual([1, expect.stringContaining('failed: it ended with 1')]);
    const { command: other, args: sound } = client('sound', []);
    const well = await run(mcpRecord('run', join(small, 'scenario.yaml'), '--', other, ...sound));
    expect(well.status).toBe(0);
  });
});

describe('orders are refused', () => {
  it.each([
    [
      'of a session that has one',
      ['--orders', '5'],
      'SWEEP_NO_POINTS',
      'its server can send its messages in one order only',
    ],
  ])('%s', async (_, options, code, why) => {
    const { status, stderr } = await sweep('sound', options, sequential);
    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toContain(`[${code}]`);
  });

  it.each([
    ['that are no number', ['--orders', 'many'], 'USAGE_BAD_SWEEP'],
    ['that are none', ['--orders', '0'], 'USAGE_BAD_SWEEP'],
    ['that are too many', ['--orders', '100001'], 'USAGE_BAD_SWEEP'],
    ['with a seed that is none', ['--orders', '5', '--seed', 'x'], 'USAGE_BAD_SEED'],
    ['beside faults', ['--orders', '5', '--faults', 'cut'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['beside pairs', ['--orders', '5', '--pairs', '5'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['beside inputs', ['--server', '--inputs', '--orders', '5'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['against causality', ['--point', 'order@2,1'], 'USAGE_BAD_SWEEP'],
    ['as recorded', ['--point', 'order@2,3'], 'USAGE_BAD_SWEEP'],
    ['of a message that is not there', ['--point', 'order@9,2'], 'USAGE_BAD_SWEEP'],
    ['in another form', ['--point', 'order@b'], 'USAGE_BAD_SWEEP'],
    ['together with a fault', ['--point', 'order@4,3', '--point', 'cut@3'], 'USAGE_BAD_SWEEP'],
    ['in more parts than there are', ['--orders', '1', '--shard', '2/2'], 'SWEEP_NO_POINTS'],
  ])('%s', async (_, options, code) => {
    const { status, stderr } = await sweep('sound', options);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });

  it('with parameters in a scenario', async () => {
    const scenario = file('scenario.yaml');
    const lines = [
      'cassette: cassette.yaml',
      'play: server',
      'point: order@4,3',
      'params: { wait: 5 }',
      'expect: [{ verdict: good }]',
    ];
    writeFileSync(scenario, lines.join('\n'));
    const { command, args } = client('sound', []);
    const { status, stderr } = await run(mcpRecord('run', scenario, '--', command, ...args));
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining('an order has no parameters')]);
  });
});
