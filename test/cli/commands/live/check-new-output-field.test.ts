import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();

/** A server whose tool has these fields, in its schema and in its answers. */
const weather = (schema: object, content: object) => {
  const list = {
    tools: [{ name: 'weather', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: schema } }],
  };
  const answer = { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
  return { list, answer };
};

const cassetteOf = ({ list, answer }: ReturnType<typeof weather>) =>
  [
    'format: mcp-record/1',
    'events:',
    ...[
      {
        client: {
          id: 0,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'app', version: '1' } },
        },
      },
      {
        server: {
          id: 0,
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        },
      },
      { client: { method: 'notifications/initialized' } },
      { client: { id: 1, method: 'tools/list' } },
      { server: { id: 1, result: list } },
      { client: { id: 2, method: 'tools/call', params: { name: 'weather', arguments: {} } } },
      { server: { id: 2, result: answer } },
    ].map((event) => `- ${JSON.stringify(event)}`),
    '',
  ].join('\n');

const serverOf = ({ list, answer }: ReturnType<typeof weather>) => `
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': ${JSON.stringify(list)},
  'tools/call': ${JSON.stringify(answer)},
};
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;

const [text, number] = [{ type: 'string' }, { type: 'number' }];
const before = weather({ city: text }, { city: 'Oslo' });

/** Checks a server with its new recording, and an old recording, by the first revision. */
async function checked(now: ReturnType<typeof weather>) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  const file = join(folder, 'cassettes', 'weather.yaml');
  mkdirSync(join(folder, 'cassettes'), { recursive: true });
  writeFileSync(file, cassetteOf(before));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'before');
  const words = ['--fail-on', 'breaking', 'cassettes'];
  const command = ['--', process.execPath, '-e', serverOf(now)];
  const verify = await run({ ...mcpRecord('check', ...words, ...command), cwd: folder });
  writeFileSync(file, cassetteOf(now));
  const diff = await run({ ...mcpRecord('check', '--base', 'HEAD', ...words), cwd: folder });
  return { statuses: [verify.status, diff.status], out: `${verify.stdout}${diff.stdout}` };
}

it('a new field of the structured content passes with a note, if the list announces it', async () => {
  const { statuses, out } = await checked(weather({ city: text, wind: number }, { city: 'Oslo', wind: 3 }));
  expect(statuses, out).toEqual([0, 0]);
  expect(out.split('--fail-on breaking does not fail tools/call "weather": compatible: new field "wind"')).toHaveLength(
    3,
  );
});

it.each([
  ['that the schema does not have', weather({ city: text, rain: number }, { city: 'Oslo', wind: 3 })],
  ['beside a changed one', weather({ city: text, wind: number }, { city: 'Rome', wind: 3 })],
  ['in place of another one', weather({ city: text, wind: number }, { wind: 3 })],
  ['of another type than announced', weather({ city: text, wind: number }, { city: 'Oslo', wind: 'much' })],
])('a new field %s fails', async (_, now) => {
  const { statuses, out } = await checked(now);
  expect(statuses, out).toEqual([1, 1]);
});
