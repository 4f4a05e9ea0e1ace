import * as client2 from '@modelcontextprotocol/client';
import * as sdk1 from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { client2Over } from '../session/client-2.ts';
import type { Peer } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

export const BACK = 'http://127.0.0.1:1/back';

const SECRETS = new Set(['client_secret', 'access_token', 'refresh_token', 'verifier']);

/** An application that has nothing at first, and keeps what it is given. Its user agrees to everything. */
export class Application {
  readonly clientMetadata = { client_name: 'application', redirect_uris: [BACK] };
  readonly redirectUrl = BACK;
  /** What it was given, by what it is. */
  readonly kept: Record<string, unknown> = {};
  /** What the browser was sent back with. */
  answer = new URLSearchParams();
  readonly #cookie: string;
  readonly #passed: string[] = [];

  /** @param cookie of its user's browser */
  constructor(cookie = '') {
    this.#cookie = cookie;
  }

  state = () => 'planted-state';
  clientInformation = () => this.kept.client as never;
  saveClientInformation = (client: unknown) => this.#keep('client', client);
  tokens = () => this.kept.tokens as never;
  saveTokens = (tokens: unknown) => this.#keep('tokens', tokens);
  codeVerifier = () => this.kept.verifier as string;
  saveCodeVerifier = (verifier: string) => this.#keep('verifier', verifier);
  discoveryState = () => this.kept.discovery as never;
  saveDiscoveryState = (state: unknown) => this.#keep('discovery', state);

  async redirectToAuthorization(url: URL): Promise<void> {
    let next = url.href;
    while (!next.startsWith(BACK)) {
      const page = await fetch(next, { redirect: 'manual', headers: { cookie: this.#cookie } });
      const location = page.headers.get('location');
      if (location === null) throw new Error(`The browser shows: ${await page.text()}`);
      next = new URL(location, next).href;
    }
    this.answer = new URL(next).searchParams;
    this.#passed.push(this.answer.get('code') ?? '', this.answer.get('state') ?? '');
  }

  /** Every secret that it was given, sent, or made up. */
  get secrets(): readonly string[] {
    return this.#passed.filter((secret) => secret !== '');
  }

  #keep(what: string, value: unknown): void {
    this.kept[what] = value;
    if (what === 'discovery') return;
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [[what, value] as const];
    this.#passed.push(
      ...members.flatMap(([name, text]) => (SECRETS.has(name) && typeof text === 'string' ? [text] : [])),
    );
  }
}

export interface Client {
  name: string;
  /** Connects; the first time it is turned away with nothing but a code. */
  connect(url: URL, application: Application): Promise<Peer>;
  finish(url: URL, application: Application): Promise<void>;
  refresh(url: URL, application: Application): Promise<string>;
}

export const clients: readonly Client[] = [
  {
    name: 'SDK 1',
    connect: (url, authProvider) => sdk1Over(new StreamableHTTPClientTransport(url, { authProvider })),
    finish: (url, authProvider) =>
      new StreamableHTTPClientTransport(url, { authProvider }).finishAuth(authProvider.answer.get('code') ?? ''),
    refresh: (serverUrl, provider) => sdk1.auth(provider, { serverUrl }),
  },
  {
    name: 'client 2',
    connect: (url, authProvider) => client2Over(new client2.StreamableHTTPClientTransport(url, { authProvider })),
    finish: (url, authProvider) =>
      new client2.StreamableHTTPClientTransport(url, { authProvider }).finishAuth(authProvider.answer),
    refresh: (serverUrl, provider) => client2.auth(provider, { serverUrl }),
  },
];

export const constellations: readonly { where: 'same' | 'other'; client: Client; name: string }[] = clients.flatMap(
  (client) => (['same', 'other'] as const).map((where) => ({ where, client, name: client.name })),
);
