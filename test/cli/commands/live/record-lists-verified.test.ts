import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockServer, readMockFile } from '../../../../src/adapters/mock.ts';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { isRequest } from '../../../../src/protocol/message.ts';
import { CREDENTIAL } from '../../../e2e/http/clients.ts';
import { server } from '../../../e2e/http/processes.ts';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const newFile = freeNames(temporaryFolder());

const words = (...args: string[]) => {
  const { command, args: script } = fixture('pages-tools-of.js');
  return ['--', command, ...script, ...args];
};

function requestsIn(file: string): string[] {
  return loadCassette(file).events.flatMap(({ frame }) =>
    frame.kind === 'message' && isRequest(frame.json.value) && frame.from === 'client' ? [frame.json.value.method] : [],
  );
}

describe('mcp-record record --lists', () => {
  it('shows no secret of the command line in its advice', async () => {
    const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;
    const { stderr } = await run(mcpRecord('record', '--lists', '-o', newFile(), ...words('2', 'a', token)));
    expect(stderr).toContain(' 2 a [redacted:github-token:1]');
    expect(stderr).not.toContain(token);
  });

  it.each([
    ['the same tools on other pages', ['1', 'a', 'b', 'c'], 0, '✓ tools/list'],
    ['one more tool, on a page of its own', ['3', 'a', 'b', 'c', 'd'], 0, 'compatible: new tool "d"'],
    ['a tool less', ['3', 'a', 'c'], 1, 'breaking: tool "b" was removed'],
    ['other names', ['2', 'a', 'b', 'z'], 1, 'breaking'],
  ])('lets verify judge a server with %s', async (_, live, exit, said) => {
    const file = newFile();
    await run(mcpRecord('record', '--lists', '-o', file, ...words('2', 'a', 'b', 'c')));
    const { stdout, status } = await run(mcpRecord('verify', '--fail-on', 'breaking', file, ...words(...live)));
    expect(String(stdout)).toContain(said);
    expect(status).toBe(exit);
  });

  it('opens a server of 2026-07-28 by server/discover', async () => {
    const file = newFile();
    await using modern = await server('modern.js');
    const { status } = await run(mcpRecord('record', '--lists', '-o', file, '--http', String(modern.url)));
    expect(status).toBe(0);
    expect(requestsIn(file)).toContain('server/discover');
    expect(requestsIn(file)).toContain('tools/list');
    expect(requestsIn(file)).not.toContain('initialize');
  });

  it('records a server over HTTP, and redacts the credential that it was given', async () => {
    const weather = readMockFile(join(root, 'test/fixtures/weather.mock.yaml'));
    const mock = await mockServer({ ...weather, instructions: `You are ${CREDENTIAL}.`, over: 'http' });
    const file = newFile();
    const options = ['--http', mock.url, '--header', `Authorization: Bearer ${CREDENTIAL}`];
    const { status } = await run(mcpRecord('record', '--lists', '-o', file, ...options));
    expect(status).toBe(0);
    expect(requestsIn(file)).toEqual(expect.arrayContaining(['initialize', 'tools/list']));
    expect(readFileSync(file, 'utf8')).toContain('You are [redacted:');
    await mock.finish();
  });

  it.each([
    ['a server that ends at once', ['--', process.execPath, '-e', 'process.exit(3)'], 'SERVER_NOT_LISTED'],
    ['a command that there is not', ['--', join(root, 'none')], 'COMMAND_NOT_FOUND'],
    ['no server', [], 'USAGE_ONE_SERVER'],
    ['nobody at an address', ['--http', 'http://127.0.0.1:9/mcp'], 'HTTP_UPSTREAM_UNREACHABLE'],
    ['an address to listen on', ['--http', 'http://127.0.0.1:9/mcp', '--listen', ':0'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['faults', ['--fault', 'cut:tools/list', ...words('1', 'a')], 'USAGE_OPTION_WITHOUT_MEANING'],
  ])('writes nothing, and says what is wrong with %s', async (_, args, code) => {
    const file = newFile();
    const { stderr, status } = await run(mcpRecord('record', '--lists', '-o', file, ...args));
    expect(stderr).toContain(`[${code}]`);
    expect(status).toBe(2);
    expect(existsSync(file)).toBe(false);
  });
});
