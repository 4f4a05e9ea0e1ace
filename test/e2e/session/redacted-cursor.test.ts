import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';

const folder = temporaryFolder();
const RULE = ['--redact-pattern', 'acme_live_[A-Za-z0-9]+'];

/** Lists all tools of a server by following its cursors. */
async function toolsOf({ command, args }: Command): Promise<string[]> {
  const client = new Client({ name: 'pages', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await client.close();
  return names;
}

it('a client follows cursors that a rule of the user has redacted', async () => {
  const file = join(folder, 'pages.yaml');
  const server = fixture('pages-with-keys.js');
  expect(await toolsOf(recorder(file, server, ...RULE))).toEqual(['first', 'second', 'third']);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('acme_live_');
  expect(text.match(/c_\[redacted:pattern:1\]/g)).toHaveLength(2);
  expect(await run(mcpRecord('redact', '--check', ...RULE, file))).toMatchObject({ status: 0 });
  expect(await toolsOf(mcpRecord('replay', file))).toEqual(['first', 'second', 'third']);
  expect(await toolsOf(mcpRecord('replay', ...RULE, file))).toEqual(['first', 'second', 'third']);
  const verified = await run(mcpRecord('verify', ...RULE, file, '--', server.command, ...server.args));
  expect([verified.stdout.toString(), verified.stderr, verified.status]).toEqual([
    expect.stringContaining(' passed'),
    '',
    0,
  ]);
});
