import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type MockClientOptions, mockClient } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';

const introduction = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'a', version: '1' },
};

/** A server process that answers every request. `answers` and `atEnd` are code: of a request, and of the input's end. */
function program({ answers = '', atEnd = '' }: { answers?: string; atEnd?: string }): TestedServer {
  const code = `
    const results = { initialize: ${JSON.stringify(introduction)} };
    const answer = (id, method) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      ${answers}
      if (id !== undefined) answer(id, method);
    }).on('close', () => { ${atEnd} });`;
  return { command: process.execPath, args: ['-e', code] };
}

/** Calls a server once, and returns what fails the test. */
async function failures(server: TestedServer, options: Omit<MockClientOptions, 'server'> = {}): Promise<string[]> {
  const client = await mockClient({ server, ...options });
  await client.request('ping');
  return (await client.finish()).failures.map(({ kind, text }) => `${kind}: ${text}`);
}

describe('a mock client sends number ids from 0, as clients of the official SDKs do', () => {
  const seen = program({ answers: '(results.ping ??= { ids: [] }).ids.push(id);' });
  const idsOf = async (options: Omit<MockClientOptions, 'server'>) => {
    const client = await mockClient({ server: seen, ...options });
    await client.request('ping');
    const { ids } = await client.request('ping');
    expect(await client.finish()).toMatchObject({ failed: false });
    return ids;
  };

  it('so that a server that loses them fails the test', async () => {
    expect(await idsOf({})).toEqual([0, null, 1, 2]);
    const loses = program({ answers: 'if (typeof id === "number" && method === "ping") return;' });
    const client = await mockClient({ server: loses });
    const lost = { code: 'MOCK_NO_ANSWER' };
    await expect(client.request('ping', {}, { timeout: 100 })).rejects.toMatchObject(lost);
    await client.finish();
  });

  it('or strings, if the test says so', async () => {
    expect(await idsOf({ requestIds: 'string' })).toEqual([
      'mcp-record:mock:1',
      null,
      'mcp-record:mock:2',
      'mcp-record:mock:3',
    ]);
  });
});

describe('a mock client finds of a server process', () => {
  it.each<[string, Parameters<typeof program>[0], string[]]>([
    ['nothing, if it ends with its input', {}, []],
    ['nothing, if it ends by SIGTERM', { atEnd: 'setInterval(() => {}, 1000)' }, []],
    [
      'that it ends with another status than 0',
      { atEnd: 'console.error("no disk"); process.exitCode = 3' },
      ['differs: The server ended with 3 after its input had ended.\n    no disk'],
    ],
    [
      'such a status, and shows its standard error without secrets',
      {
        atEnd: `console.error("password=correct-horse-9\\ntoken ${'ghp_'}1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTuVwXyZ"); process.exitCode = 3`,
      },
      [
        'differs: The server ended with 3 after its input had ended.\n    password=[redacted:password:1]\n    token [redacted:github-token:1]',
      ],
    ],
    [
      'that it needs SIGKILL',
      { atEnd: 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)' },
      ['differs: The server did not end after its input had ended, nor after SIGTERM: it needed SIGKILL.'],
    ],
    [
      'that it writes lines that are no messages',
      { answers: 'if (method === "ping") { console.log("ready"); console.log("{") }' },
      ['differs: The server sent 2 lines that are no messages, the first of them "ready", on its standard output.'],
    ],
  ])('%s', { timeout: 20_000 }, async (_, code, expected) => {
    expect(await failures(program(code))).toEqual(expected);
  });

  it('what onDifference lets pass', async () => {
    const server = program({ answers: 'console.log("ready")', atEnd: 'process.exitCode = 3' });
    const client = await mockClient({ server, onDifference: 'report' });
    expect(await client.finish()).toMatchObject({
      failed: false,
      findings: [{ kind: 'differs' }, { kind: 'differs' }],
    });
  });
});

describe('a mock client finds of a server over HTTP', () => {
  let listener: Server | undefined;
  afterEach(() => {
    listener?.closeAllConnections();
    listener?.close();
  });

  /** A server over HTTP that answers requests, and what else it likes to notifications. */
  async function serverOf(notified: (response: ServerResponse) => void): Promise<TestedServer> {
    listener = createServer(async (request: IncomingMessage, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      if (id === undefined) return notified(response);
      const result = method === 'initialize' ? introduction : {};
      const json = { 'content-type': 'application/json' };
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    await new Promise<void>((resolve) => listener!.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(listener!.address() as AddressInfo).port}/mcp` };
  }

  const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } });
  const refuses = "differs: The client's notifications/initialized was refused with HTTP";
  it.each<[string, (response: ServerResponse) => void, string[]]>([
    ['nothing, if it accepts notifications', (response) => response.writeHead(202).end(), []],
    [
      'that it refuses them by a status',
      (response) => response.writeHead(500).end(),
      [`${refuses} 500 Internal Server Error: clients fail to send it.`],
    ],
    [
      'that it refuses them by a status with an error',
      (response) => response.writeHead(400).end(refusal),
      [`${refuses} 400 Bad Request: error -32600 "no": clients fail to send it.`],
    ],
    [
      'that it answers them by an error',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(refusal),
      [`stray: A response came to no open request: ${refusal}`],
    ],
    [
      'that it closes the connection',
      (response) => response.socket?.destroy(),
      [
        "differs: The client's notifications/initialized was not accepted: the connection was closed before there was a message: clients fail to send it.",
      ],
    ],
    [
      'that it sends no response',
      () => {},
      ["differs: The client's notifications/initialized got no HTTP response: clients wait for one."],
    ],
  ])('%s', { timeout: 20_000 }, async (_, notified, expected) => {
    const found = await failures(await serverOf(notified));
    expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it('nothing, if it accepts a notification late', async () => {
    let accept = () => {};
    const server = await serverOf((response) => {
      accept = () => void response.writeHead(202).end();
    });
    const client = await mockClient({ server });
    await client.request('ping');
    const finished = client.finish();
    accept();
    expect(await finished).toMatchObject({ failures: [] });
  });
});

it.each([401, 403])(
  'the error of a server that refuses its client with %i says where the credentials belong',
  async (status) => {
    const server = createServer((_, response) => response.writeHead(status).end('no')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = mockClient({ server: { url: `http://127.0.0.1:${port}/mcp` } });
    await expect(refused).rejects.toThrow(/HTTP 40[13] .*headers: \{ authorization: .*\[HTTP_UNAUTHORIZED\]/);
    server.close();
  },
);
