import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockClient } from '../../src/adapters/mock.ts';
import { serverTests, verifyServer, withMcp } from '../../src/adapters/testing.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';

/** What failures of tests advise about a server over HTTP: tests have no command line, so they name no option of it. */

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const servers: (Server | TcpServer)[] = [];
beforeAll(() => recordSession(cassette));
afterAll(() => servers.forEach((one) => void one.close()));

async function portOf(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const refusing = (status: number) =>
  portOf(createServer((_, response: ServerResponse) => void response.writeHead(status).end()));
const garbage = () => portOf(createTcpServer((socket) => void socket.on('error', () => {}).end('no HTTP\r\n\r\n')));

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const local = async (port: Promise<number>) => `http://127.0.0.1:${await port}/mcp`;
const CASES: [name: string, url: () => Promise<string>, advice: RegExp][] = [
  [
    'refuses the client',
    () => local(refusing(401)),
    /credentials, for example headers: \{ authorization: 'Bearer …' \}/,
  ],
  ['refuses the client for ever', () => local(refusing(403)), /headers: \{ authorization/],
  ['is at another path', () => local(refusing(404)), /Check the path of the URL/],
  ['speaks no HTTP', () => local(garbage()), /Check the url that the test gives, its scheme and its port/],
  ['is not there', () => local(closedPort()), /check the url that the test gives.*NODE_EXTRA_CA_CERTS/],
  ['has a password in its URL', async () => 'http://me:mine@127.0.0.1:9/mcp', /headers: \{ authorization/],
];

/** Options of the command line outside of the command lines that the advice prints. */
const optionsIn = (text: string) => text.replaceAll(/npx mcp-record.*/g, '').match(/--[a-z][a-z-]*/g) ?? [];
const messageOf = (run: () => unknown) =>
  Promise.resolve()
    .then(run)
    .then(
      () => 'nothing was wrong',
      ({ message }: Error) => message,
    );

describe.each(CASES)('a server that %s', (_, urlOf, advice) => {
  it('is judged with the words of a test by testServer and verifyServer', async () => {
    const url = await urlOf();
    const said = [
      await messageOf(serverTests(cassette, () => ({ url }), { patience: 200 })[0]!.run),
      await messageOf(() => verifyServer(cassette, { url }, { patience: 200 })),
    ];
    for (const message of said) {
      expect(message).toMatch(advice);
      expect(optionsIn(message)).toEqual([]);
    }
  });

  it('is named without options of the command line by mockClient and mcp.connect', async () => {
    const url = await urlOf();
    const owner = { file: join(folder, 'a.test.ts'), names: [url] };
    const connects = () =>
      withMcp(owner, async (mcp) => {
        const transport = await mcp.connect({ url }, { mode: 'record' });
        const closed = new Promise<void>((resolve) => {
          transport.onclose = resolve;
          transport.onmessage = () => resolve();
        });
        await transport.start();
        await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
        await closed;
      });
    const called = await messageOf(() => mockClient({ server: { url } }));
    expect(called).not.toBe('nothing was wrong');
    for (const message of [called, await messageOf(connects)]) expect(optionsIn(message)).toEqual([]);
  });
});
