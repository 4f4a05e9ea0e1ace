import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { Running, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('prints its address alone on standard output, refuses strangers aloud, and ends with 0 when it is told to', async () => {
  await using running = new Running(mcpRecord('ui', 'cassettes'));
  const url = await running.line();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}\/$/);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(new URL('/', url))).status).toBe(403);
  running.read();
  running.signal('SIGINT');
  const { status, stdout, stderr } = await running.ended;
  expect([status, stdout.toString()]).toEqual([0, '']);
  expect(stderr).toContain('cassettes is served at this address, which lets its holder read the sessions:');
  expect(stderr).toContain('refused GET /: the first part of its path is not the key of this server');
  // Whoever reads a log of it does not get in.
  expect(stderr).not.toContain(new URL(url).pathname.slice(1, -1));
});

it('listens where it is told to', async () => {
  await using running = new Running(mcpRecord('ui', '--listen', '0', file('one.yaml', HEAD)));
  expect(new URL(await running.line()).hostname).toBe('127.0.0.1');
});

const HEAD =
  '# MCP session recorded by mcp-record. Format: mcp-record/1\nformat: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n- ';

it.each<[what: string, args: () => string[], code: string, says: string]>([
  ['a folder that is not there', () => [join(folder, 'none/')], 'CASSETTE_NOT_FOUND', 'there is no such file'],
  ['a file that is no cassette', () => [file('other.yaml', 'a: 1\n')], 'CASSETTE_NOT_RECOGNIZED', 'other.yaml:1'],
  ['a file that is empty', () => [file('empty.yaml', '')], 'CASSETTE_EMPTY', 'the file is empty'],
  ['a later format', () => [file('newer.yaml', HEAD.replaceAll('/1', '/9'))], 'CASSETTE_NEWER_FORMAT', 'Upgrade'],
  ['an address of others', () => ['--listen', '0.0.0.0:0', folder], 'USAGE_BAD_LISTEN', 'loopback'],
])('%s is an error with a code and the next step', async (_, args, code, says) => {
  mkdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = await run(mcpRecord('ui', ...args()));
  expect([status, stdout.toString()]).toEqual([2, '']);
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).toContain(says);
});

it('a port in use is an error with a code and the next step', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { status, stderr } = await run(mcpRecord('ui', '--listen', String(port), folder));
  other.close();
  expect(status).toBe(2);
  expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}: another program listens there. [HTTP_CANNOT_LISTEN]`);
  expect(stderr).toContain('Choose another port with --listen');
});

itOnPosix('xdg-open', 'opens the browser of the system when it is told to, and says when there is none', async () => {
  await using running = new Running({ ...mcpRecord('ui', '--open', folder), env: { PATH: '/nowhere' } });
  await running.line();
  const said = [await running.line(running.child.stderr), await running.line(running.child.stderr)];
  expect(said[1]).toBe('mcp-record: no browser was opened: there is no xdg-open. Open the address yourself.');
});

it.each<[string, string[], string]>([
  ['a command after the folder', ['cassettes', '--', 'node', 'server 1.js'], "node 'server 1.js'"],
  ['a command alone', ['--', 'node', 'server.js'], 'node server.js'],
  ['a URL', ['cassettes', '--http', 'http://127.0.0.1:1/mcp', '--header', 'A: b'], 'http://127.0.0.1:1/mcp'],
])('names the server under test to its pages: %s', async (_, args, name) => {
  await using running = new Running(mcpRecord('ui', ...args));
  const url = await running.line();
  const { body } = await fetch(`${url}events`);
  const { value } = await body!.pipeThrough(new TextDecoderStream()).getReader().read();
  expect(JSON.parse(value!.split('\n', 1)[0]!.replace('data: ', '')).hello.server).toBe(name);
});

it.each([
  ['two servers', ['--http', 'http://127.0.0.1:1/mcp', '.', '--', 'node', 'server.js'], 'USAGE_ONE_SERVER'],
  ['a header without a URL', ['--header', 'A: b', '.'], 'USAGE_OPTION_WITHOUT_MEANING'],
])('%s are an error', async (_, args, code) => {
  const { status, stderr } = await run(mcpRecord('ui', ...args));
  expect(status).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});
