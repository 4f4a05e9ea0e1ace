import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockClient } from '../../src/adapters/mock-client/mock-client.ts';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { compareServer } from '../../src/adapters/test/verify-server.ts';
import { withMcp } from '../../src/adapters/test/with-mcp.ts';
import { openEndpoint } from '../../src/mock/endpoint/fetch-endpoint.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { validateApiOptions } from '../../src/modes/validate-api-options.ts';

const CASSETTE = 'cassettes/filesystem.yaml';

describe('options of a caller without types', () => {
  it.each([
    [{ onMiss: 'reprt' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onUnused: false }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onDifference: 'error' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onUnfired: 'ignore' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ fault: [] }, 'OPTION_UNKNOWN', 'Did you mean faults?'],
    [{ onUnusd: 'fail' }, 'OPTION_UNKNOWN', 'Did you mean onUnused?'],
    [{ faults: { do: 'cut' } }, 'OPTION_BAD_VALUE', 'it has to be a list'],
    [{ timing: 'recordd' }, 'OPTION_BAD_VALUE', 'instant, recorded'],
    [{ timing: { factor: '2' } }, 'OPTION_BAD_VALUE', 'with numbers'],
    [{ ignore: [''] }, 'USAGE_BAD_POINTER', 'the whole message'],
    [{ ignore: [/.*/] }, 'OPTION_BAD_VALUE', 'matches every text'],
    [{ ignore: [/(?=a)/] }, 'OPTION_BAD_VALUE', 'no lookarounds'],
    [{ repeat: 'always' }, 'OPTION_BAD_VALUE', 'once, last, cycle'],
    [{ repeat: { 'tools/call': 'ever' } }, 'OPTION_BAD_VALUE', 'once, last, cycle'],
    [{ repeat: { 'tool/call': 'last' } }, 'OPTION_BAD_VALUE', 'did you mean "tools/call"?'],
  ])('%j are an error on each entry point', async (options, code, said) => {
    const error = expect.objectContaining({ code, message: expect.stringContaining(said) });
    expect(() => validateApiOptions(options, 'session')).toThrow(error);
    await expect(mockServer(CASSETTE, options as never)).rejects.toEqual(error);
    await expect(mockServer(CASSETTE, { ...options, over: 'http' } as never)).rejects.toEqual(error);
    await expect(mockServer(CASSETTE, { ...options, over: 'stdio' } as never)).rejects.toEqual(error);
    if (!('fault' in options || 'faults' in options))
      expect(() => openEndpoint(CASSETTE, options as never)).toThrow(error);
    const owner = { file: import.meta.filename, names: [JSON.stringify(options)] };
    const opened = withMcp(owner, (mcp) => mcp.connect({ command: 'none' }, options as never));
    await expect(opened).rejects.toEqual(error);
  });

  it.each(['node server.js', { cmd: 'node' }, { command: '' }, null])('%j is no server', async (server) => {
    const owner = { file: import.meta.filename, names: [JSON.stringify(server)] };
    await expect(withMcp(owner, (mcp) => mcp.connect(server as never))).rejects.toMatchObject({
      code: 'OPTION_BAD_VALUE',
      message: expect.stringContaining("it has to be a command, as { command: 'node'"),
    });
  });

  it('a way to be reached that there is not is an error', async () => {
    await expect(mockServer(CASSETTE, { over: 'htpp' } as never)).rejects.toMatchObject({ code: 'OPTION_BAD_VALUE' });
  });

  it.each<[string, (options: never) => unknown, option: string, value: unknown, next: string]>([
    ['a mock server', (options) => mockServer(options), 'server', {}, 'The options of a mock server are onMiss'],
    [
      'a mock server over stdio',
      (options) => mockServer({ over: 'stdio', ...(options as object) }),
      'clock',
      {},
      'a mock server over stdio are',
    ],
    ['a mock server', (options) => mockServer(CASSETTE, options), 'mode', 'record', 'The options of a mock server'],
    [
      'a session',
      (options) => openSession({ cassette: CASSETTE, ...(options as object) }),
      'handlers',
      [],
      'A mock server answers from handlers: mcp.server(CASSETTE, { handlers }).',
    ],
    [
      'a session',
      (options) => openSession({ cassette: CASSETTE, ...(options as object) }),
      'over',
      'http',
      'The options of a session are onMiss',
    ],
    [
      'a mock client',
      (options) => mockClient({ server: () => {}, ...(options as object) }),
      'over',
      'http',
      'The options of a mock client',
    ],
    [
      'a verification',
      (options) => compareServer(CASSETTE, () => {}, options),
      'onMiss',
      'report',
      'The options of a verification',
    ],
    ['an endpoint', async (options) => openEndpoint(CASSETTE, options), 'faults', [], 'The options of an endpoint'],
  ])('that %s does not have are an error there, though others have them', async (taker, use, option, value, next) => {
    const error = expect.objectContaining({ code: 'OPTION_UNKNOWN', message: expect.stringContaining(next) });
    await expect(use({ [option]: value } as never)).rejects.toEqual(error);
    await expect(use({ [option]: value } as never)).rejects.toThrow(`${taker} has no such option`);
  });

  it('are taken where they are right, and names of others are left alone', () => {
    const right = { onMiss: 'report', timing: { cap: 5 }, faults: [], repeat: 'last', over: undefined, mine: 1 };
    expect(() => validateApiOptions(right, 'session')).not.toThrow();
  });
});

it.each([undefined, 'node server.js', {}, { command: '' }, { command: 5 }, { url: 5 }])(
  'a server under test that is %j is an error, before anything starts',
  async (server) => {
    const error = expect.objectContaining({
      code: 'OPTION_BAD_VALUE',
      message: expect.stringContaining('it has to be a command'),
    });
    await expect(mockClient({ server } as never)).rejects.toEqual(error);
    await expect(compareServer(CASSETTE, server as never)).rejects.toEqual(error);
  },
);

it('options beside options are an error, which says where they belong', async () => {
  const error = expect.objectContaining({
    code: 'OPTION_BAD_VALUE',
    message: expect.stringMatching(/Cannot use the option over: "http"[\s\S]*Put over into the first argument\./),
  });
  const [given, more] = [{ handlers: [] }, { over: 'http' }] as const;
  await expect(mockServer(given as never, more as never)).rejects.toEqual(error);
  await withMcp({ file: import.meta.filename, names: ['options beside options'] }, async (mcp) => {
    await expect(mcp.server(given as never, more as never)).rejects.toEqual(error);
  });
});

it('a part of a server beside the option of the server is told its place', () => {
  const check = () => validateApiOptions({ url: 'http://127.0.0.1:1/mcp' }, 'mock client', { areAll: true });
  expect(check).toThrow('Put it into the option server: { url: … }.');
});

it('the options of a session that a message lists are in the reference', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'vitest-reference.md'), 'utf8');
  const table = page.slice(page.indexOf('## Options'), page.indexOf('### Repeat answers'));
  let message = '';
  try {
    validateApiOptions({ over: 'http' }, 'session');
  } catch (error) {
    message = String(error);
  }
  const [, list = '', own = ''] = /are ([\w, ]+)\. openSession also has ([\w, ]+)\./.exec(message) ?? [];
  expect(list.split(', ').filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  expect(own).toBe('server, update, clock');
});
