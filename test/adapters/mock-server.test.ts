import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MockServer, mockServer } from '../../src/adapters/mock-server.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { isAlive } from '../support/process.ts';
import { temporaryFolder } from '../support/tape.ts';

const tape = join(temporaryFolder(), 'tape.yaml');
beforeAll(() => recordSession(tape), 60_000);

/** A mock server, and how a client reaches it. */
type Reached = [mock: MockServer, transport: Transport];

const ways: [string, () => Promise<Reached>][] = [
  [
    'in this process',
    async () => {
      const mock = await mockServer(tape, { onUnused: 'report' });
      return [mock, mock.transport as Transport];
    },
  ],
  [
    'over HTTP',
    async () => {
      const mock = await mockServer(tape, { over: 'http', onUnused: 'report' });
      return [mock, new StreamableHTTPClientTransport(new URL(mock.url))];
    },
  ],
  [
    'over stdio',
    async () => {
      const mock = await mockServer(tape, { over: 'stdio', onUnused: 'report' });
      const { command, args } = mock;
      return [mock, new StdioClientTransport({ command, args, stderr: 'ignore' })];
    },
  ],
];

const weather = (city: string) => ({ name: 'weather', arguments: { city } });
const client = () => new Client({ name: 'test', version: '1' });

describe.each(ways)('a mock server %s', { timeout: 60_000 }, (_, reach) => {
  it('answers as on tape, and is content with who asks that', async () => {
    const [mock, transport] = await reach();
    const own = client();
    await own.connect(transport);
    expect(await own.callTool(weather('Oslo'))).toMatchObject({
      content: [{ text: 'Oslo has 20 degrees celsius' }],
    });
    await own.close();
    expect((await mock.finish()).failed).toBe(false);
    expect(await mock.finish()).toBe(await mock.finish());
  });

  it('tells its test what it was asked and does not have', async () => {
    const [mock, transport] = await reach();
    const own = client();
    await own.connect(transport);
    await expect(own.callTool(weather('Rome'))).rejects.toThrow('"Oslo" → "Rome"');
    await own.close();
    const { failed, findings } = await mock.finish();
    expect([failed, findings[0]]).toMatchObject([true, { kind: 'miss' }]);
  });
});

describe('a mock server', { timeout: 60_000 }, () => {
  it('counts as unused what no client asked for', async () => {
    const mock = await mockServer(tape, { over: 'http' });
    const [one, two] = [client(), client()];
    await one.connect(new StreamableHTTPClientTransport(new URL(mock.url)));
    await two.connect(new StreamableHTTPClientTransport(new URL(mock.url)));
    await one.listTools();
    await two.callTool(weather('Oslo'));
    expect(
      mock
        .received()
        .map(({ method }) => method)
        .filter((method) => method !== 'initialize'),
    ).toEqual(['tools/list', 'tools/call']);
    const { failed, findings } = await mock.finish();
    const lost = findings.filter(({ kind }) => kind === 'unused').map(({ text }) => text);
    expect([failed, lost]).toEqual([true, [expect.stringContaining('4 recorded requests never came')]]);
    expect(lost[0]).not.toMatch(/weather|tools\/list/);
    await Promise.all([one.close(), two.close()]);
  });

  it('that its test leaves running is ended, and said', async () => {
    const mock = await mockServer(tape, { over: 'stdio', onUnused: 'report' });
    const transport = new StdioClientTransport({ command: mock.command, args: mock.args, stderr: 'ignore' });
    const own = client();
    await own.connect(transport);
    const { pid } = transport;
    const gone = new Promise<void>((resolve) => {
      own.onclose = resolve;
    });
    const { failed, findings } = await mock.finish();
    expect([failed, findings.map(({ kind }) => kind)]).toEqual([true, ['leaked']]);
    await gone;
    expect(isAlive(pid!)).toBe(false);
  });

  it.each(['memory', 'http', 'stdio'] as const)(
    'over %s says at once that there is no cassette',
    async (over) => {
      const start = mockServer(join(tape, '..', 'none.yaml'), { over } as { over: 'http' });
      await expect(start).rejects.toThrow(/none\.yaml/);
    },
  );

  it('misbehaves as it is told, and says what never happened', async () => {
    const mock = await mockServer(tape, {
      onUnused: 'report',
      faults: [
        { do: 'error-reply', when: { method: 'tools/call' }, code: -32001, message: 'no weather today' },
        { do: 'drop', when: { method: 'prompts/get' } },
      ],
    });
    const own = client();
    await own.connect(mock.transport as Transport);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('no weather today');
    expect(mock.session.fired).toMatchObject([{ rule: 1, fault: 'error-reply', method: 'tools/call' }]);
    await own.close();
    const { failed, findings } = await mock.finish();
    expect([failed, findings.map(({ text }) => text)]).toEqual([
      true,
      expect.arrayContaining(['Rule 2 (drop) never fired.']),
    ]);
  });

  it.each([
    [[{ do: 'dorp' }], /Did you mean "drop"\?/],
    [[{ do: 'slice' }], /\[FAULT_NO_MEANING\]/],
    [[{ do: 'latency', delay: 'long' }], /"delay" is "long"/],
  ])('refuses faults that it cannot do: %j', async (faults, said) => {
    await expect(mockServer(tape, { faults })).rejects.toThrow(said);
  });
});
