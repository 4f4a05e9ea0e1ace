import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListResourcesRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareServer } from '../../../src/adapters/test/verify-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const RECORDED = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { resources: {} }, serverInfo: { name: pages, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: resources/list }
- server: { jsonrpc: "2.0", id: 1, result: { resources: [{ uri: "a:1", name: one }] } }
- client: { jsonrpc: "2.0", id: 2, method: resources/list }
- server: { jsonrpc: "2.0", id: 2, result: { resources: [{ uri: "a:1", name: one }] } }
`;

const folder = temporaryFolder();
const cassette = join(folder, 'pages.yaml');
beforeAll(() => writeFileSync(cassette, RECORDED));

/** A server whose page number `index` has these URIs and this cursor. */
function pages(page: (index: number) => { uris: string[]; nextCursor?: string }) {
  const made = new Server({ name: 'pages', version: '1' }, { capabilities: { resources: {} } });
  const asked = { count: 0 };
  made.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    asked.count++;
    const { uris, ...cursor } = page(Number(params?.cursor ?? 0));
    return { resources: uris.map((uri) => ({ uri, name: 'one' })), ...cursor };
  });
  return { made, asked };
}

async function outcomeOf({ made, asked }: ReturnType<typeof pages>) {
  const { steps } = await compareServer(cassette, (transport) => made.connect(transport));
  const lists = steps.filter(({ title }) => title === 'resources/list');
  return [
    asked.count,
    lists.map(({ status, headline, changes = [] }) => [status, headline, changes.map(({ severity }) => severity)]),
  ];
}

const ENDLESS = 'breaking: the list does not end: its last pages repeat, or their cursors do';

describe('a list whose pages never end', () => {
  const failed = ['failed', ENDLESS, ['breaking']];

  it('fails after the first cursor that came before', async () => {
    expect(await outcomeOf(pages(() => ({ uris: ['a:1'], nextCursor: '1' })))).toEqual([4, [failed, failed]]);
  });

  it('fails after ten pages that came before under other cursors', async () => {
    const server = pages((index) => ({ uris: ['a:1'], nextCursor: String(index + 1) }));
    expect(await outcomeOf(server)).toEqual([22, [failed, failed]]);
  });
});

it('a page that comes twice fails for the items that came twice, and a list that ends passes', async () => {
  const passed = ['passed', undefined, []];
  expect(await outcomeOf(pages(() => ({ uris: ['a:1'] })))).toEqual([2, [passed, passed]]);
  const twice = pages((index) => ({ uris: ['a:1'], ...(index === 0 && { nextCursor: '1' }) }));
  const failed = ['failed', 'breaking: resource "a:1" came twice', ['breaking']];
  expect(await outcomeOf(twice)).toEqual([4, [failed, failed]]);
});

it.each([[null], [7]])('a later page with the cursor %j fails: clients refuse it', async (last) => {
  const later = join(folder, 'later.yaml');
  const item = (uri: string) => `resources: [{ uri: "${uri}", name: one }]`;
  writeFileSync(
    later,
    `${RECORDED.split('\n').slice(0, 6).join('\n')}
- client: { jsonrpc: "2.0", id: 1, method: resources/list }
- server: { jsonrpc: "2.0", id: 1, result: { ${item('a:1')}, nextCursor: "1" } }
- client: { jsonrpc: "2.0", id: 2, method: resources/list, params: { cursor: "1" } }
- server: { jsonrpc: "2.0", id: 2, result: { ${item('a:2')} } }
`,
  );
  const outcome = async (end: object) => {
    const { made } = pages((index) => ({ uris: [`a:${index + 1}`], ...(index === 0 ? { nextCursor: '1' } : end) }));
    const { steps } = await compareServer(later, (transport) => made.connect(transport));
    return steps.filter(({ title }) => title === 'resources/list').map(({ status, headline }) => [status, headline]);
  };
  expect(await outcome({})).toEqual([['passed', undefined]]);
  expect(await outcome({ nextCursor: last })).toEqual([
    ['failed', `breaking: a page of the list has the cursor ${last}, which is no text`],
  ]);
});
