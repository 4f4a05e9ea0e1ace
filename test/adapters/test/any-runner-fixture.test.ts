import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openLiveEndpoint } from '../../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { errorReply, slice } from '../../../src/adapters/faults.ts';
import {
  cassette,
  type Handler,
  type HttpMockServer,
  type HttpOptions,
  type MemoryServer,
  request,
  tool,
} from '../../../src/adapters/mock.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { SdkTransport } from '../../../src/adapters/sdk.ts';
import type { UsedCassette } from '../../../src/adapters/test/claim-test-cassette.ts';
import type { OwnMcp } from '../../../src/adapters/test/mcp-types.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { withMcp } from '../../../src/adapters/test/with-mcp.ts';
import { type FetchEndpoint, openEndpoint } from '../../../src/mock/endpoint/fetch-endpoint.ts';
import { capabilities } from '../../e2e/session/answers.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { fixture } from '../../support/process.ts';

const folder = temporaryFolder();
const tape = join(folder, 'cassette.yaml');
beforeAll(() => recordSession(tape));

let tests = 0;
const newTest = (): OwnMcp => openMcp({ file: join(folder, 'a.test.js'), names: [`test ${tests++}`] });

async function connected(transport: SdkTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(transport as Transport);
  return client;
}

const weather = (client: Client, options?: { timeout: number }) =>
  client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }, undefined, options);
const overHttp = (url: string) => new StreamableHTTPClientTransport(new URL(url)) as SdkTransport;
/** A client's transport whose requests are handed to `endpoint`. */
const over = ({ fetch: ask }: FetchEndpoint, url = 'http://mock.test/mcp') =>
  new StreamableHTTPClientTransport(new URL(url), {
    fetch: (to, init) => ask(new Request(to, init)),
  }) as SdkTransport;
const OSLO = { content: [{ text: 'Oslo has 20 degrees celsius' }] };
const env = {};

describe('what a test has', () => {
  it('is content where all went as in the cassette', async () => {
    for (const mode of ['record', 'replay'] as const) {
      const mcp = openMcp({ file: join(folder, 'b.test.js'), names: ['weather'] });
      const client = await connected(await mcp.connect(server(), { env, mode }));
      expect(await weather(client)).toMatchObject(OSLO);
      await client.close();
      expect(mcp.received('tools/call').map(({ params }) => params)).toMatchObject([{ name: 'weather' }]);
      await mcp.finish({ passed: true });
    }
  });

  it('fails with what a recorded server was not asked', async () => {
    const mcp = newTest();
    const { transport } = await mcp.server(tape);
    await (await connected(transport)).close();
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/6 recorded requests never came/);
  });

  it('speaks of handlers, and of no cassette, where there is none', async () => {
    const mcp = newTest();
    const { transport } = await mcp.server({ handlers: [tool('search', () => 'found')] });
    const client = await connected(transport);
    await expect(client.callTool({ name: 'serch', arguments: {} })).rejects.toThrow();
    await client.close();
    const error = (await mcp.finish({ passed: true }).catch((one: Error) => one)) as Error;
    expect(error.message).toMatch(
      /^The mock server was not used as it should be: no handler answers a request\. \[SESSION_FELL_SHORT\]/,
    );
    expect(error.message).toContain('did you mean "search"');
    expect(error.message).not.toContain('cassette');
  });

  it('speaks of the client, and of no recording, where a client breaks the schema of a question', async () => {
    const mcp = newTest();
    const requestedSchema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
    const asks = tool('search', async (_, { elicit }) => {
      await elicit({ message: 'Which year?', requestedSchema });
      return 'found';
    });
    const { transport } = await mcp.server({ handlers: [asks] });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { year: 'now' } }));
    await client.connect(transport);
    await client.callTool({ name: 'search', arguments: {} });
    await client.close();
    const error = (await mcp.finish({ passed: true }).catch((one: Error) => one)) as Error;
    expect(error.message).toMatch(/the client sends what the specification or the request does not allow/);
    expect(error.message).toMatch(/elicitation\/create[\s\S]*year[\s\S]*Mend the client\. To let it differ/);
    expect(error.message).not.toMatch(/cassette|record/i);
  });

  it('names the failures of all its servers', async () => {
    const mcp = newTest();
    const { transport: recorded } = await mcp.server(tape);
    await (await connected(recorded)).close();
    const { url } = await mcp.server({ handlers: [], over: 'http' });
    await expect(fetch(url, { method: 'POST', body: '{}' })).resolves.toMatchObject({ ok: false });
    const { transport } = await mcp.server({ handlers: [tool('search', () => 'found')] });
    const client = await connected(transport);
    await expect(client.callTool({ name: 'serch', arguments: {} })).rejects.toThrow();
    await client.close();
    const { message } = (await mcp.finish({ passed: true }).catch((one: Error) => one)) as Error;
    expect(message).toMatch(
      /^The session is not that of .*: not all of the cassette was used\. \[SESSION_FELL_SHORT\]\n/,
    );
    expect(message).toMatch(
      /6 recorded requests never came[\s\S]*\nThe mock server was not used as it should be: no handler/,
    );
    expect(message).toMatch(/used as it should be[\s\S]*used as it should be/);
    expect(message.match(/SESSION_FELL_SHORT/g)).toHaveLength(1);
  });

  it('advises what helps where an answer to a handler before a cassette is bad', async () => {
    const mcp = newTest();
    const requestedSchema = { type: 'object', properties: { year: { type: 'integer' } } };
    const asks = tool('search', async (_, { elicit }) => (await elicit({ message: 'Which?', requestedSchema })).action);
    const { transport } = await mcp.server(tape, {
      handlers: [asks],
      onUnused: 'report',
      ignore: ['/params/capabilities'],
    });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline', content: { year: 1 } }));
    await client.connect(transport);
    await client.callTool({ name: 'search', arguments: {} });
    await client.close();
    const { message } = (await mcp.finish({ passed: true }).catch((one: Error) => one)) as Error;
    expect(message).toMatch(/bad result: its content has year, though the action is "decline"/);
    expect(message).toMatch(/Mend the client\. To let it differ: onDifference/);
    expect(message).not.toMatch(/anew|ignore/);
  });

  it('says nothing of a test that failed by itself, and so did not come to its end', async () => {
    const mcp = newTest();
    await mcp.server(tape, { over: 'http' });
    await mcp.finish({ passed: false });
  });

  it('names the miss of a test that failed by itself, such as one that waited for a retry', async () => {
    const mcp = newTest();
    const { transport } = await mcp.server({ handlers: [tool('weather', () => 'sunny'), tool('tides', () => 'high')] });
    const client = await connected(transport);
    await client.callTool({ name: 'wether', arguments: {} }).catch(() => {});
    const { message } = (await mcp.finish({ passed: false }).catch((one: Error) => one)) as Error;
    expect(message).toContain('No handler answers tools/call "wether": did you mean "weather"?');
    expect(message).not.toContain('never called');
  });

  it.each([
    ['refused', () => Promise.reject(new Error('busy')), 'The client answered elicitation/create with an error: busy'],
    ['never answered', () => new Promise<never>(() => {}), 'The client has not answered elicitation/create in 5 ms'],
  ])('names the question of a test that failed by itself, which the client %s', async (_, answer, told) => {
    const mcp = newTest();
    const asks = tool('weather', async (_args, { elicit }) => {
      const form = { type: 'object', properties: {} };
      return (await elicit({ message: 'Which city?', requestedSchema: form }, { timeout: 5 })).action;
    });
    const { transport } = await mcp.server({ handlers: [asks] });
    const client = await connected(transport);
    client.setRequestHandler(ElicitRequestSchema, answer);
    expect((await client.callTool({ name: 'weather', arguments: {} })).isError).toBe(true);
    await expect(mcp.finish({ passed: false })).rejects.toThrow(told);
  });

  it('says nothing of a question that was open when a test failed by itself', async () => {
    const mcp = newTest();
    const asks = tool('weather', async (_args, { elicit }) => {
      return (await elicit({ message: 'Which city?', requestedSchema: { type: 'object', properties: {} } })).action;
    });
    const { transport } = await mcp.server({ handlers: [asks] });
    const client = await connected(transport);
    const asked = new Promise((resolve) => {
      client.setRequestHandler(ElicitRequestSchema, () => new Promise(() => resolve(undefined)));
    });
    void client.callTool({ name: 'weather', arguments: {} }).catch(() => {});
    await asked;
    await mcp.finish({ passed: false });
  });

  it('says also of a test that failed that its server never spoke', async () => {
    const mcp = newTest();
    const transport = await mcp.connect(fixture('exits-early.js'), { env, mode: 'record' });
    await expect(connected(transport)).rejects.toThrow('Connection closed');
    await expect(mcp.finish({ passed: false })).rejects.toThrow(/never said a message/);
  });

  it('does not blame a server to which no client was connected', async () => {
    const connecting = async (run: { passed: boolean }) => {
      const mcp = newTest();
      await mcp.connect(server(), { env, mode: 'record' });
      await mcp.finish(run);
    };
    await expect(connecting({ passed: true })).rejects.toThrow(/no client has connected\. \[SESSION_FELL_SHORT\]/);
    await expect(connecting({ passed: true })).rejects.not.toThrow('never said');
    await connecting({ passed: false });
  });

  it('names what a failed test has recorded, and removes it when the test passes', async () => {
    const owner = { file: join(folder, 'e.test.js'), names: ['kept'] };
    const cassette = join(folder, 'kept.yaml');
    const recording = join(folder, 'kept.recording.yaml');
    const recorded = (fails: boolean) =>
      withMcp(owner, async (mcp) => {
        const client = await connected(await mcp.connect(server(), { env, cassette, mode: 'record' }));
        expect(await weather(client)).toMatchObject(OSLO);
        await client.close();
        if (fails) throw new Error('It is wrong.');
      });
    const error = await recorded(true).catch((one: Error) => one);
    for (const said of [(error as Error).message, (error as Error).stack])
      expect(said).toMatch(
        /It is wrong\.\n\nDid not record .*kept\.yaml: .*\[RECORDING_KEPT\]\n.*kept\.recording\.yaml/,
      );
    expect([existsSync(cassette), existsSync(recording)]).toEqual([false, true]);
    await recorded(false);
    expect([existsSync(cassette), existsSync(recording)]).toEqual([true, false]);
  });

  it('has a cassette that no other test of its run has, though one of an earlier run had it', async () => {
    const named = (id: string, run: object) => openMcp({ file: join(folder, 'c.test.js'), names: ['same'], id, run });
    const [first, second] = [{}, {}];
    const passthrough = { env, mode: 'passthrough' } as const;
    for (const mcp of [named('1', first), named('2', second)]) {
      await mcp.connect(server(), passthrough);
      await mcp.finish({ passed: true });
    }
    await expect(named('3', second).connect(server(), passthrough)).rejects.toThrow('[CASSETTE_CLAIMED]');
  });

  it('says how several tests replay the cassette that the option names', async () => {
    const run = {};
    const one = (id: string) => openMcp({ file: join(folder, 'e.test.js'), names: [id], id, run });
    const own = { env, mode: 'passthrough', cassette: join(folder, 'shared.yaml') } as const;
    const first = one('1');
    await first.connect(server(), own);
    const again = one('2').connect(server(), own);
    await expect(again).rejects.toThrow(/the option cassette names .*\[CASSETTE_CLAIMED\]\n.*mcp\.server\(FILE\)/s);
    await first.finish({ passed: true });
  });

  it('may own an endpoint, and fails with what it was not asked', async () => {
    const mcp = newTest();
    const endpoint = mcp.own(openEndpoint(tape));
    const client = await connected(over(endpoint));
    expect(await weather(client)).toMatchObject(OSLO);
    await client.close();
    expect(mcp.received('tools/call')).toHaveLength(1);
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/5 recorded requests never came/);
  });

  it.each([true, false])('keeps what its endpoint recorded where it passed: %s', async (passed) => {
    const cassette = join(folder, `endpoint-${passed}.yaml`);
    const { url } = await mockServer(tape, { over: 'http', onUnused: 'report', onDifference: 'report' });
    const told: (readonly UsedCassette[])[] = [];
    const file = join(folder, 'd.test.js');
    const mcp = openMcp({ file, names: [cassette], onCassettesUsed: (cassettes) => told.push(cassettes) });
    const endpoint = mcp.own(openLiveEndpoint({ url, cassette, mode: 'record', send: fetch }));
    const client = await connected(over(endpoint, url));
    expect(await weather(client)).toMatchObject(OSLO);
    await client.close();
    expect(() => newTest().own(endpoint)).toThrow('[CASSETTE_CLAIMED]');
    if (passed) await mcp.finish({ passed });
    else await expect(mcp.finish({ passed })).rejects.toThrow(/show .*endpoint-false\.recording\.yaml/);
    expect(existsSync(cassette)).toBe(passed);
    expect(told[0]).toMatchObject([{ cassette, mode: 'record', ...(passed && { written: cassette }) }]);
  });

  it('plays a recorded client to its server', async () => {
    const mcp = newTest();
    await mcp.client(tape, server());
    await expect(mcp.client(tape, server('changed-text'))).rejects.toThrow(/\[SESSION_DIFFERS\]/);
    await mcp.finish({ passed: true });
  });
});

describe('what a test forgets to await', () => {
  it('fails it, as if it had awaited the recorded client', async () => {
    const mcp = newTest();
    void mcp.client(tape, server('changed-text'));
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/\[SESSION_DIFFERS\]/);
  });

  it('is waited for, and fails nothing where the server is as recorded', async () => {
    const mcp = newTest();
    let isConnected = false;
    const { url } = await mcp.server(tape, { over: 'http' });
    void mcp.client(tape, { url });
    void mcp.mockClient({
      server: async (transport) => {
        transport.onmessage = ({ id }: { id: number }) => {
          isConnected = true;
          const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
          if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result });
        };
        await transport.start();
      },
    });
    await mcp.finish({ passed: true });
    expect(isConnected).toBe(true);
  });

  it.each(['mockClient', 'connect', 'server'] as const)('fails it where %s fails', async (name) => {
    const mcp = newTest();
    const none = join(folder, 'none.yaml');
    if (name === 'server') void mcp.server(none);
    if (name === 'connect') void mcp.connect(server(), { cassette: none, mode: 'replay' });
    if (name === 'mockClient')
      void mcp.mockClient({
        server: () => {
          throw new Error('no database');
        },
      });
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/none\.yaml|no database/);
  });

  it('discards its recording, as that of a failed test', async () => {
    const mcp = openMcp({ file: join(folder, 'forgets.test.js'), names: ['a test'] });
    await weather(await connected(await mcp.connect(server(), { env, mode: 'record' })));
    void mcp.client(tape, server('changed-text'));
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/\[SESSION_DIFFERS\]/);
    const kept = readdirSync(join(folder, '__cassettes__', 'forgets.test.js'));
    expect(kept).toEqual([expect.stringMatching(/\.recording\.yaml$/)]);
  });

  it('is not waited for where the test has failed', async () => {
    const mcp = newTest();
    void mcp.client(tape, () => new Promise<void>(() => {}), { patience: 600_000 });
    await mcp.finish({ passed: false });
  });
});

describe('faults of a test', () => {
  it('happen in the sessions that are open, and those to come, until it takes them back', async () => {
    const mcp = newTest();
    const reportUnused = { onUnused: 'report' } as const;
    const [open, calm] = [
      await connected((await mcp.server(tape, reportUnused)).transport),
      await connected((await mcp.server(tape, reportUnused)).transport),
    ];
    mcp.faults([{ do: 'error-reply', when: { method: 'tools/call' }, message: 'no weather today' }]);
    const later = await connected((await mcp.server(tape)).transport);
    await expect(weather(open)).rejects.toThrow('no weather today');
    await expect(weather(later)).rejects.toThrow('no weather today');
    mcp.faults([]);
    expect(await weather(calm)).toMatchObject(OSLO);
    await mcp.finish({ passed: true });
  });

  it('happen over HTTP and over stdio, too, in servers that are open and those to come', async () => {
    const mcp = newTest();
    const rules = [errorReply({ on: 'ping', message: 'not today' })];
    const open = await mcp.server(tape, { over: 'http', onUnused: 'report' });
    const calm = await connected(overHttp(open.url));
    mcp.faults(rules);
    const later = await connected(overHttp((await mcp.server(tape, { over: 'http' })).url));
    const started = await mcp.server(tape, { over: 'stdio' });
    const process = await connected(new StdioClientTransport({ ...started, stderr: 'ignore' }));
    for (const client of [calm, later, process]) await expect(client.ping()).rejects.toThrow('not today');
    expect([open, started].map(({ fired }) => fired.map(({ fault }) => fault))).toEqual([
      ['error-reply'],
      ['error-reply'],
    ]);
    mcp.faults([]);
    for (const client of [calm, later, process]) expect(await client.ping()).toEqual({});
    for (const client of [calm, later, process]) await client.close();
    await mcp.finish({ passed: true });
  });

  it.each(['http', 'stdio'] as const)('fail it where they never happened over %s', async (over) => {
    const mcp = newTest();
    mcp.faults([{ do: 'drop', when: { tool: 'rain' } }]);
    await mcp.server(tape, { over } as { over: 'http' });
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/Rule 1 \(drop\) never fired\./);
  });

  it('are refused where one of its servers cannot do them, and then hold nowhere', async () => {
    const mcp = newTest();
    const { url } = await mcp.server(tape, { over: 'http', onUnused: 'report' });
    const { transport } = await mcp.server(tape, { onUnused: 'report' });
    const rules = [{ do: 'http-status', status: 503, when: { method: 'tools/call' } }];
    expect(() => mcp.faults(rules)).toThrow(/"http-status" has no meaning over memory/);
    for (const client of [await connected(overHttp(url)), await connected(transport)]) {
      expect(await weather(client)).toMatchObject(OSLO);
      await client.close();
    }
    await mcp.finish({ passed: true });
  });

  it('fail it where they happened in no session', async () => {
    const mcp = newTest();
    mcp.faults([
      { do: 'cut', when: { tool: 'rain' } },
      { do: 'drop', when: { tool: 'weather' }, times: 1 },
    ]);
    const client = await connected((await mcp.server(tape)).transport);
    await connected((await mcp.server(tape)).transport);
    await expect(weather(client, { timeout: 1 })).rejects.toThrow('timed out');
    const finishing = mcp.finish({ passed: true });
    await expect(finishing).rejects.toThrow(/Rule 1 \(cut\) never fired\./);
    await expect(finishing).rejects.not.toThrow(/Rule 2/);
  });

  it('break a conversation off as a server does that was killed', async () => {
    const mcp = newTest();
    mcp.faults([{ do: 'cut', when: { method: 'tools/call' } }]);
    const client = await connected((await mcp.server(tape)).transport);
    await expect(weather(client)).rejects.toThrow('Connection closed');
    await mcp.finish({ passed: true });
  });

  it('may be functions of mcp-record/faults, where they have a meaning in memory', async () => {
    const mcp = newTest();
    mcp.faults([errorReply({ on: 'tools/call', message: 'no weather today' })]);
    const client = await connected((await mcp.server(tape)).transport);
    await expect(weather(client)).rejects.toThrow('no weather today');
    expect(() => mcp.faults([slice()])).toThrow(/"slice" has no meaning over memory.*\[FAULT_NO_MEANING\]/);
    await mcp.finish({ passed: true });
  });

  it('may be in short, and are refused with their number where they are no rule at all', async () => {
    const mcp = newTest();
    const client = await connected((await mcp.server(tape, { onUnused: 'report' })).transport);
    expect(() => mcp.faults(['http-status:tools/call:status=503'])).toThrow(/"http-status" has no meaning over memory/);
    expect(() => mcp.faults(['drop', undefined as unknown as string])).toThrow(
      /\(rule 2\): a rule of the type undefined is none.*\[FAULT_BAD_RULE\]/s,
    );
    expect(await client.ping()).toEqual({});
    mcp.faults(['error-reply:tools/call:message=no weather today']);
    await expect(weather(client)).rejects.toThrow('no weather today');
    await mcp.finish({ passed: true });
  });

  it('take no time where the test holds the clock', async () => {
    const mcp = newTest();
    const clock = mcp.clock();
    mcp.faults([{ do: 'latency', delay: 3_600_000, when: { method: 'tools/call' } }]);
    const client = await connected((await mcp.server(tape)).transport);
    const asked = weather(client);
    let isAnswered = false;
    void asked.then(() => {
      isAnswered = true;
    });
    while (mcp.sessions[0]!.fired.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(3_599_999);
    expect(isAnswered).toBe(false);
    clock.advance(1);
    expect(await asked).toMatchObject(OSLO);
    await mcp.finish({ passed: true });
  });
});

it.each<[name: string, start: (mcp: OwnMcp) => Promise<unknown>]>([
  ['mcp.server', (mcp) => mcp.server({ over: 'http', handlers: [] })],
  ['mcp.server with a cassette', (mcp) => mcp.server(tape)],
])('a clock that is taken after %s is refused: it would not move its time', async (_, start) => {
  const mcp = newTest();
  const early = newTest();
  const clock = early.clock();
  for (const one of [mcp, early]) await start(one);
  expect(() => mcp.clock()).toThrow(
    /mcp\.server, mcp\.connect or .* has been called before.*\[CLOCK_TOO_LATE\]\n *Call mcp\.clock\(\) first/,
  );
  expect(early.clock()).toBe(clock);
  for (const one of [mcp, early]) await one.finish({ passed: false });
});

describe('a mock client of a test', () => {
  const roots = request('roots/list', () => ({ roots: [] }));
  const asking = tool('ask', async (_, { ask }) => JSON.stringify(await ask('roots/list')));
  const driven = async (handlers: Handler[], run: { passed: boolean } = { passed: true }) => {
    const mcp = newTest();
    const { url } = await mcp.server({ over: 'http', handlers: [asking] });
    const client = await mcp.mockClient({ server: { url }, handlers });
    const answer = await client.request('tools/call', { name: 'ask' });
    await mcp.finish(run);
    return answer;
  };

  it('drives its server with handlers, and ends with it', async () => {
    expect(await driven([roots])).toMatchObject({ content: [{ text: '{"roots":[]}' }] });
  });

  it('fails it by what it finds, also one that failed by itself, since that may be the cause', async () => {
    for (const passed of [true, false])
      await expect(driven([], { passed })).rejects.toThrow(
        /^The session of the mock client went wrong: no handler answers a request of the server, and the server sends what the specification does not allow\. \[SESSION_FELL_SHORT\]\n {2}No handler answers the server's roots\/list\./,
      );
  });

  it('has the cassettes and the time of its test', async () => {
    const mcp = newTest();
    const clock = mcp.clock();
    const { url } = await mcp.server({ over: 'http', handlers: [asking] });
    const client = await mcp.mockClient({ server: { url }, handlers: [roots], cassette: 'cassette.yaml' });
    const wait = client.journal.waitFor('ping', { timeout: 3_600_000 });
    clock.advance(3_600_000);
    await expect(wait).rejects.toMatchObject({ code: 'WAIT_TIMED_OUT' });
    await mcp.finish({ passed: true });
  });
});

describe('a mock server of a test', () => {
  it('fails the test with a wait that nothing awaited', async () => {
    const mcp = newTest();
    const { journal, transport } = await mcp.server({ handlers: [] });
    const client = await connected(transport);
    for (const one of [journal, mcp.journal]) one.waitFor('tools/call', { timeout: 1 }).catch(() => {});
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/waited for tools\/call: .*\[WAIT_NOT_AWAITED\]/);
    await client.close();
  });

  it('fails the test once with a wait that was open as the test called finish', async () => {
    const read = newTest();
    const server = await read.server({ handlers: [] });
    const wait = server.journal.waitFor('tools/call', { timeout: 1 }).catch(() => {});
    expect((await server.finish()).failures).toMatchObject([{ kind: 'unawaited' }]);
    await wait;
    await read.finish({ passed: true });

    for (const passed of [true, false]) {
      const unread = newTest();
      const other = await unread.server({ handlers: [] });
      const forgotten = other.journal.waitFor('tools/call', { timeout: 1 }).catch(() => {});
      await other.finish();
      await forgotten;
      const ended = unread.finish({ passed });
      if (passed) await expect(ended).rejects.toThrow(/did not await .*\[WAIT_NOT_AWAITED\]/s);
      else await ended;
    }
  });

  it('is no endpoint that the test may own', async () => {
    const mcp = newTest();
    const mock = await mockServer({});
    expect(() => mcp.own(mock as never)).toThrow(/it is no endpoint. \[OPTION_BAD_VALUE\]\s+.*mcp\.server/);
    await mock.finish();
    await mcp.finish({ passed: true });
  });

  const never = () => new Promise(() => {});

  it.each(['memory', 'http', 'stdio'] as const)('fails the test where a handler hangs, over %s', async (over) => {
    const mcp = newTest();
    const handlers = [tool('slow', never)];
    const options = { over, handlers } as { over: 'http'; handlers: typeof handlers };
    const mock = (await mcp.server(options)) as unknown as { transport: SdkTransport; url: string; command: string };
    const transport = {
      memory: () => mock.transport,
      http: () => overHttp(mock.url),
      stdio: () => new StdioClientTransport(mock as unknown as { command: string }) as SdkTransport,
    }[over]();
    const client = await connected(transport);
    const call = client.callTool({ name: 'slow' }).catch((error) => error);
    await mcp.journal.waitFor('tools/call');
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/tools\/call "slow" \(.*\) has not answered/);
    await client.close();
    await call;
  });

  it('fails the test with what it found until a reset', async () => {
    const mcp = newTest();
    const mock = await mcp.server({ over: 'http', handlers: [tool('known', () => 'a')] });
    const client = await connected(overHttp(mock.url));
    await client.callTool({ name: 'nope' }).catch((error) => error);
    await client.close();
    await mock.reset();
    await expect(mcp.finish({ passed: true })).rejects.toThrow('nope');
  });

  it.each(['memory', 'http'] as const)('does not fail over %s for failures that the test reads', async (over) => {
    const mcp = newTest();
    const mock = (await mcp.server({ over, handlers: [tool('known', () => 'a')] } as HttpOptions)) as HttpMockServer;
    const client = await connected(over === 'http' ? overHttp(mock.url) : (mock as never as MemoryServer).transport);
    await client.callTool({ name: 'nope' }).catch((error) => error);
    await client.close();
    expect((await mock.finish()).failures).toMatchObject([{ kind: 'miss' }]);
    await mcp.finish({ passed: true });
  });

  it('fails for failures that the test does not read, of the server beside', async () => {
    const mcp = newTest();
    const servers = [
      await mcp.server({ handlers: [tool('known', () => 'a')] }),
      await mcp.server({ handlers: [tool('known', () => 'a')] }),
    ];
    for (const [n, { transport }] of servers.entries()) {
      const client = await connected(transport);
      await client.callTool({ name: `nope${n}` }).catch((error) => error);
      await client.close();
    }
    expect((await servers[0]!.finish()).failures).toHaveLength(1);
    await servers[1]!.finish();
    await expect(mcp.finish({ passed: true })).rejects.toThrow('nope1');
  });

  it('does not fail for what the test reads at a reset, or of a mock client', async () => {
    const mcp = newTest();
    const mock = await mcp.server({ over: 'http', handlers: [tool('known', () => 'a')] });
    const client = await connected(overHttp(mock.url));
    await client.callTool({ name: 'nope' }).catch((error) => error);
    await client.close();
    expect((await mock.reset()).failures).toMatchObject([{ kind: 'miss' }]);
    const other = await mcp.mockClient({
      server: { url: mock.url },
      handlers: [request('roots/list', () => ({ roots: [] }), { once: true })],
    });
    expect((await other.finish()).failures).toMatchObject([{ kind: 'uncalled' }]);
    await mcp.finish({ passed: true });
  });

  it('may leave entries of its cassette unused until a reset', async () => {
    const mcp = newTest();
    const mock = await mcp.server(cassette().calls('weather', { city: 'Oslo' }).returns('sunny'));
    expect((await mock.reset()).failures).toMatchObject([{ kind: 'unused' }]);
    const client = await connected(mock.transport);
    await weather(client);
    await client.close();
    await mcp.finish({ passed: true });
  });

  it('still wants all of its cassette where its list of faults is empty', async () => {
    const mcp = newTest();
    await mcp.server(cassette().calls('weather', { city: 'Oslo' }).returns('sunny'), { faults: [] });
    await expect(mcp.finish({ passed: true })).rejects.toThrow('1 recorded request never came');
  });

  const twoCalls = () => cassette().calls('weather', { city: 'Oslo' }).returns('sunny').calls('pay').returns('done');
  const failsWeather = [errorReply({ on: 'tools/call', nth: 1 })];
  const ways: [string, (mcp: OwnMcp) => Promise<MemoryServer>][] = [
    [
      'misbehave',
      async (mcp) => {
        const mock = await mcp.server(twoCalls());
        mock.misbehave(failsWeather);
        return mock;
      },
    ],
    [
      'mcp.faults after its start',
      async (mcp) => {
        const mock = await mcp.server(twoCalls());
        mcp.faults(failsWeather);
        return mock;
      },
    ],
  ];

  it.each(ways)(
    'reports what a client leaves out after faults were set by %s, also if they are taken back',
    async (how, begin) => {
      const mcp = newTest();
      const mock = await begin(mcp);
      const client = await connected(mock.transport);
      await weather(client).catch((error) => error);
      await client.close();
      if (how === 'misbehave') mock.misbehave([]);
      else mcp.faults([]);
      await mcp.finish({ passed: true });
    },
  );

  it('still wants all of its cassette under faults, if the test says so', async () => {
    const mcp = newTest();
    const mock = await mcp.server(twoCalls(), { onUnused: 'fail' });
    mock.misbehave(failsWeather);
    const client = await connected(mock.transport);
    await weather(client).catch((error) => error);
    await client.close();
    await expect(mcp.finish({ passed: true })).rejects.toThrow('1 recorded request never came');
  });

  it('gives the outcome without what it only reports, and with a missed call', async () => {
    const mcp = newTest();
    const mock = await mcp.server(twoCalls(), { over: 'http' });
    mock.misbehave(failsWeather);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(overHttp(mock.url) as Transport);
    await weather(client).catch((error) => error);
    await client.callTool({ name: 'unknown' }).catch((error) => error);
    await client.close();
    expect(await mock.finish()).toMatchObject({ failed: true, failures: [{ kind: 'miss' }] });
    await mcp.finish({ passed: true });
  });

  it('says what a client under a fault has left out', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const mcp = newTest();
    const recorded = cassette().calls('weather', { city: 'Oslo' }).returns('sunny').calls('pay').returns('done');
    const { transport } = await mcp.server(recorded, { faults: [errorReply({ on: 'tools/call', nth: 1 })] });
    const client = await connected(transport);
    await weather(client).catch((error) => error);
    await client.close();
    await mcp.finish({ passed: true });
    expect(warn.mock.calls.join('\n')).toContain('tools/call "pay"');
    expect(warn.mock.calls.join('\n')).toMatch(
      /does not fail the test: onUnused is 'report', set by the test, or the default in a test with faults[\s\S]*onUnused: 'fail'/,
    );
    warn.mockRestore();
  });

  it.each(['finish', 'reset'] as const)('still fails the test where only the findings of %s were read', async (how) => {
    const mcp = newTest();
    const mock = await mcp.server({ over: 'http', handlers: [] });
    const client = await connected(overHttp(mock.url));
    await client.callTool({ name: 'unknown' }).catch((error) => error);
    await client.close();
    expect((await mock[how]()).findings).toMatchObject([{ kind: 'miss' }]);
    await expect(mcp.finish({ passed: true })).rejects.toThrow('tools/call "unknown"');
  });

  it('fails the test of a client that was refused and never came back, or says so with onUnused: report', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const refused = async (options: Partial<HttpOptions>) => {
      const mcp = newTest();
      const { url } = await mcp.server({ over: 'http', auth: { tokens: ['k'] }, handlers: [], ...options });
      await connected(overHttp(url)).catch(() => {});
      await mcp.finish({ passed: true });
    };
    await refused({ onUnused: 'report' });
    expect(warn.mock.calls.join('\n')).toMatch(
      /refused with 401 at initialize, and never came back with a valid token\. This does not fail the test: [\s\S]*onUnused: 'fail'/,
    );
    for (const options of [{}, { onUnused: 'fail' }] as const)
      await expect(refused(options)).rejects.toThrow(
        /never came back with a valid token[\s\S]*Let the client get a token.* If it may give up: onUnused: 'report', without onDifference: 'fail'/,
      );
    warn.mockRestore();
  });

  it('names the refusal of a client whose cassette was not played, and no new recording', async () => {
    const mcp = newTest();
    const recorded = cassette().calls('weather', { city: 'Oslo' }).returns('sunny');
    const { url } = await mcp.server(recorded, { over: 'http', auth: { tokens: ['k'] } });
    await connected(overHttp(url)).catch(() => {});
    const { message } = (await mcp.finish({ passed: true }).catch((error) => error)) as Error;
    expect(message).toMatch(
      /refused with 401 at initialize, and never came back with a valid token[\s\S]*Let the client get a token/,
    );
    expect(message).not.toContain('record the cassette anew');
  });

  it("says that a refresh was refused, and fails the test with onDifference: 'fail'", async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const refused = async (options: Partial<HttpOptions>) => {
      const mcp = newTest();
      const { url } = await mcp.server({ over: 'http', auth: { tokens: ['k'] }, handlers: [], ...options });
      const headers = { authorization: 'Bearer k' };
      const client = await connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const form = { grant_type: 'refresh_token', refresh_token: 'used', client_id: 'a', resource: url };
      await fetch(new URL('/token', url), { method: 'POST', body: new URLSearchParams(form) });
      await client.close();
      await mcp.finish({ passed: true });
    };
    for (const options of [{}, { onUnused: 'fail' }] as const) {
      warn.mockClear();
      await refused(options);
      expect(warn.mock.calls).toEqual([
        [
          "mcp-record: the mock server: The authorization server refused POST /token: invalid_grant: There is no such refresh token. This does not fail the test: a client may ask its user again. If it has to: onDifference: 'fail', or an assertion.",
        ],
      ]);
    }
    await expect(refused({ onDifference: 'fail' })).rejects.toThrow(
      /the authorization server refused a request\. \[SESSION_FELL_SHORT\]\n.*no such refresh token[\s\S]*If it is meant: onDifference: 'report'/i,
    );
    warn.mockRestore();
  });

  it('fails the test where a process that has handlers is left running', async () => {
    const mcp = newTest();
    const mock = await mcp.server({ over: 'stdio', handlers: [tool('add', () => 'x')] });
    const client = await connected(new StdioClientTransport(mock) as SdkTransport);
    await client.callTool({ name: 'add' });
    await expect(mcp.finish({ passed: true })).rejects.toThrow('still ran when the test was over');
    await client.close();
  });

  it.each([
    ['a handler for another tool', [tool('wether', () => 'down')]],
    ['a handler that another one hides', [tool('weather', () => 'a'), tool('weather', () => 'b')]],
    [
      'a handler for one call more',
      [tool('weather', () => 'a', { once: true }), tool('weather', () => 'b', { once: true })],
    ],
  ])('fails the test with %s', async (_, added) => {
    const mcp = newTest();
    const { transport, use } = await mcp.server(cassette().calls('weather', { city: 'Oslo' }).returns('sunny'));
    use(...added);
    const client = await connected(transport);
    await weather(client);
    await client.close();
    await expect(mcp.finish({ passed: true })).rejects.toThrow(/handler of tools\/call "wea?ther" .* was never called/);
  });

  it.each([
    ['wether', true],
    ['weathers', true],
    ['humidity', false],
  ])('given as an option for "%s" beside a recorded "weather": fails the test: %s', async (name, isMisspelled) => {
    const mcp = newTest();
    const recorded = cassette().calls('weather', { city: 'Oslo' }).returns('sunny');
    const { transport } = await mcp.server(recorded, { handlers: [tool(name, () => 'down')] });
    const client = await connected(transport);
    await weather(client);
    await client.close();
    const finished = mcp.finish({ passed: true });
    if (isMisspelled)
      await expect(finished).rejects.toThrow(
        /"weathe?rs?" .* never called\. The client asked for "weather"\.|"wether" .* asked for "weather"/,
      );
    else await finished;
  });

  it('given as an option for another recorded tool with nearly the same name may stay without a call', async () => {
    const mcp = newTest();
    const tools = ['weather', 'weathers'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const recorded = cassette()
      .requests('tools/list')
      .returns({ tools })
      .calls('weather', { city: 'Oslo' })
      .returns('sunny');
    const { transport } = await mcp.server(recorded, { handlers: [tool('weathers', () => 'down')] });
    const client = await connected(transport);
    await weather(client);
    await client.listTools();
    await client.close();
    await mcp.finish({ passed: true });
  });

  it('fails the test with a handler for one call that never came, and not with others that were there from the beginning', async () => {
    const mcp = newTest();
    const initial = [tool('add', () => 'x'), tool('pay', () => 'y', { once: true })];
    const { transport } = await mcp.server({ handlers: initial });
    await (await connected(transport)).close();
    const failed = mcp.finish({ passed: true });
    await expect(failed).rejects.toThrow(/"pay" .* was never called/);
    await expect(failed).rejects.not.toThrow('"add"');
  });
});
