import type { HttpResponse } from '../../../replay/http/requests/accept-or-refuse-request.ts';
import { mapChallengeUris } from '../../../transports/http/authorization/rewrite-challenge-uris.ts';
import type { Document, RecordedAuthorization, RecordedRefusal } from './recorded-flow.ts';

/** Members of recorded metadata that the mock server cannot keep true: signatures, and tokens bound to keys. */
const UNTRUE: ReadonlySet<string> = new Set([
  'signed_metadata',
  'mtls_endpoint_aliases',
  'dpop_signing_alg_values_supported',
  'dpop_bound_access_tokens_required',
  'tls_client_certificate_bound_access_tokens',
  'require_pushed_authorization_requests',
]);

/**
 * Returns recorded metadata with the addresses of the mock server. `own` has the mock server's members: those that the
 * recorded document has as well are replaced, and other addresses of the recorded server are left out. `always` has
 * members that do not depend on the recorded document.
 */
export function servedMetadata(recorded: Document, own: Document, always: Document): object {
  const isAddress = (name: string) => name.endsWith('_endpoint') || name === 'jwks_uri';
  const kept = Object.entries(recorded).flatMap(([name, value]): [string, unknown][] => {
    if (UNTRUE.has(name)) return [];
    if (Object.hasOwn(own, name)) return [[name, own[name]]];
    return isAddress(name) || Object.hasOwn(always, name) ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...always };
}

/** Returns a recorded refusal, with a challenge that names the metadata of the mock server at `metadata`. */
export function servedRefusal({ status, challenge, body }: RecordedRefusal, metadata: string): HttpResponse {
  const field = challenge && { 'www-authenticate': mapChallengeUris(challenge, () => metadata) };
  if (body === undefined) return { status, headers: { ...field } };
  return { status, headers: { ...field, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns `iss` of an authorization response (RFC 9207), or null if the recorded server names no issuer. */
export function issuerInRedirect({ namesIssuer, mismatched }: RecordedAuthorization, issuer: string): string | null {
  if (!namesIssuer) return null;
  return mismatched.iss ?? issuer + (mismatched.issSuffix ?? '');
}

/** Returns a parameter of a challenge (RFC 9110, 11.2). */
export function challengeParameter(challenge: string | undefined, name: string): string | undefined {
  const [, quoted, token] = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(challenge ?? '') ?? [];
  return quoted ?? token;
}
