import { parseJson } from '../../../protocol/json-text.ts';
import { isObject } from '../../../protocol/message.ts';

/** Mapping from the server's addresses to the proxy's. */
export interface AddressMapping {
  /** Records an address that the client will use. */
  named(uri: string): void;
  /** Returns the address to tell the client. */
  through(uri: string, as: 'client' | 'browser'): string;
}

/** Authorization server as described by its metadata. */
export interface Issuer {
  /** Value of `iss` in its responses (RFC 9207). */
  name: string;
  authorizationEndpoint: string;
  /** Whether its metadata announces `iss` in responses. */
  namesItself: boolean;
}

/** Rewritten metadata, its issuer, and the reason for a refusal. */
export interface RewrittenMetadata {
  text: string;
  issuer?: Issuer;
  refusal?: string;
}

type Document = Record<string, unknown>;

/** DPoP proofs contain the URL of the request, and the proxy's URL differs. */
const BOUND = 'tokens are bound by DPoP to the address of the server, and the client knows that of the recorder';

/** Client authentication methods that sign the address of the authorization server. */
const SIGNED = ['private_key_jwt', 'client_secret_jwt'];

/**
 * Rewrites the metadata of a protected resource (RFC 9728) or of an authorization server (RFC 8414, OpenID Connect
 * Discovery) to the proxy's addresses. Any other text stays unchanged.
 */
export function rewriteMetadata(text: string, finding: AddressMapping): RewrittenMetadata {
  const document = parseJson(text);
  if (!isObject(document)) return { text };
  if (typeof document.resource === 'string') return resourceThrough(document, document.resource, finding);
  return typeof document.issuer === 'string' ? issuerThrough(document, document.issuer, finding) : { text };
}

function resourceThrough(document: Document, resource: string, { named, through }: AddressMapping): RewrittenMetadata {
  const servers = stringsIn(document.authorization_servers);
  for (const server of servers) named(server);
  const text = textOf({
    ...document,
    resource: through(resource, 'client'),
    ...(servers.length > 0 && { authorization_servers: servers.map((server) => through(server, 'client')) }),
  });
  return { text, ...(document.dpop_bound_access_tokens_required === true && { refusal: BOUND }) };
}

function issuerThrough(document: Document, issuer: string, { named, through }: AddressMapping): RewrittenMetadata {
  const changed: Document = { ...document };
  for (const [name, value] of Object.entries(document)) {
    if (!name.endsWith('_endpoint') || typeof value !== 'string') continue;
    named(value);
    changed[name] = through(value, SHOWN.has(name) ? 'browser' : 'client');
  }
  changed.issuer = through(issuer, 'client');
  const methods = stringsIn(document.token_endpoint_auth_methods_supported);
  if (methods.length > 0)
    changed.token_endpoint_auth_methods_supported = methods.filter((method) => !SIGNED.includes(method));
  const text = textOf(changed);
  const { authorization_endpoint: authorizationEndpoint } = document;
  if (typeof authorizationEndpoint !== 'string') return { text };
  const namesItself = document.authorization_response_iss_parameter_supported === true;
  return { text, issuer: { name: issuer, authorizationEndpoint, namesItself } };
}

/** Endpoints for browsers, whose pages have their own forms and cookies. */
const SHOWN: ReadonlySet<string> = new Set(['authorization_endpoint', 'end_session_endpoint']);

/** Members that rewriting would invalidate: signatures of the document, and proofs of addresses. */
const UNTRUE = ['signed_metadata', 'dpop_signing_alg_values_supported', 'mtls_endpoint_aliases'];

function textOf(document: Document): string {
  return JSON.stringify(document, (name, value) => (UNTRUE.includes(name) ? undefined : value));
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
