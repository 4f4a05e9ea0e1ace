import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyServer } from '../../../src/adapters/testing.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const recorded = join(folder, 'recorded.yaml');
const freeName = freeNames(folder);
writeFileSync(
  recorded,
  `format: mcp-record/1
recorder: mcp-record 0.1.0
events:
- client: { jsonrpc: '2.0', id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: c, version: '1' } } }
- server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: s, version: '1' } } }
- client: { jsonrpc: '2.0', method: notifications/initialized }
- client: { jsonrpc: '2.0', id: 1, method: tools/list }
- server: { jsonrpc: '2.0', id: 1, result: { tools: [{ name: a, inputSchema: { type: object } }] } }
- client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: a, arguments: {} } }
- server: { jsonrpc: '2.0', method: notifications/message, params: { level: info, data: hello } }
- server: { jsonrpc: '2.0', id: 2, result: { content: [{ type: text, text: fine }] } }
- close: client
- close: server
- exit: 0
- end: complete
`,
);

/** Times are limited only where a server is late, so that a busy machine is not. */
const limitsFor = (way: string) => ({
  ...((way.includes('late') || way === 'no answer') && { timeMax: 600 }),
  ...(way === 'no answer' && { patience: 600 }),
  // What does not come is waited for to the end.
  ...(way === 'no notification' && { patience: 2_000 }),
});

/** Returns the message of a test with a server that strays in one way. */
async function messageOf(way: string, file: string): Promise<string> {
  const server = fixture('strays-in-one-way.js', way);
  const verified = verifyServer(file, server, limitsFor(way));
  return await verified.then(
    () => 'passed',
    (error: Error) => error.message,
  );
}

async function verify(way: string, file: string, ...options: string[]): Promise<number | null> {
  const { command, args } = fixture('strays-in-one-way.js', way);
  const { timeMax, patience } = limitsFor(way);
  const limits = [
    ...(timeMax === undefined ? [] : ['--max-time', String(timeMax)]),
    ...(patience === undefined ? [] : ['--timeout', String(patience)]),
  ];
  return (await run(mcpRecord('verify', ...options, ...limits, file, '--', command, ...args))).status;
}

function copy(): string {
  const file = freeName();
  copyFileSync(recorded, file);
  return file;
}

describe('an update is advised where it makes the run green', () => {
  it.each(['another answer', 'another tool', 'another notification'])('%s', async (way) => {
    const file = copy();
    expect(await messageOf(way, file)).toContain('or take its answers over: npx mcp-record verify --update');
    expect([await verify(way, file, '--update'), await verify(way, file)]).toEqual([0, 0]);
    expect(await messageOf(way, file)).toBe('passed');
  });
});

describe('an update is not advised where the run stays red, and ends with the same status', () => {
  it.each([
    'no start',
    'no answer',
    'a crash',
    'no notification',
    'a line that is no message',
    'an answer to nothing',
    'another exit status',
    'another page',
    'an error',
    'a late answer',
    'another late answer',
  ])('%s', async (way) => {
    const file = copy();
    const message = await messageOf(way, file);
    expect(message).not.toContain('--update');
    expect(message).toContain('[SESSION_DIFFERS]');
    expect(await verify(way, file, '--update')).not.toBe(0);
    expect(await verify(way, file)).not.toBe(0);
  });
});

it('an update is not advised where it would write what was redacted', async () => {
  const file = freeName();
  writeFileSync(file, readFileSync(recorded, 'utf8').replace('text: fine', "text: '[redacted:ACME:1]'"));
  const message = await messageOf('a secret', file);
  expect(message).toMatch(/has a redacted value at .*Mend the server\. If it is right, record the session again\./s);
});
