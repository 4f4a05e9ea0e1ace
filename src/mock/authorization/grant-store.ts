import { unguessable } from '../../kernel/random.ts';
import type { KnownClient } from './authorization-options.ts';

/** Client, scopes and resource of an authorization. */
export interface Grant {
  client: string;
  scopes: readonly string[];
  /** Resource URI of the grant's tokens (RFC 8707). */
  resource: string;
}

/** An authorization code, with the values that the token request has to match. */
export interface Code extends Grant {
  redirectUri: string;
  /** PKCE code challenge (RFC 7636, 4.2). */
  challenge: string;
  /** Issue time, in milliseconds of the clock. */
  issuedAt: number;
  /** Id of the grant created by the token request. */
  grant?: string;
  /** Why the token request was refused. */
  refused?: string;
}

/** A refresh token. */
export interface RefreshToken {
  grant: string;
  isUsed: boolean;
}

/**
 * Maximum number of entries for each of clients, codes, grants and refresh tokens. The oldest entry is dropped first.
 */
export const GRANTS_MAX: number = 10_000;

/** Stores clients, codes, grants and refresh tokens of a mock authorization server until its reset. */
export class GrantStore {
  readonly #clients = new Map<string, KnownClient>();
  readonly #codes = new Map<string, Code>();
  readonly #grants = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, RefreshToken>();
  /** Reasons, by the revoked grant. */
  readonly #revoked = new Map<string, string>();

  /** Forgets everything: issued codes and tokens become invalid. */
  reset(): void {
    for (const map of [this.#clients, this.#codes, this.#grants, this.#refreshTokens, this.#revoked]) map.clear();
  }

  addClient(client: KnownClient): void {
    add(this.#clients, client.id, client);
  }

  client(id: string): KnownClient | undefined {
    return this.#clients.get(id);
  }

  /** Stores a code. Returns its text. */
  addCode(code: Code): string {
    return add(this.#codes, unguessable(), code);
  }

  code(text: string): Code | undefined {
    return this.#codes.get(text);
  }

  /** Stores a grant. Returns its id. */
  addGrant(grant: Grant): string {
    return add(this.#grants, unguessable(), grant);
  }

  /** Returns a grant, unless it was revoked. */
  grant(id: string): Grant | undefined {
    return this.#grants.get(id);
  }

  /** Revokes a grant with all its tokens. The first reason counts. */
  revoke(id: string, why: string): void {
    this.#grants.delete(id);
    if (!this.#revoked.has(id)) add(this.#revoked, id, why);
  }

  /** Returns why a grant was revoked. Undefined: it was not. */
  whyRevoked(id: string): string | undefined {
    return this.#revoked.get(id);
  }

  /** Issues a refresh token for a grant. Returns its text. */
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
