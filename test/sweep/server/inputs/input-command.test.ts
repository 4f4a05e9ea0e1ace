import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const HEAD = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: tools, version: "1" } } }
- client: { method: notifications/initialized }
`;
const CALL = `- client: { id: 2, method: tools/call, params: { name: say, arguments: { text: hello } } }
- server: { id: 2, result: { content: [{ type: text, text: said hello }] } }
`;
const SAY = {
  name: 'say',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const ERASE = { name: 'erase', inputSchema: { type: 'object', properties: { file: { type: 'string' } } } };
const file = (name: string, tools: readonly object[]) => {
  const path = join(folder, name);
  const list = `- client: { id: 1, method: tools/list }\n- server: ${JSON.stringify({ id: 1, result: { tools } })}\n`;
  writeFileSync(path, HEAD + (tools.length > 0 ? list : '') + CALL);
  return path;
};
const withSchema = (name: string, inputSchema: unknown) => file(name, [{ ...SAY, inputSchema }]);
const cassette = file('cassette.yaml', [SAY, ERASE]);

const server = (...bugs: string[]) => {
  const { command, args } = fixture('swept-tools.js', ...bugs);
  return ['--', command, ...args!];
};
const sweep = (...args: string[]) => run(mcpRecord('sweep', '--server', '--inputs', ...args));

interface Found {
  results: { point: { name: string }; verdict: string; call?: object; again?: string }[];
  leftOut: object[];
}

describe('a sweep of inputs on the command line', () => {
  it('says which arguments are bad, and how to try them again, and exits with 1', async () => {
    const bug = server('dies-of-an-empty-text');
    const { stdout, status } = await sweep('--faults', 'edge-strings', cassette, ...bug);
    const text = stdout.toString();
    expect(text).toContain(
      `crashed edge-strings@say: tools/call "say"  (${cassette}:7)\n    with {"text":""}: its process`,
    );
    const again = `mcp-record sweep --server --inputs --seed 1 --point edge-strings@say ${cassette} ${bug.join(' ')}`;
    expect(text).toContain(`    again: ${again}\n`);
    expect(text).toContain(
      `left out tools/call "erase" (${cassette}:7): it may change or remove something: --destructive`,
    );
    expect(status).toBe(1);
  });

  it('reports for programs, and the same with the same seed', async () => {
    const junit = join(folder, 'junit.xml');
    const options = ['--json', '--seed', '7', '--faults', 'missing-required,edge-strings', '--junit', junit];
    const both = [];
    for (const _ of [1, 2]) both.push(await sweep(...options, cassette, ...server('dies-of-a-long-text')));
    const [one, other] = both.map(({ stdout }) => JSON.parse(stdout.toString()) as Found);
    const shown = ({ results }: Found) => results.map(({ point, verdict, call }) => [point.name, verdict, call]);
    expect(shown(one!)).toEqual(shown(other!));
    expect(shown(one!)).toEqual([
      ['missing-required@say', 'refused', undefined],
      ['edge-strings@say', 'crashed', { arguments: { text: 'a'.repeat(501) } }],
    ]);
    expect(one!.leftOut).toEqual([expect.objectContaining({ title: 'tools/call "erase"', line: 7 })]);
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="3" failures="1" .*skipped="1"/);
  });

  it('takes a shard, and calls destructive tools where it may', async () => {
    const options = ['--destructive', '--faults', 'wrong-type', '--shard', '2/2', '--json'];
    const { stdout, stderr } = await sweep(...options, cassette, ...server());
    const { results, leftOut } = JSON.parse(stdout.toString()) as Found;
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/1 point: 1 kind of arguments for 1 tool, \d+ calls?\. Sessions as recorded come first/);
    expect(said).toMatch(/A session as recorded took \d+ ms, and each answer may take \d+ ms: about \d+ s in all\./);
    expect(results.map(({ point, verdict }) => [point.name, verdict])).toEqual([['wrong-type@erase', 'refused']]);
    expect(leftOut).toBeUndefined();
  });

  it('tries the other tools where a schema is none', async () => {
    const broken = {
      ...SAY,
      name: 'broken',
      inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
    };
    const path = file('one-broken.yaml', [SAY, broken]);
    const { stdout, stderr, status } = await sweep('--faults', 'wrong-type', path, ...server());
    expect(stderr).toMatch(/Cannot try the inputs of the tool "broken".*\[SWEEP_BAD_SCHEMA\]/s);
    expect(stderr).toContain(`at ${path}:7`);
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('1 refused'), 0]);
  });
});

describe('a sweep of inputs is refused', () => {
  it.each([
    ['for a cassette without a list of tools', [file('unlisted.yaml', [])], 'SWEEP_NO_POINTS'],
    ['for tools that may all remove something', [file('destructive.yaml', [ERASE])], 'SWEEP_NO_POINTS'],
    ['for a schema that is no object', [withSchema('text.yaml', 'text')], 'SWEEP_BAD_SCHEMA'],
    ['for a schema of a list', [withSchema('list.yaml', { type: 'array' })], 'SWEEP_BAD_SCHEMA'],
    ['for no JSON Schema', [withSchema('none.yaml', { type: 'object', required: 'text' })], 'SWEEP_BAD_SCHEMA'],
    ['for a schema that allows nothing', [withSchema('no.yaml', { type: 'object', not: {} })], 'SWEEP_BAD_SCHEMA'],
    ['for an unknown kind', ['--faults', 'wrong-typ', cassette], 'USAGE_BAD_SWEEP'],
    ['for an unknown point', ['--point', 'wrong-type@erase', cassette], 'USAGE_BAD_SWEEP'],
    ['for a seed that is none', ['--seed', 'x', cassette], 'USAGE_BAD_SEED'],
    ['for a kind that the schemas do not have', ['--faults', 'pattern-mismatch', cassette], 'SWEEP_NO_POINTS'],
    [
      'for a kind that the schemas do not have, beside another one',
      ['--faults', 'wrong-type,pattern-mismatch', cassette],
      'SWEEP_NO_POINTS',
    ],
  ])('%s', async (_, args, code) => {
    const { stderr, status } = await sweep(...args, ...server());
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
  });

  it.each([
    [['--inputs'], '--inputs'],
    [['--server', '--seed', '7'], '--seed'],
    [['--server', '--destructive'], '--destructive'],
  ])('with %s alone', async (options, name) => {
    const { stderr } = await run(mcpRecord('sweep', ...options, cassette, ...server()));
    expect(stderr).toContain(`Cannot use ${name}`);
    expect(stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
  });
});
