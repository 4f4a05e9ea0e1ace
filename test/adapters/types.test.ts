import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, expectTypeOf, it } from 'vitest';
import type { HttpMockServer, MemoryServer, StdioServer } from '../../src/adapters/mock-server/mock-server-types.ts';
import type { mswEndpoint } from '../../src/adapters/msw.ts';
import type { nockEndpoint } from '../../src/adapters/nock.ts';
import type {
  clientTransport,
  linkedTransports,
  recordTransport,
  replayTransport,
  SdkTransport,
} from '../../src/adapters/sdk.ts';
import type { serverTests } from '../../src/adapters/test/interaction-tests.ts';
import type { Mcp } from '../../src/adapters/test/mcp-types.ts';
import type { withMcp } from '../../src/adapters/test/with-mcp.ts';
import type { test, testServer } from '../../src/adapters/vitest.ts';
import type { Endpoint } from '../../src/mock/endpoint/fetch-endpoint.ts';

/** What the compiler lets pass, and what it does not: nothing of this runs. */
type Only = <Tool>(use: (tool: Tool) => unknown) => void;
const compiles: Only = () => {};

const command = { command: 'node' };

it('connect takes each option as it is meant, and no other', () => {
  compiles(async (mcp: Mcp) => {
    await mcp.connect(command);
    await mcp.connect({ command: 'node', args: ['server.js'], env: { KEY: 'value' }, cwd: '/' });
    await mcp.connect({ url: 'https://example.com/mcp' });
    await mcp.connect({ url: 'https://example.com/mcp', headers: { authorization: 'Bearer key' } });
    for (const mode of ['auto', 'replay', 'record', 'new', 'passthrough'] as const)
      await mcp.connect(command, { mode });
    await mcp.connect(command, { name: 'second', cassette: 'cassette.yaml', expires: 1_000, redact: false });
    await mcp.connect(command, { onMiss: 'report', onUnused: 'fail', onUnfired: 'report', seed: 7 });
    await mcp.connect(command, { ignore: ['/params/now', (message) => message], timing: { cap: 200 } });
    await mcp.connect(command, {
      timing: 'recorded',
      faults: [{ do: 'cut', when: { tool: 'add', nth: 2 }, bytes: 7 }],
    });
    expectTypeOf(await mcp.connect(command)).toEqualTypeOf<SdkTransport>();

    // @ts-expect-error: there is no server
    await mcp.connect();
    // @ts-expect-error: neither a command nor a URL
    await mcp.connect({ args: ['server.js'] });
    // @ts-expect-error: a command line is a word and its arguments
    await mcp.connect('node server.js');
    // @ts-expect-error: arguments are a list
    await mcp.connect({ command: 'node', args: 'server.js' });
    // @ts-expect-error: environments are of texts
    await mcp.connect({ command: 'node', env: { PORT: 8080 } });
    // @ts-expect-error: no such mode
    await mcp.connect(command, { mode: 'once' });
    // @ts-expect-error: no such option
    await mcp.connect(command, { casette: 'cassette.yaml' });
    // @ts-expect-error: a miss fails or is reported
    await mcp.connect(command, { onMiss: 'ignore' });
    // @ts-expect-error: so does what was not asked
    await mcp.connect(command, { onUnused: false });
    // @ts-expect-error: no such timing
    await mcp.connect(command, { timing: 'slow' });
    // @ts-expect-error: milliseconds are a number
    await mcp.connect(command, { expires: '30d' });
    // @ts-expect-error: a list of pointers
    await mcp.connect(command, { ignore: '/params/now' });
    // @ts-expect-error: a fault says what it does
    await mcp.connect(command, { faults: [{ when: { tool: 'add' } }] });
    // @ts-expect-error: a rule is about a client or a server
    await mcp.connect(command, { faults: [{ do: 'cut', when: { from: 'peer' } }] });
    // @ts-expect-error: the clock is the test's: mcp.clock()
    await mcp.connect(command, { clock: Date });
  });
});

it('its transport is one of both generations of the SDK', () => {
  compiles((transport: SdkTransport) => new Client1({ name: 'c', version: '1' }).connect(transport as never));
  compiles((transport: SdkTransport) => new Client2({ name: 'c', version: '1' }).connect(transport));
});

it('a recorded transport is what it was, and more', () => {
  compiles((record: typeof recordTransport) => (inner: SdkTransport & { sessionId: string }) => {
    const transport = record(inner, 'cassette.yaml', {
      side: 'server',
      redact: { rules: [{ key: 'city' }] },
    });
    expectTypeOf(transport.sessionId).toEqualTypeOf<string>();
    expectTypeOf(transport.cassette).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: where it lies is not for others to say
    transport.cassette = 'elsewhere.yaml';
    // @ts-expect-error: nowhere to record to
    record(inner);
    // @ts-expect-error: no transport
    record({ url: 'http://a.test/mcp' }, 'cassette.yaml');
    // @ts-expect-error: no such side
    record(inner, 'cassette.yaml', { side: 'peer' });
    // @ts-expect-error: no such option
    record(inner, 'cassette.yaml', { mode: 'record' });
  });
});

it('the transports of a cassette take what means something to them', () => {
  compiles(async (replay: typeof replayTransport) => {
    const transport = replay('cassette.yaml', {
      ...{ onMiss: 'report', onUnused: 'fail', onUnfired: 'report', seed: 7, redact: false },
      ...{ timing: { factor: 0.5 }, ignore: ['/params/now'], faults: [{ do: 'cut' }], handles: [] },
    } as const);
    expectTypeOf((await transport.outcome).failed).toEqualTypeOf<boolean>();
    // @ts-expect-error: it always replays
    replay('cassette.yaml', { mode: 'record' });
    // @ts-expect-error: there is no live server
    replay('cassette.yaml', { server: command });
    // @ts-expect-error: there is no cassette
    replay();
  });
  compiles(async (play: typeof clientTransport) => {
    const transport = play('cassette.yaml', { patience: 100, timeMax: 10, ignore: ['/result/now'] });
    expectTypeOf((await transport.outcome).steps[0]!.title).toEqualTypeOf<string>();
    // @ts-expect-error: a client has no misses
    play('cassette.yaml', { onMiss: 'report' });
    // @ts-expect-error: no such timing
    play('cassette.yaml', { timing: 'slow' });
  });
  compiles((link: typeof linkedTransports) => {
    const { client, server, fired } = link({ faults: [{ do: 'cut' }], seed: 7 });
    expectTypeOf([client, server]).toEqualTypeOf<SdkTransport[]>();
    expectTypeOf(fired[0]!.fault).toEqualTypeOf<string>();
    // @ts-expect-error: a list
    link({ faults: { do: 'cut' } });
    // @ts-expect-error: a number
    link({ seed: 'lucky' });
  });
});

it('a mock server is what was asked for', () => {
  compiles(async (mcp: Mcp) => {
    expectTypeOf(await mcp.server('cassette.yaml')).toEqualTypeOf<MemoryServer>();
    expectTypeOf(await mcp.server('cassette.yaml', { over: 'memory' })).toEqualTypeOf<MemoryServer>();
    expectTypeOf(await mcp.server('cassette.yaml', { over: 'http' })).toEqualTypeOf<HttpMockServer>();
    expectTypeOf(await mcp.server('cassette.yaml', { over: 'stdio' })).toEqualTypeOf<StdioServer>();
    await mcp.server('cassette.yaml', { over: 'stdio', ignore: ['/params/now'], timing: { factor: 0.5 } });
    const rules = [{ do: 'cut', when: { method: 'tools/call' } }];
    for (const over of ['memory', 'http', 'stdio'] as const) {
      const misbehaving = { over, faults: rules, seed: 7, onUnfired: 'report' } as const;
      const one = await mcp.server('cassette.yaml', misbehaving as { over: 'http' });
      one.misbehave(rules);
      expectTypeOf(one.fired[0]!.rule).toEqualTypeOf<number>();
    }
    // @ts-expect-error: a list
    await mcp.server('cassette.yaml', { over: 'http', faults: { do: 'cut' } });
    // @ts-expect-error: fails or is reported
    await mcp.server('cassette.yaml', { over: 'stdio', onUnfired: false });
    // @ts-expect-error: a process has its own time
    await mcp.server('cassette.yaml', { over: 'stdio', clock: mcp.clock() });
    // @ts-expect-error: no such transport
    await mcp.server('cassette.yaml', { over: 'tcp' });
    await mcp.server('cassette.yaml', { over: 'stdio', ignore: ['/id', /^\d+$/, (message) => message] });
    // @ts-expect-error: there is no cassette
    await mcp.server();
  });
});

it('a recorded client takes a command, a URL or a function', () => {
  compiles(async (mcp: Mcp) => {
    await mcp.client('cassette.yaml', command);
    await mcp.client(
      'cassette.yaml',
      { url: 'http://127.0.0.1:3000/mcp' },
      { patience: 100, timeMax: 10, ignore: ['/result/now'] },
    );
    await mcp.client('cassette.yaml', async (transport) => transport.start());
    // @ts-expect-error: nothing to play to
    await mcp.client('cassette.yaml');
    await mcp.client('cassette.yaml', command, { ignore: ['/result/now', /\d+ ms/, (message: unknown) => message] });
    // @ts-expect-error: neither a pointer, nor an expression, nor a function
    await mcp.client('cassette.yaml', command, { ignore: [5] });
    // @ts-expect-error: milliseconds
    await mcp.client('cassette.yaml', command, { patience: '5s' });
  });
});

it('faults are a list of rules', () => {
  compiles((mcp: Mcp) => {
    mcp.faults([]);
    mcp.faults(['cut:tools/call']);
    // @ts-expect-error: a list is wanted
    mcp.faults('cut:tools/call');
    mcp.faults([{ do: 'latency', delay: 50, times: 2, probability: 0.5 }]);
    // @ts-expect-error: a list
    mcp.faults({ do: 'cut' });
    // @ts-expect-error: how often is a number
    mcp.faults([{ do: 'cut', times: 'twice' }]);
  });
});

it('tests of servers, and of other runners', () => {
  compiles((make: typeof serverTests) => {
    for (const { title, run } of make('cassette.yaml', () => command))
      expectTypeOf({ title, run }).toEqualTypeOf<{ title: string; run(): Promise<void> }>();
    make('cassette.yaml', async () => (transport) => transport.start(), { timing: 'recorded' });
    // @ts-expect-error: a function that gives the server, so that it starts when the tests do
    make('cassette.yaml', command);
  });
  compiles((suite: typeof testServer) => suite('cassette.yaml', () => command, { timeMax: 100 }));
  compiles((give: typeof withMcp) => {
    expectTypeOf(give({ file: 'a.js', names: ['a'] }, async (mcp) => mcp.sessions.length)).toEqualTypeOf<
      Promise<number>
    >();
    // @ts-expect-error: the name of the test is a list, with its suites
    give({ file: 'a.js', names: 'a' }, async () => {});
  });
  compiles((own: typeof test) => own('a test', async ({ mcp }) => expectTypeOf(mcp).toEqualTypeOf<Mcp>()));
});

it('endpoints take the http of MSW and the nock of the caller', () => {
  type Msws = { msw2: typeof import('msw2'); msw3: typeof import('msw3') };
  compiles((make: typeof mswEndpoint) => ({ msw2, msw3 }: Msws) => {
    make(msw2.http, 'http://a.test/mcp', 'cassette.yaml', { onUnused: 'report' });
    make(msw3.http, 'http://a.test/mcp', 'cassette.yaml', { timing: { cap: 10 } });
    make(msw2.http, 'http://a.test/mcp', 'cassette.yaml', { bypass: msw2.bypass, mode: 'record' });
    const made = make(msw3.http, 'http://a.test/mcp', 'cassette.yaml', {
      bypass: msw3.bypass,
      redact: false,
    });
    expectTypeOf(made.handler).toEqualTypeOf<ReturnType<typeof msw3.http.all>>();
    expectTypeOf(made.mode).toEqualTypeOf<'replay' | 'record' | 'passthrough'>();
    expectTypeOf(made.finish({ passed: false }).kept).toEqualTypeOf<string | undefined>();
    compiles((mcp: Mcp) => expectTypeOf(mcp.own(made)).toEqualTypeOf<typeof made>());
    // @ts-expect-error: no endpoint
    compiles((mcp: Mcp) => mcp.own('cassette.yaml'));
    // @ts-expect-error: not MSW itself
    make('msw', 'http://a.test/mcp', 'cassette.yaml');
    // @ts-expect-error: a function, which changes a request
    make(msw2.http, 'http://a.test/mcp', 'cassette.yaml', { bypass: true });
    // @ts-expect-error: a run has passed or not
    made.finish({ failed: true });
  });
  type Nocks = { nock14: typeof import('nock14'); nock15: typeof import('nock15').default };
  compiles((make: typeof nockEndpoint) => (nocks: Nocks) => {
    expectTypeOf(make(nocks.nock14, 'http://a.test/mcp', 'cassette.yaml').fetch).toEqualTypeOf<Endpoint['fetch']>();
    make(nocks.nock15, 'http://a.test/mcp', 'cassette.yaml', { onMiss: 'report' });
    make(nocks.nock15, 'http://a.test/mcp', 'cassette.yaml', {
      record: true,
      mode: 'record',
      expires: 1_000,
    });
    // @ts-expect-error: no such mode for what is many sessions
    make(nocks.nock15, 'http://a.test/mcp', 'cassette.yaml', { record: true, mode: 'new' });
    // @ts-expect-error: yes or no
    make(nocks.nock14, 'http://a.test/mcp', 'cassette.yaml', { record: 'always' });
    // @ts-expect-error: nock lets pass what we ask
    make(nocks.nock14, 'http://a.test/mcp', 'cassette.yaml', { bypass: (request: Request) => request });
  });
});

it('an entry of a journal has the members of requests, notifications and answers, absent where its kind has none', () => {
  compiles(async (mcp: Mcp) => {
    const entry = await mcp.journal.waitFor('tools/call', { params: { name: /add/ } });
    expectTypeOf(entry.params).toEqualTypeOf<Record<string, unknown> | undefined>();
    expectTypeOf(entry.params?.arguments).toEqualTypeOf<unknown>();
    expectTypeOf(entry.method).toEqualTypeOf<string | undefined>();
    expectTypeOf(entry.to).toEqualTypeOf<string | undefined>();
    expectTypeOf(entry.result).toEqualTypeOf<Record<string, unknown> | undefined>();
    const { id, error, headers, session, message } = entry;
    if (entry.kind === 'request') expectTypeOf(entry.method).toEqualTypeOf<string>();
    if (entry.kind === 'answer') expectTypeOf(entry.params).toEqualTypeOf<undefined>();
    for (const one of mcp.journal.entries) expectTypeOf(one.params?.name).toEqualTypeOf<unknown>();
    // @ts-expect-error: no member of any entry
    void entry.arguments;
    return [id, error, headers, session, message];
  });
});

it('waits and matchers take no option that there is not', () => {
  compiles(async (mcp: Mcp) => {
    expect(mcp).toHaveReceivedRequest('tools/call', { name: expect.any(String) }, { times: 2 });
    // @ts-expect-error: params stand under params
    await mcp.journal.waitFor('tools/call', { name: 'add' });
    // @ts-expect-error: how often is times
    expect(mcp).toHaveReceivedRequest('tools/call', { name: 'add' }, { count: 2 });
    // @ts-expect-error: a cassette has its own number
    expect(mcp).toMatchSession('cassette.yaml', { times: 2 });
  });
});
