import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { type HttpOptions, mockServer, tool } from '../../src/adapters/mock.ts';
import type { HttpMockServer, MemoryServer, StdioServer } from '../../src/adapters/mock-server/mock-server-types.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';

type Server = MemoryServer | HttpMockServer | StdioServer;

/** Connects a client that never answers an elicitation. `asked` resolves when it gets one. */
async function connectDeaf(server: Server) {
  const client = new Client({ name: 'deaf', version: '1' }, { capabilities: { elicitation: {} } });
  const asked = new Promise<void>((resolve) => {
    client.setRequestHandler(ElicitRequestSchema, () => {
      resolve();
      return new Promise(() => {});
    });
  });
  const { url, transport, command, args } = server as {
    url?: string;
    transport?: never;
    command: string;
    args: string[];
  };
  if (url !== undefined) await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  else await client.connect(transport ?? new StdioClientTransport({ command, args }));
  return { client, asked };
}

const PARAMS = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const UNANSWERED = [
  {
    kind: 'unanswered',
    text: 'The session ended before the client answered elicitation/create. Wait for the answer first. If none comes in time, see what the client does with the request.',
  },
];

it.each([
  ['memory', 'before'],
  ['memory', 'after'],
  ['http', 'before'],
  ['http', 'after'],
  ['stdio', 'before'],
  ['stdio', 'after'],
] as const)(
  'a request over %s that the client never answers fails the test: it closes %s the end',
  async (over, when) => {
    const server = await mockServer({ over, handlers: [] } as HttpOptions);
    const { client, asked } = await connectDeaf(server);
    const rejected = expect(server.request('elicitation/create', PARAMS)).rejects.toThrow('has not answered');
    await asked;
    if (when === 'before') await client.close();
    const closing = when === 'after' && over === 'stdio' ? rejected.then(() => client.close()) : undefined;
    const { failures } = await server.finish();
    await Promise.all([rejected, closing, client.close()]);
    expect(failures).toEqual(UNANSWERED);
  },
);

it('a request that a handler does not wait for fails the test, and an awaited one is part of its call', async () => {
  const server = await mockServer({
    handlers: [
      tool('forgets', (_, { elicit }) => {
        elicit(PARAMS).catch(() => {});
        return 'done';
      }),
      tool('waits', async (_, { elicit }) => (await elicit(PARAMS)).action),
    ],
  });
  const { client, asked } = await connectDeaf(server);
  await client.callTool({ name: 'forgets' });
  await asked;
  client.callTool({ name: 'waits' }).catch(() => {});
  await server.journal.waitFor('tools/call', { params: { name: 'waits' } });
  const { failures } = await server.finish();
  await client.close();
  const thrown = { kind: 'unanswered', text: expect.stringMatching(/"waits" .* still waits for the client's answer/) };
  expect(failures).toEqual([thrown, ...UNANSWERED]);
});

it("a missing answer is only reported with onDifference: 'report', and is a failure of mcp.server by default", async () => {
  const tolerant = await mockServer({ handlers: [], onDifference: 'report' });
  const first = await connectDeaf(tolerant);
  tolerant.request('elicitation/create', PARAMS).catch(() => {});
  await first.asked;
  expect(await tolerant.finish()).toMatchObject({ failed: false, findings: UNANSWERED });
  await first.client.close();
  const mcp = openMcp({ file: 'a.test.js', names: ['one'] });
  const server = await mcp.server({ handlers: [] });
  const second = await connectDeaf(server);
  server.request('elicitation/create', PARAMS).catch(() => {});
  await second.asked;
  await expect(mcp.finish({ passed: true })).rejects.toThrow(
    /the client gives no result for a request of the server\. [\s\S]*onDifference: 'report'/,
  );
  await second.client.close();
});
