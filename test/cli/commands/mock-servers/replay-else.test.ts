import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { type Command, everything, mcpRecord } from '../../../support/command.ts';
import { recorder, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const NOBODY = { command: join(folder, 'no-server'), args: [] };
const recorded = join(folder, 'recorded.yaml');

/** A client of the official SDK that calls `echo` for each message, and what the command said on standard error. */
async function echoes(server: Command, ...messages: string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({ ...server, stderr: 'pipe' });
  let said = '';
  transport.stderr!.on('data', (data) => {
    said += data;
  });
  const ended = new Promise((resolve) => transport.stderr!.once('end', resolve));
  await client.connect(transport);
  const texts = [];
  for (const message of messages) {
    const answer = client.callTool({ name: 'echo', arguments: { message } });
    texts.push(await answer.then(({ content }) => (content as { text: string }[])[0]!.text, String));
  }
  await client.close();
  await ended;
  return { texts, said };
}

function elseCommand(file: string, server: Command, ...options: string[]): Command {
  return mcpRecord('replay', '--else', ...options, file, '--', server.command, ...server.args);
}

function copied(): string {
  const file = newFile();
  copyFileSync(recorded, file);
  return file;
}

beforeAll(async () => {
  await echoes(recorder(recorded, everything), 'one');
});

describe('replay --else', () => {
  it('answers from the cassette first, then from the live server, and writes nothing', async () => {
    const file = copied();
    const { texts, said } = await echoes(elseCommand(file, everything), 'one', 'two', 'three');
    expect(texts).toEqual(['Echo: one', 'Echo: two', 'Echo: three']);
    expect(said).toContain('mcp-record: the live server got 2 requests: --add adds them to the cassette\n');
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(recorded, 'utf8'));
    expect(readdirSync(folder).filter((name) => name.includes('recording'))).toEqual([]);
  });

  it('with --add adds to the cassette what was live: then it needs no server, and its lines are as they were', async () => {
    const file = copied();
    const { said } = await echoes(elseCommand(file, everything, '--add'), 'one', 'two');
    expect(said).toContain('mcp-record: the live server got 1 request\n');
    expect(said).not.toContain('--add');
    const { texts } = await echoes(elseCommand(file, NOBODY), 'one', 'two');
    expect(texts).toEqual(['Echo: one', 'Echo: two']);
    const lines = new Set(readFileSync(file, 'utf8').split('\n'));
    expect(
      readFileSync(recorded, 'utf8')
        .split('\n')
        .filter((line) => !lines.has(line)),
    ).toEqual([]);
  });

  it('starts no server for a client that the cassette suffices', async () => {
    const { texts, said } = await echoes(elseCommand(copied(), NOBODY), 'one');
    expect(texts).toEqual(['Echo: one']);
    expect(said).not.toContain('mcp-record');
  });

  it('fails the call and says so where the server cannot be started, and leaves the cassette alone', async () => {
    const file = copied();
    const { texts, said } = await echoes(elseCommand(file, NOBODY, '--add'), 'two', 'one');
    expect(texts).toEqual([expect.stringContaining('COMMAND_NOT_FOUND'), 'Echo: one']);
    expect(said).toContain('COMMAND_NOT_FOUND');
    expect(said).not.toMatch(/^\s+at /m);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(recorded, 'utf8'));
  });

  it('exits with 1 after a call that nobody answered', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'two' } },
    };
    const { status, stderr } = await run(elseCommand(copied(), NOBODY), `${JSON.stringify(call)}\n`);
    expect([status, stderr]).toEqual([1, expect.stringContaining('COMMAND_NOT_FOUND')]);
  });

  it('adds nothing to a cassette of HTTP, and says so before the session', async () => {
    const file = newFile();
    const call = { id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'one' } } };
    const events = [
      { client: call, stream: 1 },
      { server: { id: 1, result: { content: [] } }, stream: 1 },
    ];
    writeFileSync(file, JSON.stringify({ format: 'mcp-record/1', transport: 'http', events }));
    const { status, stderr } = await run(elseCommand(file, everything, '--add'));
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('[CASSETTE_NOT_EXTENDED]')]);
    expect(status).not.toBe(0);
    const { texts } = await echoes(elseCommand(file, everything), 'two');
    expect(texts).toEqual(['Echo: two']);
  });

  it.each([
    ['without a server', ['--else', recorded], 'USAGE_ONE_SERVER'],
    ['a server without --else', [recorded, '--', 'node', 'server.js'], 'USAGE_EXCESS_ARGUMENTS'],
    ['--add without --else', ['--add', recorded], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['faults', ['--else', '--fault', 'cut:tools/call', recorded, '--', 'node', 'x.js'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['HTTP', ['--else', '--http', recorded, '--', 'node', 'x.js'], 'USAGE_OPTION_WITHOUT_MEANING'],
  ])('refuses %s', async (_, words, code) => {
    const { status, stderr } = await run(mcpRecord('replay', ...words));
    expect([status, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });
});
