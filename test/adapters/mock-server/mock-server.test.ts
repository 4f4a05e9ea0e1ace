import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { cut, defineFault, drop, errorReply, oversize } from '../../../src/adapters/faults.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type {
  HttpMockServer,
  MemoryOptions,
  MemoryServer,
  MisbehaveOptions,
  MockServer,
  StdioServer,
} from '../../../src/adapters/mock-server/mock-server-types.ts';
import { tool } from '../../../src/mock/handler.ts';
import type { ReplayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { capabilities } from '../../e2e/session/answers.ts';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { isAlive } from '../../support/process.ts';

const cassette = join(temporaryFolder(), 'cassette.yaml');
beforeAll(() => recordSession(cassette));

/** A mock server, and how a client reaches it. */
type Reached = [mock: MockServer, transport: Transport];
type Options = MisbehaveOptions & Pick<MemoryOptions, 'repeat' | 'ignore'>;

const ways: [string, (options?: Options) => Promise<Reached>][] = [
  [
    'in this process',
    async (options) => {
      const mock = await mockServer(cassette, { onUnused: 'report', ...options });
      return [mock, mock.transport as Transport];
    },
  ],
  [
    'over HTTP',
    async (options) => {
      const mock = await mockServer(cassette, { over: 'http', onUnused: 'report', ...options });
      return [mock, new StreamableHTTPClientTransport(new URL(mock.url))];
    },
  ],
  [
    'over stdio',
    async (options) => {
      const mock = await mockServer(cassette, { over: 'stdio', onUnused: 'report', ...options });
      const { command, args } = mock;
      return [mock, new StdioClientTransport({ command, args, stderr: 'ignore' })];
    },
  ],
  [
    'over stdio, in this process',
    async (options) => {
      const mock = await mockServer(cassette, { over: 'stdio', onUnused: 'report', handlers: [], ...options });
      const { command, args } = mock;
      return [mock, new StdioClientTransport({ command, args, stderr: 'ignore' })];
    },
  ],
];

/** How the next client reaches it. */
function transportTo(mock: MockServer): Transport {
  if ('url' in mock) return new StreamableHTTPClientTransport(new URL((mock as HttpMockServer).url));
  if (!('command' in mock)) return (mock as MemoryServer).transport as Transport;
  const { command, args } = mock as StdioServer;
  return new StdioClientTransport({ command, args, stderr: 'ignore' });
}

const weather = (city: string) => ({ name: 'weather', arguments: { city } });
const client = () => new Client({ name: 'test', version: '1' }, { capabilities });

describe.each(ways)('a mock server %s', (_, reach) => {
  it('answers as in the cassette, and is content with who asks that', async () => {
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

  it.each([
    ['a pointer', '/params/arguments/city'],
    ['a regular expression', /^(?:Oslo|Rome)$/],
    ['a function', (message: unknown) => JSON.parse(JSON.stringify(message).replace('Rome', 'Oslo'))],
  ])('ignores what %s names', async (_, ignore) => {
    const [mock, transport] = await reach({ ignore: [ignore] });
    const own = client();
    await own.connect(transport);
    expect(await own.callTool(weather('Rome'))).toMatchObject({ content: [{ text: 'Oslo has 20 degrees celsius' }] });
    await own.close();
    expect((await mock.finish()).failures).toEqual([]);
  });

  it('answers nothing after its end', async () => {
    const [mock, transport] = await reach();
    const own = client();
    await own.connect(transport);
    expect((await mock.finish()).failures.every(({ kind }) => kind === 'leaked')).toBe(true);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow();
    await own.close();
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

  it('begins anew for the next test, and says how it went until then', async () => {
    const [mock, transport] = await reach({ faults: [drop({ on: 'prompts/get' })] });
    const first = client();
    await first.connect(transport);
    await expect(first.callTool(weather('Rome'))).rejects.toThrow('"Oslo" → "Rome"');
    await first.close();
    await mock.journal.waitFor('tools/call');
    const { failed, findings } = await mock.reset();
    expect([failed, findings.map(({ kind }) => kind)]).toEqual([true, expect.arrayContaining(['miss', 'unfired'])]);
    mock.misbehave([]);
    const second = client();
    await second.connect(transportTo(mock));
    await second.callTool(weather('Oslo'));
    await second.close();
    expect(mock.received('tools/call')).toMatchObject([{ params: weather('Oslo') }]);
    expect(mock.journal.requests('tools/call')).toMatchObject([{ session: 1 }]);
    const last = await mock.finish();
    expect([last.failed, last.findings.map(({ kind }) => kind).sort()]).toEqual([true, ['unfired', 'unused']]);
    await expect(mock.reset()).rejects.toThrow('ENDPOINT_ENDED');
  });

  const refusing = {
    do: 'error-reply',
    when: { method: 'tools/call' },
    code: -32001,
    message: 'no weather today',
  };

  it('misbehaves as it is told, and says what never happened', async () => {
    const [mock, transport] = await reach({
      faults: [refusing, { do: 'drop', when: { method: 'prompts/get' } }],
    });
    const own = client();
    await own.connect(transport);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('no weather today');
    expect(mock.fired).toMatchObject([{ rule: 1, fault: 'error-reply', method: 'tools/call' }]);
    await own.close();
    const { failed, findings } = await mock.finish();
    expect([failed, findings.filter(({ kind }) => kind === 'unfired')]).toEqual([
      true,
      [{ kind: 'unfired', text: 'Rule 2 (drop) never fired.' }],
    ]);
    expect(mock.fired).toHaveLength(1);
  });

  it('says of a fault that changed nothing that it never happened, and why', async () => {
    const [mock, transport] = await reach({ faults: [cut({ on: 'tools/call', bytes: 5000 })] });
    const own = client();
    await own.connect(transport);
    expect(await own.callTool(weather('Oslo'))).toMatchObject({ content: [{ text: 'Oslo has 20 degrees celsius' }] });
    mock.misbehave([oversize({ on: 'ping', bytes: 20 })]);
    expect(await own.ping()).toEqual({});
    expect(mock.fired).toEqual([]);
    await own.close();
    const { failed, findings } = await mock.finish();
    expect([failed, findings.filter(({ kind }) => kind === 'unfired').map(({ text }) => text)]).toEqual([
      true,
      [
        expect.stringMatching(/^Rule 1 \(cut\) never fired: the message has \d+ bytes, no more than "bytes: 5000"\.$/),
        expect.stringMatching(
          /^Rule 1 \(oversize\) never fired: the message had \d\d bytes already, and "bytes" is 20\.$/,
        ),
      ],
    ]);
  });

  it('answers a call as in the cassette when a fault took its first answer and the client tries again', async () => {
    const [mock, transport] = await reach({ faults: [{ ...refusing, times: 1 }] });
    const own = client();
    await own.connect(transport);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('no weather today');
    expect(await own.callTool(weather('Oslo'))).toMatchObject({ content: [{ type: 'text' }] });
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('already used');
    await own.close();
    expect((await mock.finish()).failures.filter(({ kind }) => kind === 'miss')).toHaveLength(1);
  });

  it('repeats its answers where it is told to', async () => {
    const [mock, transport] = await reach({ repeat: 'last' });
    const own = client();
    await own.connect(transport);
    for (let time = 0; time < 3; time++) await own.callTool(weather('Oslo'));
    await own.close();
    expect((await mock.finish()).failed).toBe(false);
  });

  it('takes rules in short, as the command line does', async () => {
    const [mock, transport] = await reach({ faults: ['error-reply:tools/call:message=no weather today,times=1'] });
    const own = client();
    await own.connect(transport);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('no weather today');
    mock.misbehave(['drop:prompts/get', 'error-reply:ping:message=no ping']);
    await expect(own.ping()).rejects.toThrow('no ping');
    expect(mock.fired).toMatchObject([
      { rule: 1, method: 'tools/call' },
      { rule: 2, method: 'ping' },
    ]);
    await own.close();
    const { failures } = await mock.finish();
    expect(failures.filter(({ kind }) => kind === 'unfired')).toMatchObject([{ text: 'Rule 1 (drop) never fired.' }]);
  });

  it('begins to misbehave while it is used, and stops it', async () => {
    const [mock, transport] = await reach({ onUnfired: 'report' });
    const own = client();
    await own.connect(transport);
    mock.misbehave([refusing]);
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('no weather today');
    mock.misbehave([{ do: 'drop', when: { method: 'ping' } }, errorReply({ on: 'ping', message: 'no ping' })]);
    mock.misbehave([]);
    expect(await own.ping()).toEqual({});
    await own.close();
    const { failed, findings } = await mock.finish();
    expect(failed).toBe(false);
    expect(findings.filter(({ kind }) => kind === 'unfired').map(({ text }) => text)).toEqual([
      'Rule 1 (drop) never fired.',
      'Rule 2 (error-reply) never fired.',
    ]);
  });

  it.each([
    [[{ do: 'dorp' }], /Did you mean "drop"\?/],
    [[{ do: 'latency', delay: 'long' }], /"delay" is "long"/],
    [['error-repy:tools/call'], /\(rule 1\): there is no fault "error-repy".*Did you mean "error-reply"\?/s],
    [['drop:ping', 'latency:ping:delay=long'], /\(rule 2\): "delay" is "long".*\[FAULT_BAD_RULE\]/s],
    [['drop', null as unknown as string], /\(rule 2\): a rule of the type null is none.*\[FAULT_BAD_RULE\]/s],
    [[7 as unknown as string], /\(rule 1\): a rule of the type number is none.*\[FAULT_BAD_RULE\]/s],
    [[drop as unknown as string], /\(rule 1\): a rule of the type function is none/],
    [[['drop'] as unknown as string], /\(rule 1\): a rule of the type list is none/],
    [[{ fault: null } as unknown as string], /\(rule 1\): a rule does not say what to do/],
  ])('refuses faults that there are not: %j', async (faults, said) => {
    await expect(reach({ faults })).rejects.toThrow(said);
    const [mock] = await reach();
    expect(() => mock.misbehave(faults)).toThrow(said);
    await mock.finish();
  });

  it('refuses rules that are no list', async () => {
    const [mock] = await reach();
    const text = 'drop:ping' as unknown as [];
    expect(() => mock.misbehave(text)).toThrow(/they are of the type string, and no list.*\[FAULT_BAD_RULE\]/s);
    await mock.finish();
  });
});

describe('a mock server', () => {
  it('counts as unused what no client asked for', async () => {
    const mock = await mockServer(cassette, { over: 'http' });
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

  it.each(['memory', 'http', 'stdio'] as const)(
    'that no client has reached over %s fails, before a reset and after it',
    async (over) => {
      const mock = await mockServer(cassette, { over } as { over: 'stdio' });
      for (const judge of [() => mock.reset(), () => mock.finish()]) {
        const { failed, findings } = await judge();
        expect([failed, findings.map(({ kind }) => kind)]).toEqual([true, ['unused']]);
        expect(findings[0]!.text).toMatch(/never came/);
      }
    },
  );

  it.each(['memory', 'http', 'stdio'] as const)(
    'with handlers that no client has reached over %s fails, before a reset and after it',
    async (over) => {
      const handlers = [tool('add', () => '3', { once: true }), tool('any', () => '4')];
      const mock = await mockServer({ over, handlers } as { over: 'stdio' });
      mock.use(tool('sub', () => '1'));
      const texts = ({ failures }: ReplayOutcome) => failures.map(({ text }) => text.replace(/ \(.*\)/, ''));
      const [add, sub] = ['add', 'sub'].map((name) => `The handler of tools/call "${name}" was never called.`);
      expect(texts(await mock.reset())).toEqual([add, sub]);
      expect(texts(await mock.finish())).toEqual([add]);
    },
  );

  it('that its test leaves running is ended, and said', async () => {
    const mock = await mockServer(cassette, { over: 'stdio', onUnused: 'report' });
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

  it.each(['memory', 'http', 'stdio'] as const)('over %s says at once that there is no cassette', async (over) => {
    const start = mockServer(join(cassette, '..', 'none.yaml'), { over } as { over: 'http' });
    await expect(start).rejects.toThrow(/none\.yaml/);
  });

  it.each([
    ['memory', 'slice'],
    ['http', 'stderr-flood'],
    ['stdio', 'session-lost'],
  ] as const)('over %s refuses a fault that has no meaning there: %s', async (over, fault) => {
    const start = mockServer(cassette, { over, faults: [{ do: fault }] } as { over: 'http' });
    await expect(start).rejects.toThrow(new RegExp(`"${fault}" has no meaning over ${over}.*FAULT_NO_MEANING`));
  });

  it.each(['memory', 'http', 'stdio'] as const)(
    'over %s refuses a fault that its client cannot notice',
    async (over) => {
      const start = mockServer(cassette, { over, faults: ['cancel:tools/call'] } as { over: 'http' });
      await expect(start).rejects.toThrow(
        /"cancel" of a message of the client is noticed by its receiver alone.*FAULT_NO_MEANING/,
      );
    },
  );

  it('over stdio cannot do a fault of one’s own', async () => {
    const own = defineFault({
      name: 'own',
      doc: '',
      transports: ['stdio'],
      params: {},
      start: () => ({ hit() {} }),
    });
    const start = mockServer(cassette, { over: 'stdio', faults: [{ fault: own() }] });
    await expect(start).rejects.toThrow(/"own" in a process that a client starts.*FAULT_NO_MEANING/);
  });

  it('over HTTP does what only HTTP can, and has received what its clients have sent', async () => {
    const mock = await mockServer(cassette, {
      over: 'http',
      onUnused: 'report',
      faults: [{ do: 'http-status', status: 503, when: { method: 'tools/call', nth: 1 } }],
    });
    const own = client();
    await own.connect(new StreamableHTTPClientTransport(new URL(mock.url)));
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('Service Unavailable');
    expect(await own.callTool(weather('Oslo'))).toMatchObject({ content: [{ type: 'text' }] });
    expect(mock.received('tools/call')).toHaveLength(2);
    await own.close();
    expect((await mock.finish()).failed).toBe(false);
  });

  it('over stdio ends as a server does that breaks down', async () => {
    const mock = await mockServer(cassette, {
      over: 'stdio',
      onUnused: 'report',
      faults: [{ do: 'exit', status: 3, when: { method: 'tools/call' } }],
    });
    const own = client();
    await own.connect(new StdioClientTransport({ ...mock, stderr: 'ignore' }));
    await expect(own.callTool(weather('Oslo'))).rejects.toThrow('Connection closed');
    expect(await mock.finish()).toEqual({ findings: expect.anything(), failed: false, failures: [] });
  });
});

describe('the form of answers over HTTP', () => {
  const types = async (options: { responseMode?: 'auto' | 'sse' }) => {
    const mock = await mockServer({ over: 'http', handlers: [tool('weather', () => 'sunny')], ...options });
    const seen: (string | null)[] = [];
    const fetched: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (response.status === 200) seen.push(response.headers.get('content-type'));
      return response;
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(mock.url), { fetch: fetched }) as Transport);
    const { content } = await client.callTool({ name: 'weather' });
    expect(content).toEqual([{ type: 'text', text: 'sunny' }]);
    await client.close();
    expect(await mock.finish()).toMatchObject({ failed: false });
    return new Set(seen);
  };

  it('is JSON, or an event stream as of servers of the SDKs', async () => {
    const listening = 'text/event-stream';
    expect(await types({})).toContain('application/json');
    expect(await types({ responseMode: 'sse' })).toEqual(new Set([listening]));
  });

  it('exists over HTTP only, and is one of two', async () => {
    for (const over of ['memory', 'stdio'])
      await expect(mockServer({ over, responseMode: 'sse' } as never)).rejects.toThrow(
        'event streams exist over HTTP only',
      );
    const wrong = mockServer({ over: 'http', responseMode: 'stream' } as never);
    await expect(wrong).rejects.toThrow('its values are auto, sse');
  });
});
