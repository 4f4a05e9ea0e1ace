import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  let message = {};
  try { message = JSON.parse(line); } catch {}
  const { id, method, params } = message;
  const content = [{ type: 'text', text: 'sunny' }];
  const { protocolVersion } = params ?? {};
  const opened = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'weather', version: '1' } };
  const result = method === 'initialize' ? opened : method === 'tools/call' ? { content } : {};
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;
const CASSETTE = `format: mcp-record/1
events:
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { id: 1, result: { content: [{ type: text, text: sunny }] } }
- close: client
`;

let folder: string;
let cassette: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-ignores-'));
  cassette = join(folder, 'a.yaml');
  writeFileSync(cassette, CASSETTE);
});
afterAll(() => rmSync(folder, { recursive: true }));

const GIVEN = [
  '--ignore',
  '/params/arguments/town',
  '--ignore',
  '/params/arguments/city',
  '--ignore-pattern',
  'snow',
  '--ignore-pattern',
  'sun',
];

it.each<[string, string[], string[]]>([
  ['diff', [], []],
  ['replay', [], []],
  ['verify', [], ['--', process.execPath, '-e', SERVER]],
  ['sweep', ['--server', '--faults', 'junk'], ['--', process.execPath, '-e', SERVER]],
])('%s notes rules that matched nothing, and does not fail for them', async (command, options, rest) => {
  const files = command === 'diff' ? [cassette, cassette] : [cassette];
  const { stdout, stderr, status } = await run(mcpRecord(command, ...options, ...GIVEN, ...files, ...rest));
  const notes = `${stdout}\n${stderr}`
    .split('\n')
    .flatMap((line) => /^.*note: (.*matched nothing.*)/i.exec(line)?.[1] ?? []);
  expect([notes, status]).toEqual([
    [
      "--ignore '/params/arguments/town' matched nothing: is it misspelled?",
      "--ignore-pattern 'snow' matched nothing: is it misspelled?",
    ],
    0,
  ]);
});
