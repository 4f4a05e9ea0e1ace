import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const [three, sequential] = [join(folder, 'three.yaml'), join(folder, 'sequential.yaml')];
const OPENING = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: '1' } } }
- client: { method: notifications/initialized }
`;
const asked = (id: number, city: string) =>
  `- client: { id: ${id}, method: tools/call, params: { name: weather, arguments: { city: ${city} } } }\n`;
const answered = (id: number, city: string) =>
  `- server: { id: ${id}, result: { content: [{ type: text, text: '${city}: sunny' }] } }\n`;
writeFileSync(three, OPENING + asked(1, 'Lima') + asked(2, 'Oslo') + answered(1, 'Lima') + answered(2, 'Oslo'));
writeFileSync(sequential, OPENING + asked(1, 'Lima') + answered(1, 'Lima') + asked(2, 'Oslo') + answered(2, 'Oslo'));

async function sweep(options: readonly string[], { manner = 'sound', file = three, verb = 'sweep' } = {}) {
  const { command, args } = fixture('concurrent-server.js', manner, '1');
  const words = mcpRecord(verb, '--server', ...options, file, '--', command, ...args);
  const { status, stdout, stderr } = await run(words);
  return { status, text: stdout.toString(), stderr: stderr.toString() };
}

it('a bug is found, and the command after "again" finds it again', async () => {
  const { status, text } = await sweep(['--orders', '5', '--deadline', '5000'], { manner: 'by-position' });
  expect([status, text]).toEqual([1, expect.stringContaining('the only order other than the recorded one')]);
  expect(text).toContain(
    '\ncorrupted order@4,3: tools/call "weather" (city: "Oslo") before tools/call "weather" (city: "Lima") of line 6',
  );
  expect(text).toContain('again: mcp-record sweep --server --point order@4,3 --deadline 5000 ');
  const again = await sweep(['--json', '--point', 'order@4,3', '--deadline', '5000'], { manner: 'by-position' });
  const { results } = JSON.parse(again.text);
  expect([again.status, results]).toMatchObject([
    1,
    [{ point: { name: 'order@4,3', params: { moved: [7, 6] } }, verdict: 'corrupted' }],
  ]);
});

it('a sound server passes', async () => {
  const { status, text } = await sweep(['--orders', '5', '--seed', '2', '--deadline', '5000']);
  expect([status, text]).toEqual([0, expect.stringContaining('1 good (1 passed), 0 bad')]);
});

describe('orders for a server are refused', () => {
  it('if the session has one', async () => {
    const { status, stderr } = await sweep(['--orders', '5'], { file: sequential });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('its client can send its messages in one order only'),
    ]);
    expect(stderr).toContain('[SWEEP_NO_POINTS]');
  });

  it.each([
    ['that are none', ['--orders', '0'], 'USAGE_BAD_SWEEP'],
    ['that are half', ['--orders', '1.5'], 'USAGE_BAD_SWEEP'],
    ['beside faults', ['--orders', '5', '--faults', 'cancel'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['beside inputs', ['--orders', '5', '--inputs'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['with faults at a point', ['--point', 'order@4,3', '--faults', 'cancel'], 'USAGE_BAD_SWEEP'],
    ['of a message that is not there', ['--point', 'order@9,3'], 'USAGE_BAD_SWEEP'],
    ['against causality', ['--point', 'order@3,2'], 'USAGE_BAD_SWEEP'],
    ['in another form', ['--point', 'order@b'], 'USAGE_BAD_SWEEP'],
    ['in more parts than there are', ['--orders', '1', '--shard', '2/2'], 'SWEEP_NO_POINTS'],
  ])('%s', async (_, options, code) => {
    const { status, stderr } = await sweep(options);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });
});

describe('a failure with an order', () => {
  const all = join(folder, 'all.yaml');
  const pinged = '- client: { id: 8, method: ping }\n- server: { id: 8, result: {} }\n';
  const cities = ['Lima', 'Oslo', 'Rome'];
  writeFileSync(
    all,
    OPENING +
      pinged +
      cities.map((city, n) => asked(n + 1, city)).join('') +
      cities.map((city, n) => answered(n + 1, city)).join(''),
  );

  it('is made small, and is a scenario that a mended server passes', async () => {
    const small = join(folder, 'small');
    const options = ['--point', 'order@6,5,4', '--deadline', '5000', '--budget', '4', '-o', small];
    const server = fixture('swept-server.js', 'answers-by-position');
    const shrunk = await run(mcpRecord('shrink', '--server', ...options, all, '--', server.command, ...server.args));
    const { status, stdout } = shrunk;
    const text = stdout.toString();
    expect([status, text]).toEqual([0, expect.stringContaining('corrupted order@4,3: tools/call "weather"')]);
    expect(text).toContain('    the point was order@6,5,4: messages before it are gone');
    expect(text).toContain(`    again: mcp-record run ${join(small, 'scenario.yaml')} -- `);
    expect(text).toContain('\n7 of 11 messages left after ');
    const scenario = join(small, 'scenario.yaml');
    const played = async (manner: string) => {
      const { command, args } = fixture('swept-server.js', manner);
      return await run(mcpRecord('run', scenario, '--', command, ...args));
    };
    const failed = await played('answers-by-position');
    expect([failed.status, failed.stdout.toString()]).toEqual([1, expect.stringContaining('✗ order@4,3')]);
    expect((await played('none')).status).toBe(0);
  });

  it.each([
    ['of a message that is not there', 'order@9,3'],
    ['against causality', 'order@3,2'],
  ])('is not made small: one %s', async (_, point) => {
    const { status, stderr } = await sweep(['--point', point, '-o', join(folder, 'none')], { verb: 'shrink' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE_BAD_SWEEP]')]);
  });

  it('has no parameters in a scenario', async () => {
    const scenario = join(folder, 'params.yaml');
    writeFileSync(
      scenario,
      `cassette: ${all}\nplay: client\npoint: order@5,4\nparams: { wait: 5 }\nexpect:\n  - verdict: good\n`,
    );
    const { command, args } = fixture('concurrent-server.js', 'sound', '1');
    const { status, stderr } = await run(mcpRecord('run', scenario, '--', command, ...args));
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining('an order has no parameters')]);
  });
});
