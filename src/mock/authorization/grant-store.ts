import { unguessable } from '../../kernel/random.ts';
import type { KnownClient } from './authorization-options.ts';

/** What a client was authorized to. */
export interface Grant {
  client: string;
  scopes: readonly string[];
  /** The resource that its tokens are for (RFC 8707). */
  resource: string;
}

/** An authorization code, and what has to come with it. */
export interface Code extends Grant {
  redirectUri: string;
  /** Of a verifier (RFC 7636, 4.2). */
  challenge: string;
  /** When it was issued, in milliseconds of the clock. */
  issuedAt: number;
  /** The grant that it was exchanged for. */
  grant?: string;
}

/** A refresh token. */
interface RefreshToken {
  grant: string;
  isUsed: boolean;
}

/** So many clients, codes, grants and refresh tokens are remembered each: of more, the oldest is forgotten. */
export const GRANTS_MAX: number = 10_000;

/** Remembers what a mock authorization server has issued, until it is reset. */
export class GrantStore {
  readonly #clients = new Map<string, KnownClient>();
  readonly #codes = new Map<string, Code>();
  readonly #grants = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, RefreshToken>();

  /** Forgets everything: no code or token that was issued is good any more. */
  reset(): void {
    for (const map of [this.#clients, this.#codes, this.#grants, this.#refreshTokens]) map.clear();
  }

  addClient(client: KnownClient): void {
    add(this.#clients, client.id, client);
  }

  client(id: string): KnownClient | undefined {
    return this.#clients.get(id);
  }

  /** Returns a code that stands for what is granted. */
  addCode(code: Code): string {
    return add(this.#codes, unguessable(), code);
  }

  code(text: string): Code | undefined {
    return this.#codes.get(text);
  }

  /** Returns the id of a grant. */
  addGrant(grant: Grant): string {
    return add(this.#grants, unguessable(), grant);
  }

  /** Returns a grant that was not revoked. */
  grant(id: string): Grant | undefined {
    return this.#grants.get(id);
  }

  /** Ends a grant, with all of its tokens. */
  revoke(id: string): void {
    this.#grants.delete(id);
  }

  /** Returns a refresh token of a grant. */
  addRefreshToken(grant: string): string {
    return add(this.#refreshTokens, unguessable(), { grant, isUsed: false });
  }

  refreshToken(text: string): RefreshToken | undefined {
    return this.#refreshTokens.get(text);
  }
}

function add<Value>(map: Map<string, Value>, key: string, value: Value): string {
  map.set(key, value);
  if (map.size > GRANTS_MAX) map.delete(map.keys().next().value!);
  return key;
}
