import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestedServer } from '../../../src/adapters/mock-client/open-server-under-test.ts';
import { compareServer } from '../../../src/adapters/test/verify-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { everything, mcpRecord, program } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { serve } from '../http/processes.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'sum.yaml');
const written = (text: string) =>
  writeFileSync(
    cassette,
    `format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: tools/call, params: { name: get-sum, arguments: { a: 1, b: 2 } } }
- server: { id: 1, result: { content: [ { type: text, text: '${text}' } ] } }
`,
  );
const RIGHT = 'The sum of 1 and 2 is 3.';

const sum = ({ a, b }: { a: number; b: number }) => ({
  content: [{ type: 'text' as const, text: `The sum of ${a} and ${b} is ${a + b}.` }],
});
const info = { name: 'sums', version: '1' };

/** Every way to a live server, of both SDKs. */
const SERVERS: Record<string, () => Promise<{ server: TestedServer } & Partial<AsyncDisposable>>> = {
  async 'SDK 1 in memory'() {
    const server = new McpServer1(info);
    server.registerTool('get-sum', { inputSchema: { a: z.number(), b: z.number() } }, sum);
    return { server: (transport) => server.connect(transport as never) };
  },
  async 'SDK 2 in memory'() {
    const server = new McpServer2(info);
    server.registerTool('get-sum', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, sum);
    return { server: (transport) => server.connect(transport as never) };
  },
  async stdio() {
    return { server: everything };
  },
  async http() {
    const entry = ['@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp'] as const;
    const listening = await serve(program(...entry), '/mcp');
    return {
      server: { url: listening.url.href },
      [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
    };
  },
};

describe.each(Object.keys(SERVERS))('a call written by hand, verified against a server: %s', (name) => {
  it('makes the handshake first, says so, and passes or fails by the call alone', async () => {
    const { server, [Symbol.asyncDispose]: stop } = await SERVERS[name]!();
    written(RIGHT);
    const right = await compareServer(cassette, server);
    expect(right.steps.map(({ title, status }) => [title, status])).toEqual([['tools/call "get-sum"', 'passed']]);
    expect(right.notes[0]).toBe(
      `${cassette} has no initialize: the mock client made the handshake first, with 2025-11-25.`,
    );
    await stop?.();
  });

  it('fails where the answer differs', async () => {
    const { server, [Symbol.asyncDispose]: stop } = await SERVERS[name]!();
    written('The sum of 1 and 2 is 4.');
    const { steps } = await compareServer(cassette, server);
    expect(steps.filter(({ status }) => status === 'failed').map(({ line }) => line)).toEqual([4]);
    await stop?.();
  });
});

it('verify tells of the handshake, and --update keeps to what the file has', async () => {
  written('The sum of 1 and 2 is 4.');
  const { command, args } = everything;
  const { stdout, stderr } = await run(mcpRecord('verify', '--update', cassette, '--', command, ...args));
  expect(stdout.toString()).toContain('has no initialize: the mock client made the handshake first');
  expect(stderr).toContain('1 event now holds what the live server said');
  const { stdout: again, status } = await run(mcpRecord('verify', cassette, '--', command, ...args));
  expect([again.toString(), status]).toEqual([expect.stringContaining('1 passed'), 0]);
});
