import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { run } from '../support/process.ts';

/** Clears a screen, sets a title, rings, turns the direction of writing. */
const STEER = '\u001b[2J\u001b]0;title\u0007\u202e\u009b31m';

const folder = temporaryFolder();
const params = { name: `tool${STEER}`, arguments: { [`key${STEER}`]: `value${STEER}` } };
const messages = [
  [
    'client',
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: STEER, version: STEER } },
    },
  ],
  [
    'server',
    {
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: STEER, version: STEER },
        instructions: STEER,
      },
    },
  ],
  ['client', { method: 'notifications/initialized' }],
  ['client', { id: `id${STEER}`, method: 'tools/call', params }],
  ['server', { method: `notifications/${STEER}`, params: { level: STEER, data: STEER } }],
  ['server', { id: `id${STEER}`, error: { code: -1, message: `failed${STEER}` } }],
  ['client', { id: 2, method: `other/${STEER}` }],
] as const;

function tape(name: string, last: string): string {
  const file = join(folder, name);
  const events = messages.map(
    ([from, message]) => `- ${from}: ${JSON.stringify(JSON.stringify({ jsonrpc: '2.0', ...message }))}`,
  );
  const noise = `- server: ${JSON.stringify(`noise${STEER}${last}`)}`;
  writeFileSync(file, ['format: mcp-record/1', 'transport: stdio', 'events:', ...events, noise, ''].join('\n'));
  return file;
}

const [one, other] = [tape('one.yaml', '1'), tape('other.yaml', '2')];
const named = tape(`named${STEER.replaceAll('/', '')}.yaml`, 'password=hunter2hunter2');
const none = join(folder, 'none.yaml');
writeFileSync(none, `none${STEER}`);
const miss = JSON.stringify({ jsonrpc: '2.0', id: 9, method: `miss/${STEER}`, params });

const ROWS: [title: string, args: string[], input: string][] = [
  ['show', [one], ''],
  ['show --plan server', ['--plan', 'server', one], ''],
  ['show --plan client', ['--plan', 'client', one], ''],
  ['show --git', ['--git', one], ''],
  ['show --git of what is no cassette', ['--git', none], ''],
  ['show --json', ['--json', one], ''],
  ['show --stats', ['--stats', one], ''],
  ['show --stats --json', ['--stats', '--json', one], ''],
  ['show --mermaid', ['--mermaid', one], ''],
  ['coverage', [one, named], ''],
  ['coverage --json', ['--json', one], ''],
  ['lint', [one], ''],
  ['check', [named, '--base', `none${STEER}`, '--', join(folder, `none${STEER}`)], ''],
  ['lint --json', ['--json', one], ''],
  ['lint a hostile name', [named], ''],
  ['diff', [one, other], ''],
  ['diff --json', ['--json', one, other], ''],
  ['diff --used-by', ['--used-by', named, '--fail-on', 'used', one, other], ''],
  ['diff of a revision', [`main${STEER}:`, `none${STEER}*`], ''],
  ['diff --used-by a pattern of no file', ['--used-by', `none${STEER}*`, one, other], ''],
  ['replay', [one], `${miss}\n`],
  [
    'fork --with-client',
    ['fork.yaml:13', '--with-client', '-o', join(folder, 'fork.yaml'), '--', 'true'].map((word) =>
      word.replace(/^fork.yaml:/, `${one}:`),
    ),
    `${miss}\n`,
  ],
  ['convert', [join(folder, `none${STEER}.yaml`), '-'], ''],
  ['show a file that is none', [join(folder, `none${STEER}.yaml`)], ''],
  ['convert to ndjson', [one, '-'], ''],
  ['convert to HAR', [one, '-', '--to', 'har'], ''],
  ['convert to Mermaid', [one, '-', '--to', 'mermaid'], ''],
  ['redact', ['--check', one], ''],
  ['redact a hostile name', ['--check', named], ''],
  ['cut', ['--tool', 'none', one], ''],
  ['merge', ['-o', join(folder, 'merged.yaml'), one, other], ''],
  ['merge a file that is none', ['-o', join(folder, 'merged.yaml'), one, join(folder, `none${STEER}.yaml`)], ''],
  ['cut a file that is none', ['--tool', 'none', join(folder, `none${STEER}.yaml`)], ''],
  ['ui', [join(folder, `none${STEER}.yaml`)], ''],
  ['shrink', ['--point', `none${STEER}@1`, '-o', join(folder, 'small'), named, '--', 'true'], ''],
  ['report', ['-o', join(folder, 'report.html'), one], ''],
  ['report --timeline', ['--timeline', one, named], ''],
  ['report --viewer', ['--viewer', '-o', join(folder, `viewer${STEER.replaceAll('/', '')}.html`)], ''],
  ['report --viewer of a hostile name', ['--viewer', named], ''],
];

/** Commands that print nothing of a cassette, or pass it on to a program that does. */
const OTHERS = [
  'demo',
  'record',
  'mock',
  'new',
  'verify',
  'load',
  'fork',
  'proxy',
  'run',
  'sweep',
  'wrap',
  'prune',
  'completion',
];

it('every command that reads a cassette has a row', () => {
  const tried = new Set(ROWS.map(([title]) => title.split(' ', 1)[0]));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !tried.has(name) && !OTHERS.includes(name))).toEqual([]);
});

it.each(ROWS)('%s cannot steer a terminal', async (words, args, input) => {
  const [command = ''] = words.split(' ');
  const { stdout, stderr } = await run(mcpRecord(command, ...args), input);
  // What a replay says to its client is JSON, and for no terminal.
  const shown = command === 'replay' ? stderr : `${stdout}${stderr}`;
  expect(shown.length).toBeGreaterThan(0);
  const steering = [...shown].filter((one) => (/\p{Cc}/u.test(one) && !'\n\t'.includes(one)) || one === '\u202e');
  expect(steering).toEqual([]);
});
