import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();

const HEAD = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: swept, version: "1" } } }
- client: { method: notifications/initialized }
`;
const CALL = `- client: { id: 1, method: tools/call, params: { name: notes } }
- server: { id: 1, result: { content: [{ type: text, text: "" }] } }
`;
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const cassette = file('cassette.yaml', HEAD + CALL);
const withoutCalls = file('without-calls.yaml', HEAD);
const serverOnly = file(
  'server-only.yaml',
  'format: mcp-record/1\nevents:\n- server: { method: notifications/message, params: { level: info, data: x } }\n',
);

const server = (...args: string[]) => {
  const { command, args: words } = fixture('swept-server.js', ...args);
  return ['--', command, ...words];
};
const sweep = (...args: string[]) => run(mcpRecord('sweep', '--server', ...args));

describe('a sweep of a server on the command line', () => {
  it('says what is bad, where, and which rule it breaks, and exits with 1', async () => {
    const { stdout, status } = await sweep('--point', 'not-json@3', cassette, ...server('hangs-after-no-json'));
    expect(stdout.toString()).toContain(`hung not-json@3: tools/call "notes"  (${cassette}:6)`);
    expect(stdout.toString()).toMatch(/is not answered|waits in a row were in vain/);
    expect(status).toBe(1);
  });

  it('finds a server that dies when a call is cancelled in flight, and says how to run that again', async () => {
    const slow = file('slow.yaml', HEAD + CALL.replaceAll('notes', 'slow-work').replace('""', 'worked slowly'));
    const words = server('dies-when-aborted');
    const { stdout, status } = await sweep('--faults', 'cancel,cancel-during,cancel-late', slow, ...words);
    const text = stdout.toString();
    expect(text).toContain('crashed cancel-during@3: tools/call "slow-work"');
    expect(text).toContain(`again: mcp-record sweep --server --point cancel-during@3 ${slow} ${words.join(' ')}`);
    expect(status).toBe(1);
    const alone = await sweep('--point', 'cancel-during@3', slow, ...words);
    expect(alone.stdout.toString()).toContain('its process ended with 3, and the client was there');
  });

  it('says how many points it has, and about how long they take', async () => {
    const points = ['--point', 'duplicate@3', '--point', 'junk@3', '--json'];
    const { stdout, stderr } = await sweep(...points, '--deadline', '4000', cassette, ...server());
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('2 points: 2 misbehaviours at 1 message. Each answer may take 4000 ms (--deadline).');
    expect(said).toMatch(/A session as recorded took \d+ ms, and each answer may take 4000 ms: about \d+ s in all\./);
    expect(JSON.parse(stdout.toString()).results).toHaveLength(2);
  });

  it('says of a server that always leaves processes behind that no point is judged by that', async () => {
    const note = /the server leaves process.* behind without any misbehaviour, so no point is judged by that/g;
    const ended = await Promise.all(
      [['always-leaks-a-process'], []].map((bug) => sweep('--point', 'duplicate@3', cassette, ...server(...bug))),
    );
    expect(ended.map(({ stderr, status }) => [stderr.match(note)?.length, status])).toEqual([
      [1, 0],
      [undefined, 0],
    ]);
  });

  it('exits with 0 where nothing is bad, and reports for programs', async () => {
    const junit = join(folder, 'junit.xml');
    const points = ['--point', 'duplicate@3', '--point', 'junk@3', '--junit', junit, '--json'];
    const { stdout, status } = await sweep(...points, cassette, ...server());
    const { results } = JSON.parse(stdout.toString());
    expect(results.map(({ point, verdict }: never) => [(point as { name: string }).name, verdict])).toEqual([
      ['duplicate@3', 'passed'],
      ['junk@3', 'passed'],
    ]);
    expect(results[0].point.does).toBe('It sends the message twice.');
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="2" failures="0"/);
    expect(status).toBe(0);
  });

  it('finds two misbehaviours that it takes, with the command that repeats them, and exits with 1', async () => {
    const words = server('dies-of-two-bad-lines');
    const { stdout, status } = await sweep('--point', 'junk@2+not-json@3', cassette, ...words);
    const text = stdout.toString();
    expect(text).toMatch(
      /^one pair\n\ncrashed junk@2\+not-json@3: notifications\/initialized, then tools\/call "notes" {2}\(/,
    );
    expect(text).toContain(`again: mcp-record sweep --server --point junk@2+not-json@3 ${cassette} ${words.join(' ')}`);
    expect(text).toContain('0 good, 1 bad (1 crashed)');
    expect(status).toBe(1);
  });

  it('leaves out the faults that have a minus', async () => {
    const left = misbehavioursOver('stdio').filter((name) => name !== 'junk');
    const { stdout, status } = await sweep('--faults', `-${left.join(',-')}`, '--json', cassette, ...server());
    const { results } = JSON.parse(stdout.toString());
    expect([results.map(({ point }: { point: { name: string } }) => point.name), status]).toEqual([
      ['junk@1', 'junk@2', 'junk@3'],
      0,
    ]);
  });

  it('reports pairs, and a misbehaviour that is bad alone once, for programs', async () => {
    const options = ['--faults', 'junk,slice', '--pairs', '2', '--seed', '1', '--json', '--shard', '1/1'];
    const { stdout, status } = await sweep(...options, cassette, ...server('dies-of-no-json'));
    const { results } = JSON.parse(stdout.toString());
    expect(results.map(({ point, verdict }: never) => `${(point as { name: string }).name} ${verdict}`)).toEqual([
      'junk@1 crashed',
      'junk@1+junk@3 single',
      'junk@1+slice@3 single',
    ]);
    expect(results[0].again).toContain('sweep --server --point junk@1 ');
    expect(results.at(-1).point).toMatchObject({
      does: expect.stringMatching(/^It sends .* Later: It sends /),
      pair: [{ line: expect.any(Number) }, { line: expect.any(Number) }],
    });
    expect(status).toBe(1);
  });

  it('fails where the misbehaviour did not happen, because the server never asks', async () => {
    const asks = `- server: { id: 9, method: roots/list }
- client: { id: 9, result: { roots: [] } }
`;
    const asked = file('asked.yaml', HEAD + asks + CALL);
    const { stdout, status } = await sweep('--point', 'junk@3', '--deadline', '2000', asked, ...server());
    expect(stdout.toString()).toContain('unreached junk: the session ended before the misbehaviour happened');
    expect(status).toBe(1);
  });

  it('leaves a call out that is too quick for a fault, where another part has a call that is not', async () => {
    const slow = CALL.replaceAll('notes', 'slow-work').replace('""', 'worked slowly').replaceAll('id: 1', 'id: 2');
    const both = file('both.yaml', HEAD + CALL + slow);
    const options = ['--faults', 'cancel-during,junk', '--shard', '1/3', '--json'];
    const { stdout, status } = await sweep(...options, both, ...server());
    const { results, leftOut } = JSON.parse(stdout.toString());
    expect(results.map(({ point }: { point: { name: string } }) => point.name)).toEqual(['junk@2']);
    expect([leftOut.map(({ title }: { title: string }) => title), status]).toEqual([['tools/call "notes"'], 0]);
  });

  it('takes a shard of the points of some misbehaviours', async () => {
    const options = ['--faults', 'duplicate,junk', '--shard', '1/3', '--json', '--jobs', '1', '--deadline', '3000'];
    const { stdout } = await sweep(...options, cassette, ...server());
    const { results } = JSON.parse(stdout.toString());
    expect(results.map(({ point }: { point: { name: string } }) => point.name)).toEqual(['duplicate@1', 'junk@1']);
  });
});

describe('a sweep of a server is refused', () => {
  const quick = ['--deadline', '500'];
  it.each([
    ['that cannot be started', [cassette, '--', 'no-such-server'], 'COMMAND_NOT_FOUND'],
    ['that never answers', [...quick, cassette, '--', 'sleep', '60'], 'SWEEP_BASELINE'],
    ['that ends at once', [cassette, '--', 'false'], 'SWEEP_BASELINE'],
    ['that nobody listens for', ['--http', cassette, 'http://127.0.0.1:9/mcp'], 'HTTP_UPSTREAM_UNREACHABLE'],
    ['for a cassette without calls', [withoutCalls, ...server()], 'SWEEP_NO_POINTS'],
    ['for a cassette in which the server alone speaks', [serverOnly, ...server()], 'SWEEP_NO_POINTS'],
    ['for an unknown misbehaviour', ['--faults', 'junkk', cassette, ...server()], 'USAGE_BAD_SWEEP'],
    ['for one of HTTP over stdio', ['--faults', 'reset', cassette, ...server()], 'USAGE_BAD_SWEEP'],
    ['for calls that are answered too soon', ['--faults', 'cancel-during', cassette, ...server()], 'SWEEP_NO_POINTS'],
    [
      'for a fault that has no message, beside another one',
      ['--faults', 'error-reply,junk', cassette, ...server()],
      'SWEEP_NO_POINTS',
    ],
    [
      'for a fault that all calls are too quick for, beside another one',
      ['--faults', 'cancel-during,junk', cassette, ...server()],
      'SWEEP_NO_POINTS',
    ],
    [
      'for a point whose call is too quick, beside another one',
      ['--point', 'cancel-during@3', '--point', 'junk@3', cassette, ...server()],
      'SWEEP_NO_POINTS',
    ],
    ['for an unknown point', ['--point', 'junk@9', cassette, ...server()], 'USAGE_BAD_SWEEP'],
    ['for a pair in the wrong order', ['--point', 'junk@3+junk@2', cassette, ...server()], 'USAGE_BAD_SWEEP'],
    ['for a pair after the end of the client', ['--point', 'end@2+junk@3', cassette, ...server()], 'USAGE_BAD_SWEEP'],
    [
      'for pairs that all end the session',
      ['--faults', 'end', '--pairs', '3', cassette, ...server()],
      'SWEEP_NO_POINTS',
    ],
    ['for pairs and arguments', ['--inputs', '--pairs', '3', cassette, ...server()], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['for two URLs', ['--http', cassette, 'http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'], 'USAGE_ONE_SERVER'],
    ['for what is no URL', ['--http', cassette, 'server.js'], 'USAGE_BAD_URL'],
  ])('%s', async (_, args, code) => {
    const { stderr, status } = await sweep(...args);
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
  });

  it('with an option that means nothing for a client', async () => {
    const { stderr } = await run(mcpRecord('sweep', '--ignore', '/result', cassette, '--', 'true'));
    expect(stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
  });
});
