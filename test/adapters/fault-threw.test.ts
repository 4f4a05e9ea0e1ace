import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineFault, type FaultContext, type FaultInstance, faultFunction } from '../../src/adapters/faults.ts';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import type { MockServer } from '../../src/adapters/mock-server/mock-server-types.ts';
import { linkedTransports } from '../../src/adapters/sdk.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { capabilities } from '../e2e/session/answers.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';

const cassette = join(temporaryFolder(), 'cassette.yaml');
beforeAll(() => recordSession(cassette));

const oops = () => {
  throw new Error('oops');
};

/** A rule about a method whose fault starts so. */
function own(start: (tools: FaultContext) => FaultInstance, on: { on?: string; when?: object }): Rule {
  const transports = ['memory', 'http'] as const;
  const kind = defineFault({ name: 'own', doc: '', transports, params: {}, start: (_, tools) => start(tools) });
  return faultFunction(kind)(on);
}

const ways: [string, (fault: Rule) => Promise<[MockServer, Transport]>][] = [
  [
    'in memory',
    async (fault) => {
      const mock = await mockServer(cassette, { faults: [fault], onUnused: 'report' });
      return [mock, mock.transport as Transport];
    },
  ],
  [
    'over HTTP',
    async (fault) => {
      const mock = await mockServer(cassette, { over: 'http', faults: [fault], onUnused: 'report' });
      return [mock, new StreamableHTTPClientTransport(new URL(mock.url))];
    },
  ],
];

const later = (tools: FaultContext): FaultInstance => ({
  hit(frame) {
    tools.next(frame);
    tools.later(0, oops);
  },
});
const throwsLate = async () => oops();

describe.each(ways)('a fault of a test that throws %s', { timeout: 20_000 }, (_, reach) => {
  it.each([
    ['as it begins', oops, { on: 'tools/call' }],
    ['on an answer', () => ({ hit: oops }), { on: 'tools/call' }],
    ['on a request', () => ({ hit: oops }), { on: 'tools/call', when: { from: 'client' } }],
    ['on what its rule is not about', () => ({ hit() {}, pass: oops }), { on: 'ping' }],
  ])('%s fails the request at once, and the test', async (_title, start, on) => {
    const [mock, transport] = await reach(own(start as (tools: FaultContext) => FaultInstance, on));
    const client = new Client({ name: 'test', version: '1' });
    const asks = client
      .connect(transport)
      .then(() => client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }));
    await expect(asks).rejects.toThrow(/The fault "own" did not do its work: it threw: oops\. \[FAULT_THREW\]/);
    await client.close();
    const { failed, findings } = await mock.finish();
    expect([failed, findings.some(({ kind }) => kind === 'thrown')]).toEqual([true, true]);
  });

  it.each([
    ['on what the other side says', () => ({ hit() {}, other: oops }), { on: 'prompts/none' }],
    ['where it would intercept', () => ({ hit() {}, intercept: oops }), { on: 'prompts/none' }],
    ['on a notification', () => ({ hit: oops }), { when: { from: 'client', kind: 'notification' } }],
  ])('%s lets pass what waits, and fails the test with the error', async (_title, start, on) => {
    const [mock, transport] = await reach(own(start as (tools: FaultContext) => FaultInstance, on));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
    await client.ping();
    await client.close();
    const { failed, findings } = await mock.finish();
    const thrown = findings.find(({ kind }) => kind === 'thrown');
    expect(failed).toBe(true);
    expect(thrown?.text).toMatch(/it threw: oops\. \[FAULT_THREW\]\n {2}Mend it: at .*fault-threw\.test\.ts/);
  });
});

it('fails a request where it throws in a promise', async () => {
  // An `async` function is no mistake of types.
  const fault = own(() => ({ hit: () => throwsLate() as unknown as undefined }), { on: 'ping' });
  const mock = await mockServer(cassette, { faults: [fault], onUnused: 'report' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(mock.transport as Transport);
  await expect(client.ping()).rejects.toThrow('it threw: oops. [FAULT_THREW]');
  expect((await mock.finish()).failed).toBe(true);
});

it('fails the test that has the fixture, also where it throws later', async () => {
  const mcp = openMcp({ file: join(cassette, '../a.test.js'), names: ['thrown'] });
  const clock = mcp.clock();
  mcp.faults([own(later, { on: 'initialize' })]);
  const { transport } = await mcp.server(cassette);
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(transport as Transport);
  clock.advance(0);
  await expect(mcp.finish({ passed: true })).rejects.toThrow(
    /a handler or a fault is wrong\. \[SESSION_FELL_SHORT\]\n.*it threw: oops/,
  );
});

it('is heard by both ends of a link, and thrown when that goes out of scope', async () => {
  const linked = linkedTransports({ faults: [own(() => ({ hit: oops }), { on: 'ping' })] });
  const heard: string[] = [];
  const server = new Server({ name: 's', version: '1' }, { capabilities: {} });
  const client = new Client({ name: 'test', version: '1' });
  server.onerror = () => heard.push('server');
  client.onerror = () => heard.push('client');
  await server.connect(linked.server as Transport);
  await client.connect(linked.client as Transport);
  await expect(client.ping()).rejects.toThrow('[FAULT_THREW]');
  expect(heard.sort()).toEqual(['client', 'server']);
  expect(() => linked[Symbol.dispose]()).toThrow('[FAULT_THREW]');
});
