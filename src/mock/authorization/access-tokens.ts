import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';

/** Claims of an access token (RFC 9068). */
export interface AccessTokenClaims {
  issuer: string;
  /** Resource URI of the token's `aud` claim (RFC 8707). */
  audience: string;
  client: string;
  scopes: readonly string[];
  /** Id of the token's grant. */
  grant: string;
}

/** Grant and scopes of a valid token, or the reason for its rejection. */
export type VerifiedToken = { grant: string; scopes: readonly string[] } | { why: string };

const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';

/** Signs and verifies access tokens with its own key pair. */
export class AccessTokens {
  /** JSON Web Key Set with the public key (RFC 7517, 5). */
  readonly keySet: { keys: JWK[] };
  readonly #keys: GenerateKeyPairResult;
  readonly #clock: Clock;

  private constructor(keys: GenerateKeyPairResult, publicKey: JWK, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
    this.keySet = { keys: [{ ...publicKey, kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] };
  }

  /** Generates a key pair. */
  static async create(clock: Clock): Promise<AccessTokens> {
    const keys = await generateKeyPair(ALGORITHM);
    return new AccessTokens(keys, await exportJWK(keys.publicKey), clock);
  }

  /** Returns a token that is valid for `lifetime` seconds. */
  sign({ issuer, audience, client, scopes, grant }: AccessTokenClaims, lifetime: number): Promise<string> {
    const now = this.#now();
    return new SignJWT({ client_id: client, scope: scopes.join(' '), grant })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: KEY_ID })
      .setIssuer(issuer)
      .setSubject('user')
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .setJti(unguessable())
      .sign(this.#keys.privateKey);
  }

  /** Verifies a token's signature, issuer, audience (one of `audience`) and expiry. */
  async verify(
    token: string,
    { issuer, audience }: { issuer: string; audience: readonly string[] },
  ): Promise<VerifiedToken> {
    try {
      const { payload } = await jwtVerify(token, this.#keys.publicKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer,
        audience: [...audience],
        requiredClaims: ['exp'],
        currentDate: this.#clock.date(),
      });
      return {
        grant: String(payload.grant),
        scopes: String(payload.scope ?? '')
          .split(' ')
          .filter((scope) => scope !== ''),
      };
    } catch (error) {
      const { code, claim } = error as { code?: string; claim?: string };
      if (code === 'ERR_JWT_EXPIRED') return { why: 'The access token expired' };
      if (claim === 'aud') return { why: 'The access token was issued for another resource' };
      return { why: 'The access token was not issued by this authorization server' };
    }
  }

  #now(): number {
    return Math.floor(this.#clock.date().getTime() / 1000);
  }
}

const KEY_ID = 'mock';
