import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { http } from 'msw3';
import nock from 'nock14';
import { expect, it } from 'vitest';
import { cassette, type Handler, mockClient, mockServer, tool } from '../../src/adapters/mock.ts';
import { mswEndpoint } from '../../src/adapters/msw.ts';
import { nockEndpoint } from '../../src/adapters/nock.ts';
import { playwrightEndpoint } from '../../src/adapters/playwright.ts';
import { replayTransport } from '../../src/adapters/sdk.ts';
import { serverTests } from '../../src/adapters/test/interaction-tests.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import { verifyServer } from '../../src/adapters/test/verify-server.ts';

const adds = (sum: string) => cassette().calls('add', { a: 1, b: 2 }).returns(sum);
const ENDPOINT = 'https://example.com/mcp';

async function sum(transport: unknown): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
  const { content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
  await client.close();
  return content;
}
const THREE = [{ type: 'text', text: '3' }];

it.each([
  ['mswEndpoint', () => mswEndpoint(http, ENDPOINT, adds('3'))],
  ['nockEndpoint', () => nockEndpoint(nock, ENDPOINT, adds('3'))],
  ['playwrightEndpoint', () => playwrightEndpoint({ cassette: adds('3') })],
])('%s takes a cassette that is a value', async (_, open) => {
  const endpoint = open();
  const fetch = (url: string | URL, init?: RequestInit) => endpoint.fetch(new Request(url, init));
  expect(await sum(new StreamableHTTPClientTransport(new URL(ENDPOINT), { fetch }))).toEqual(THREE);
  expect(endpoint.finish()).toMatchObject({ failed: false });
  nock.restore();
});

it.each([
  ['mswEndpoint', (handler: Handler) => mswEndpoint(http, ENDPOINT, { handlers: [handler] })],
  ['nockEndpoint', (handler: Handler) => nockEndpoint(nock, ENDPOINT, { handlers: [handler] })],
  ['playwrightEndpoint', (handler: Handler) => playwrightEndpoint({ handlers: [handler] })],
])('%s needs no cassette, and takes handlers while it runs', async (_, open) => {
  const endpoint = open(tool('add', () => 3));
  const fetch = (url: string | URL, init?: RequestInit) => endpoint.fetch(new Request(url, init));
  const ask = () => sum(new StreamableHTTPClientTransport(new URL(ENDPOINT), { fetch }));
  expect(await ask()).toEqual(THREE);
  endpoint.use(tool('add', () => 4));
  expect(await ask()).toEqual([{ type: 'text', text: '4' }]);
  endpoint.resetHandlers();
  expect(await ask()).toEqual(THREE);
  expect(endpoint.finish()).toMatchObject({ failed: false });
  nock.restore();
});

it('an endpoint without a cassette refuses options that need one', () => {
  const bypass = (request: Request) => request;
  expect(() => mswEndpoint(http, ENDPOINT, { bypass } as never)).toThrow(
    expect.objectContaining({ code: 'OPTION_UNKNOWN' }),
  );
});

it('replayTransport takes a cassette that is a value', async () => {
  const transport = replayTransport(adds('3'));
  expect(await sum(transport)).toEqual(THREE);
});

it('mcp.server and mcp.client take a cassette that is a value', async () => {
  const mcp = openMcp({ file: import.meta.filename, names: ['values'] });
  const server = await mcp.server(adds('3'));
  expect(await sum(server.transport)).toEqual(THREE);
  const { url } = await mcp.server({ cassette: adds('3'), over: 'http' });
  expect(await mcp.client(adds('3'), { url })).toMatchObject({ steps: expect.arrayContaining([expect.anything()]) });
  await mcp.finish({ passed: true });
});

it('a server is verified by a cassette that is a value, and fails where it answers something else', async () => {
  const three = await mockServer(adds('3'), { over: 'stdio' });
  await verifyServer(adds('3'), three);
  expect(await three.finish()).toMatchObject({ failed: false });
  const four = await mockServer(adds('4'), { over: 'stdio' });
  await expect(verifyServer(adds('3'), four)).rejects.toMatchObject({ code: 'SESSION_DIFFERS' });
  const five = await mockServer(adds('5'), { over: 'stdio' });
  const [test] = serverTests(adds('3'), () => five);
  await expect(test!.run()).rejects.toMatchObject({ code: 'SESSION_DIFFERS' });
});

it('a mock client answers as the client of a cassette that is a value', async () => {
  const tape = cassette().requests('tools/list').returns({ tools: [] });
  const server = await mockServer({ over: 'http', handlers: [tool('add', () => '3')] });
  const client = await mockClient({ server, cassette: tape });
  expect(await client.request('tools/call', { name: 'add' })).toMatchObject({ content: THREE });
  await client.finish();
});
