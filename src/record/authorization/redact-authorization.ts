import type { AuthorizationExchange } from '../../cassette/authorization-exchange.ts';
import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import type { AuthorizationFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { isBuiltInName } from '../../redact/rules/placeholders-without-rule.ts';

/**
 * Members of requests and responses that are no secrets (RFC 6749, 7591, 7636, 8693, 8707, 9207). The values of all other
 * members become placeholders, so that a member that is unknown today never reaches a cassette.
 */
const OPEN_MEMBERS: ReadonlySet<string> = new Set([
  ...['response_type', 'response_mode', 'grant_type', 'scope', 'resource', 'audience', 'prompt', 'iss'],
  ...['client_id', 'redirect_uri', 'code_challenge_method', 'client_assertion_type', 'request_uri_type'],
  ...['token_type', 'expires_in', 'refresh_expires_in', 'issued_token_type', 'subject_token_type'],
  ...['error', 'error_description', 'error_uri'],
  ...['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'application_type'],
  ...['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'contacts', 'software_id', 'software_version'],
  ...['client_id_issued_at', 'client_secret_expires_at'],
]);

/** Documents that are public, but for a signed copy of themselves. */
const PUBLIC: ReadonlySet<AuthorizationExchange['request']> = new Set([
  'oauth/resource-metadata',
  'oauth/server-metadata',
  'mcp',
]);

/** Returns the placeholder of a secret with the given name. */
export type Conceal = (name: string, secret: string) => string;

/**
 * Returns the frame of an exchange with placeholders in place of its secrets. Values that YAML cannot hold, such as
 * deeply nested ones, are left out.
 */
export function authorizationFrame(
  exchange: AuthorizationExchange,
  at: Milliseconds,
  conceal: Conceal,
): AuthorizationFrame {
  const isOpen = (name: string) => OPEN_MEMBERS.has(name);
  const isOpenInResponse = PUBLIC.has(exchange.request) ? (name: string) => name !== 'signed_metadata' : isOpen;
  const { request, url, method, tool, scheme, parameters, status, challenge, response } = exchange;
  const plain = { request, url, method, tool, scheme, status, challenge };
  const said = { scheme, parameters: withoutSecrets(parameters, isOpen, conceal) };
  const answered = { status, challenge, response: withoutSecrets(response, isOpenInResponse, conceal) };
  const json = JSON.stringify({ request, url, method, tool, ...said, ...answered });
  const text = jsonToYaml(json, 0) === undefined ? JSON.stringify(plain) : json;
  return { kind: 'authorization', at, from: 'client', json: new JsonText(text) };
}

/** Conceals all texts and numbers of a member that is not open. A list is open as its member is. */
function withoutSecrets(value: unknown, isOpen: (name: string) => boolean, conceal: Conceal): unknown {
  if (!isObject(value)) return isOpen('') || value === undefined ? value : concealedIn('response', value, conceal);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      isOpen(name) ? [name, member] : [shownName(name), concealedIn(shownName(name), member, conceal)],
    ),
  );
}

function concealedIn(name: string, value: unknown, conceal: Conceal): unknown {
  if (value === null || typeof value === 'boolean') return value;
  return conceal(secretName(name), typeof value === 'string' ? value : JSON.stringify(value));
}

/** Returns the name in a placeholder. It never looks like that of a user's rule, which a check would ask for. */
function secretName(member: string): string {
  return [member, `${member}_secret`].find(isBuiltInName) ?? 'authorization';
}

/** Returns a name as it is shown. A long one may be a secret itself. */
function shownName(name: string): string {
  return /^[A-Za-z][\w.-]{0,39}$/.test(name) ? name : 'unknown';
}
