/**
 * `login.js sdk-1|sdk-1-checked|client-2 URL`: a client on an official SDK that logs in with a code, and prints what it got.
 * The user's browser is a request that does not follow the redirect. SDK 1 does not know `iss` of RFC 9207:
 * `sdk-1-checked` compares it with the issuer itself (2.4), before it gives the SDK the code.
 */
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { discoverOAuthServerInfo } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , kind, address] = process.argv;
const url = new URL(address);
const [Client, Transport] = kind === 'client-2' ? [Client2, Transport2] : [Client1, Transport1];

/** Keeps what a client stores, and follows the user to the authorization server. */
class Provider {
  redirectUrl = 'http://127.0.0.1:1/callback';
  clientMetadata = {
    client_name: 'login',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  #kept = {};
  /** Params of the redirect back to the client. */
  callback;
  state = () => 'state-of-this-login';
  clientInformation = () => this.#kept.client;
  saveClientInformation(client) {
    this.#kept.client = client;
  }
  tokens = () => this.#kept.tokens;
  saveTokens(tokens) {
    this.#kept.tokens = tokens;
  }
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier(verifier) {
    this.#kept.verifier = verifier;
  }
  async redirectToAuthorization(page) {
    const { headers } = await fetch(page, { redirect: 'manual' });
    this.callback = new URL(headers.get('location')).searchParams;
  }
}

async function checkIssuer(params) {
  const { authorizationServerMetadata: metadata } = await discoverOAuthServerInfo(url);
  const iss = params.get('iss');
  if (iss !== metadata.issuer) throw new Error(`the issuer ${iss} is not ${metadata.issuer}`);
}

const got = [];
try {
  const authProvider = new Provider();
  const first = new Transport(url, { authProvider });
  const unauthorized = await new Client({ name: 'login', version: '1' }).connect(first).catch((error) => error);
  if (authProvider.callback === undefined) throw unauthorized;
  if (kind === 'sdk-1-checked') await checkIssuer(authProvider.callback);
  await first.finishAuth(kind === 'client-2' ? authProvider.callback : authProvider.callback.get('code'));
  const client = new Client({ name: 'login', version: '1' });
  await client.connect(new Transport(url, { authProvider }));
  got.push(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }));
  await client.close();
} catch (error) {
  got.push(`${error.name} ${error.message} ${error.cause?.code ?? ''}`);
  process.exitCode = 3;
}
console.log(JSON.stringify(got));
