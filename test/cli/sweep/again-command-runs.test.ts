import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/text-report/shell-word.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

describe('a printed command repeats the failure as it stands', () => {
  const folder = temporaryFolder();
  let small = 0;
  const head = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: swept, version: "1" } } }
- client: { method: notifications/initialized }
`;
  const file = (name: string, ...calls: [request: string, result: string][]) => {
    const events = calls.map(([request, result], n) => {
      return `- client: { id: ${n + 2}, ${request} }\n- server: { id: ${n + 2}, result: ${result} }\n`;
    });
    const path = join(folder, name);
    writeFileSync(path, head + events.join(''));
    return path;
  };
  const tool = `{ name: say, inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }, annotations: { readOnlyHint: true } }`;
  const weather = (city: string): [string, string] => [
    `method: tools/call, params: { name: weather, arguments: { city: ${city} } }`,
    '{ content: [{ type: text, text: sunny }] }',
  ];
  const notes = file("it's recorded.yaml", [
    'method: tools/call, params: { name: notes }',
    '{ content: [{ type: text, text: "" }] }',
  ]);
  const listed = file('listed.yaml', ['method: tools/list', `{ tools: [${tool}] }`]);
  const cities = file('cities.yaml', ...['Oslo', 'Rome', 'Bonn'].map(weather));
  const dies = [
    "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {",
    'const { id, method, params } = JSON.parse(line); if (id === undefined) return;',
    "if (params?.name === 'say' && typeof params.arguments?.text !== 'string') process.exit(3);",
    "const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };",
    "console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? opened : { content: [] } })); });",
  ].join(' ');
  const server = [notes, fixture('swept-server.js', 'dies-of-no-json')] as const;
  const client = [cities, fixture('needs-two-faults.js', 'crashes-at-repeats', '{server}')] as const;
  const failing = [cities, fixture('needs-two-faults.js', 'crashes-at-a-failure', '{server}')] as const;
  const tools = [listed, { command: process.execPath, args: ['-e', dies] }] as const;
  const atServer = ['--server', '--point', 'not-json@3'];
  const pair = ['--point', 'duplicate@2+duplicate@3', '--deadline', '60000'];
  const inputs = ['--server', '--inputs', '--seed', '3', '--point', 'missing-required@say'];
  const ignores = ['--ignore', '/result/content/0/text', '--ignore-pattern', 'a \\d'];

  /** Runs a command, and then the commands that it has printed after `again:`. */
  const repeated = async (
    name: string,
    options: readonly string[],
    [cassette, program]: typeof server | typeof tools,
  ) => {
    const output = name === 'shrink' ? ['--budget', '1', '-o', join(folder, `small${small++}`)] : [];
    const words = [...options, ...output, cassette, '--', program.command, ...program.args];
    const { stdout, stderr } = await run(mcpRecord(name, ...words));
    const lines = [...stdout.toString().matchAll(/again: (.*)/g)].map(([, line = '']) => line);
    expect([lines.length, stderr.toString()]).toEqual([1, stderr.toString()]);
    const { command, args } = mcpRecord();
    const line = lines[0]!.replace(/^mcp-record/, [command, ...args].map(shellWord).join(' '));
    return { line: lines[0]!, again: await run({ command: 'sh', args: ['-c', line] }) };
  };

  it.each([
    ['sweep', 'sweep', atServer, server],
    ['sweep', 'sweep', [...atServer, ...ignores], server],
    ['sweep', 'sweep', inputs, tools],
    ['sweep', 'sweep', pair, client],
    ['shrink', 'run', atServer, server],
    ['shrink', 'sweep', [...atServer, ...ignores], server],
    ['shrink', 'sweep', [...inputs, ...ignores], tools],
    ['shrink', 'run', ['--point', 'error-reply@2', '--deadline', '60000'], failing],
  ] as const)('of %s, as a command of %s: %s', async (name, printed, options, program) => {
    const { line, again } = await repeated(name, options, program);
    expect(line).toMatch(new RegExp(`^mcp-record ${printed} `));
    const found = [again.stdout.toString(), again.stderr.toString(), again.status];
    expect(found).toEqual([expect.stringContaining('crashed'), expect.any(String), 1]);
  });
});
