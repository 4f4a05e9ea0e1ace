/**
 * `client.js sdk-1|sse-1|client-2|assertion-1|authorized URL`: a client on an official SDK, with nothing but Node's own `fetch`, prints what
 * it got. `authorized` has an access token that is bound to its key (DPoP), which it gets by a signed assertion
 * (private_key_jwt). `assertion-1` does the latter alone, on SDK 1, which has no DPoP. They take the key of the assertion from
 * CLIENT_KEY.
 */
import {
  Client as Client2,
  DpopSession,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client';
import { PrivateKeyJwtProvider as PrivateKeyJwtProvider1 } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , kind, address] = process.argv;
const url = new URL(address);
const about = { name: 'proxied', version: '1' };

class BoundProvider extends PrivateKeyJwtProvider {
  #session = DpopSession.create();
  dpop() {
    return this.#session;
  }
}

function connection() {
  if (kind === 'sdk-1') {
    const requestInit = { headers: { Authorization: `Bearer ${process.env.TOKEN}` } };
    return [new Client1(about), new Transport1(url, { requestInit })];
  }
  if (kind === 'sse-1') return [new Client1(about), new SSEClientTransport(url)];
  const key = { clientId: 'proxied', privateKey: process.env.CLIENT_KEY, algorithm: 'ES256' };
  if (kind === 'assertion-1')
    return [new Client1(about), new Transport1(url, { authProvider: new PrivateKeyJwtProvider1(key) })];
  const authProvider =
    kind === 'authorized' ? new BoundProvider({ ...key, expectedIssuer: process.env.ISSUER }) : undefined;
  return [new Client2(about), new Transport2(url, { authProvider })];
}

const [client, transport] = connection();
const got = [];
try {
  await client.connect(transport);
  got.push((await client.listTools()).tools.map(({ name }) => name));
  got.push(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }));
  got.push(await client.callTool({ name: 'logs', arguments: { lines: ['one', 'two'] } }));
  await transport.terminateSession?.();
  await client.close();
} catch (error) {
  got.push(`${error.message} ${error.cause?.code ?? ''}`);
  process.exitCode = 3;
}
console.log(JSON.stringify(got));
