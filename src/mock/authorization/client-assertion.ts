import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import type { KnownClient } from './authorization-options.ts';
import { OAuthRefusal } from './oauth-refusal.ts';

/** Value of `client_assertion_type` (RFC 7523, 2.2). */
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Signing algorithms accepted in client assertions. */
export const ASSERTION_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];

export interface AssertionContext {
  /** Accepted `aud` values of an assertion: the issuer and its token endpoint. */
  audience: readonly string[];
  date: Date;
  clientOf(id: string): KnownClient | undefined;
}

/**
 * Returns the id of a client that authenticates by a signed assertion (`private_key_jwt`). The signature is verified
 * only if the client's public key is configured.
 * @throws OAuthRefusal
 */
export async function assertedClient(form: URLSearchParams, context: AssertionContext): Promise<string> {
  const assertion = form.get('client_assertion') ?? '';
  if (form.get('client_assertion_type') !== TYPE)
    throw new OAuthRefusal('invalid_client', `"client_assertion_type" is ${TYPE}`);
  try {
    return await verified(assertion, context);
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error;
    throw new OAuthRefusal('invalid_client', `The client assertion is invalid: ${(error as Error).message}`);
  }
}

async function verified(assertion: string, { audience, date, clientOf }: AssertionContext): Promise<string> {
  const { sub = '', iss, aud, exp = 0 } = decodeJwt(assertion);
  const publicKey = clientOf(sub)?.publicKey;
  if (publicKey !== undefined) {
    const { alg = '' } = decodeProtectedHeader(assertion);
    const key = await importSPKI(publicKey, alg);
    const algorithms = [...ASSERTION_ALGORITHMS];
    await jwtVerify(assertion, key, { algorithms, currentDate: date });
  }
  if (sub === '' || iss !== sub) throw new Error('"iss" and "sub" are the client');
  if (![aud].flat().some((one) => one !== undefined && audience.includes(one)))
    throw new Error(`"aud" is ${audience.join(' or ')}`);
  if (exp * 1000 <= date.getTime()) throw new Error('it expired');
  return sub;
}
