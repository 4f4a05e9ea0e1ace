import * as client2 from '@modelcontextprotocol/client';
import * as sdk1 from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { client2Over } from '../../e2e/session/client-2.ts';
import type { Peer, TransportLike } from '../../e2e/session/peer.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';

export const BACK = 'http://127.0.0.1:1/back';

/** An application that has nothing at first, and keeps what it is given. Its user agrees to everything. */
export class Application {
  readonly clientMetadata = { client_name: 'application', redirect_uris: [BACK], token_endpoint_auth_method: 'none' };
  readonly redirectUrl = BACK;
  /** What it was given, by what it is. */
  readonly kept: Record<string, unknown> = {};
  /** What the browser was sent back with. */
  answer = new URLSearchParams();
  /** How often its user was asked. */
  asked = 0;
  /** How often it was given tokens. */
  given = 0;

  state = () => 'some-state';
  clientInformation = () => this.kept.client as never;
  saveClientInformation = (client: unknown) => this.#keep('client', client);
  tokens = () => this.kept.tokens as never;
  saveTokens = (tokens: unknown) => {
    this.given++;
    this.#keep('tokens', tokens);
  };
  codeVerifier = () => this.kept.verifier as string;
  saveCodeVerifier = (verifier: string) => this.#keep('verifier', verifier);
  discoveryState = () => this.kept.discovery as never;
  saveDiscoveryState = (state: unknown) => this.#keep('discovery', state);

  invalidateCredentials(scope: string): void {
    for (const one of scope === 'all' ? ['client', 'tokens', 'verifier', 'discovery'] : [scope]) delete this.kept[one];
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked++;
    const page = await fetch(url, { redirect: 'manual' });
    const location = page.headers.get('location');
    if (location === null) throw new Error(`The browser shows: ${await page.text()}`);
    this.answer = new URL(location).searchParams;
  }

  #keep(what: string, value: unknown): void {
    this.kept[what] = value;
  }
}

/** A transport of an official client, which goes on where its user has agreed. */
export interface AuthorizedTransport extends TransportLike {
  finish(application: Application): Promise<void>;
}

/** The official clients, with what authorizes them. */
export const CLIENTS = {
  'SDK 1': {
    transport: (url: string, authProvider: Application): AuthorizedTransport => {
      const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
      return Object.assign(transport, {
        finish: ({ answer }: Application) => transport.finishAuth(answer.get('code') ?? ''),
      });
    },
    over: (transport: TransportLike): Promise<Peer> => sdk1Over(transport),
    auth: (serverUrl: string, provider: Application) => sdk1.auth(provider, { serverUrl }),
  },
  'client 2': {
    transport: (url: string, authProvider: Application): AuthorizedTransport => {
      const transport = new client2.StreamableHTTPClientTransport(new URL(url), { authProvider });
      return Object.assign(transport, { finish: ({ answer }: Application) => transport.finishAuth(answer) });
    },
    over: (transport: TransportLike): Promise<Peer> => client2Over(transport),
    auth: (serverUrl: string, provider: Application) => client2.auth(provider, { serverUrl }),
  },
};
export type ClientName = keyof typeof CLIENTS;
export const NAMES = Object.keys(CLIENTS) as ClientName[];

/** An application with its connection, which asks its user wherever it is told that it is unauthorized. */
export class Connected implements AsyncDisposable {
  readonly application: Application;
  readonly #name: ClientName;
  readonly #url: string;
  #transport: AuthorizedTransport;
  #peer!: Peer;

  constructor(name: ClientName, url: string, application = new Application()) {
    this.application = application;
    this.#name = name;
    this.#url = url;
    this.#transport = CLIENTS[name].transport(url, application);
  }

  /** Connects. */
  async open(): Promise<this> {
    const { over, transport } = CLIENTS[this.#name];
    try {
      this.#peer = await over(this.#transport);
    } catch (error) {
      await this.#authorized(error);
      this.#transport = transport(this.#url, this.application);
      this.#peer = await over(this.#transport);
    }
    return this;
  }

  /** Calls a tool, and returns the text of its answer. */
  async call(name: string): Promise<string> {
    const call = async () => {
      const result = await this.#peer.request('tools/call', { name, arguments: {} });
      return (result as { content: { text: string }[] }).content[0]!.text;
    };
    return call().catch(async (error: unknown) => {
      await this.#authorized(error);
      return call();
    });
  }

  /** Exchanges the code, where the user was asked. */
  async #authorized(error: unknown): Promise<void> {
    const { application } = this;
    if ((error as Error).constructor.name !== 'UnauthorizedError' || !application.answer.has('code')) throw error;
    await this.#transport.finish(application);
    application.answer = new URLSearchParams();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#peer?.close();
  }
}
