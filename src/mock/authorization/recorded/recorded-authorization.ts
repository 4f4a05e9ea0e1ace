import type { AuthorizationExchange } from '../../../cassette/authorization-exchange.ts';
import type { Cassette } from '../../../cassette/cassette.ts';
import { isObject } from '../../../protocol/message.ts';
import type { AuthorizationOptions, ConfiguredByRecording } from '../authorization-options.ts';
import {
  type Document,
  type MismatchedNames,
  type RecordedAuthorization,
  type RecordedRefusal,
  type RecordedStepUp,
  scopeKey,
} from './recorded-flow.ts';
import { challengeParameter } from './recorded-metadata.ts';

type Exchange = AuthorizationExchange;

/** Returns what the authorization flows of cassettes show. Undefined: they have none. */
export function recordedAuthorization(cassettes: readonly Cassette[]): ConfiguredByRecording | undefined {
  const exchanges = cassettes
    .flatMap(({ events }) => events)
    .flatMap(({ frame }) => (frame.kind === 'authorization' ? [frame.json.value as Exchange] : []));
  if (exchanges.length === 0) return undefined;
  const grants = exchanges.flatMap((exchange, at) => grantOf(exchange, exchanges.slice(0, at)));
  const server = metadataOf(exchanges, 'oauth/server-metadata');
  const resource = metadataOf(exchanges, 'oauth/resource-metadata');
  const refusals = exchanges.filter(({ request, status }) => request === 'mcp' && isRefusal(status));
  const withoutToken = refusals.find(({ scheme }) => scheme === undefined);
  const invalidToken = refusals.find(({ scheme, status }) => scheme !== undefined && status === UNAUTHORIZED);
  const steps = refusals.flatMap((refusal) => stepUpOf(refusal, exchanges));
  const demanded = scopesOf(challengeParameter(withoutToken?.challenge, 'scope')) ?? [];
  const registrations = exchanges.filter(({ request }) => request === 'oauth/register');
  const refused = registrations.some(isSuccess) ? undefined : registrations.find(({ status }) => isRefusal(status));
  const scopes = supportedScopes({ server, resource, grants, demanded, steps });
  const grantTypes = textsIn(server?.grant_types_supported);
  const tokenResponse = grants[0]?.response;
  const recorded: RecordedAuthorization = {
    ...(server && { serverMetadata: server }),
    isServerMetadataMissing:
      server === undefined &&
      exchanges.some(({ request, status }) => request === 'oauth/server-metadata' && isRefusal(status)),
    ...(resource && { resourceMetadata: resource }),
    missingResourceMetadata: missingMetadata(exchanges),
    ...(withoutToken && { withoutToken: refusalOf(withoutToken) }),
    ...(invalidToken && { invalidToken: refusalOf(invalidToken) }),
    missingServerMetadata: missingServerMetadata(exchanges),
    insufficientScope: steps,
    ...(refused && { registration: refusalOf(refused) }),
    ...(grantTypes && { grantTypes: [...grantTypes, ...grants.map(({ type }) => type)] }),
    ...(scopes && { scopes }),
    refusedScopes: new Map(exchanges.flatMap(refusedScope)),
    grantedScopes: new Map(grants.flatMap(({ asked, granted }) => (granted ? [[scopeKey(asked), granted]] : []))),
    namesIssuer: namesIssuer(exchanges, server),
    mismatched: isAuthorized(exchanges) ? {} : mismatchedNames(exchanges, { server, resource }),
    ...(tokenResponse && { tokenResponse }),
  };
  // A demanded scope that a token lacks was not needed.
  const isGranted = (scope: string) => grants.every(({ asked, granted = asked }) => granted?.includes(scope) ?? true);
  const options: AuthorizationOptions = {
    scopes: demanded.filter(isGranted),
    ...(steps.length > 0 && { stepUp: steps.map(({ rule }) => rule) }),
    ...lifetimeOf(tokenResponse),
    ...refreshOf(exchanges),
    ...((server || registrations.length > 0) && {
      registration: server?.registration_endpoint !== undefined || registrations.length > 0,
    }),
    ...(server && { clientMetadataDocuments: takesUrls(exchanges, server) }),
    resource: namesResource(exchanges, resource) ? 'required' : 'optional',
    ...issuerOf(exchanges, server),
  };
  return { options, recorded };
}

const [UNAUTHORIZED, FORBIDDEN] = [401, 403];

function isSuccess({ status = 0 }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Reports whether a response refuses its request. Other statuses have meanings that a mock server cannot give them. */
function isRefusal(status = 0): status is number {
  return status >= 400;
}

function metadataOf(exchanges: readonly Exchange[], request: Exchange['request']): Document | undefined {
  const found = exchanges.find((exchange) => exchange.request === request && isSuccess(exchange));
  return isObject(found?.response) ? found.response : undefined;
}

function missingMetadata(exchanges: readonly Exchange[]): RecordedAuthorization['missingResourceMetadata'] {
  const missing: RecordedAuthorization['missingResourceMetadata'] = {};
  const found = new Set(exchanges.filter(isSuccess).map(({ url }) => url));
  for (const { request, url, status } of exchanges) {
    if (request !== 'oauth/resource-metadata' || !isRefusal(status) || found.has(url)) continue;
    missing[url.endsWith('/.well-known/oauth-protected-resource') ? 'origin' : 'endpoint'] = status;
  }
  return missing;
}

function refusalOf({ status = UNAUTHORIZED, challenge, response }: Exchange): RecordedRefusal {
  return { status, ...(challenge !== undefined && { challenge }), ...(response !== undefined && { body: response }) };
}

/** Returns the paths without metadata, at the origin that has it at another path. */
function missingServerMetadata(exchanges: readonly Exchange[]): string[] {
  const asked = exchanges.filter(({ request, url }) => request === 'oauth/server-metadata' && URL.canParse(url));
  const found = asked.find(isSuccess);
  if (found === undefined) return [];
  const { origin } = new URL(found.url);
  const missing = asked.filter(({ status, url }) => isRefusal(status) && new URL(url).origin === origin);
  return missing.map(({ url }) => new URL(url).pathname).filter((path) => path !== new URL(found.url).pathname);
}

/** Returns the rule that a refusal for missing scopes shows (RFC 6750, 3.1). */
function stepUpOf(exchange: Exchange, exchanges: readonly Exchange[]): RecordedStepUp[] {
  const { status, challenge, method, tool } = exchange;
  const scopes = scopesOf(challengeParameter(challenge, 'scope'));
  if (status !== FORBIDDEN || scopes === undefined || method === undefined) return [];
  const at = exchanges.indexOf(exchange);
  const grants = exchanges.flatMap((one, index) =>
    grantOf(one, exchanges.slice(0, index)).map((grant) => ({ index, ...grant })),
  );
  const { index = at, asked, granted = asked } = grants.at(-1) ?? {};
  const isFinal = index < at && scopes.every((scope) => granted?.includes(scope));
  return [
    {
      ...refusalOf(exchange),
      rule: { ...(tool === undefined ? { method } : { tool }), scopes },
      ...(isFinal && { isFinal }),
    },
  ];
}

/** Grant of a token, with the scopes that were asked for, and those of the response. */
interface RecordedGrant {
  type: string;
  asked: readonly string[] | undefined;
  granted: readonly string[] | undefined;
  response: Document;
}

/** Returns the grant of a token request. Its code is that of the latest authorization `before`: a server may repeat codes. */
function grantOf(exchange: Exchange, before: readonly Exchange[]): RecordedGrant[] {
  const { request, parameters = {}, response } = exchange;
  if (request !== 'oauth/token' || !isSuccess(exchange) || !isObject(response)) return [];
  const authorized = before.findLast(
    (one) => one.request === 'oauth/authorize' && isObject(one.response) && one.response.code === parameters.code,
  );
  const asked = scopesOf(parameters.scope ?? authorized?.parameters?.scope);
  return [{ type: String(parameters.grant_type), asked, granted: scopesOf(response.scope), response }];
}

/** Returns the scopes that a server has, if its metadata name any. Others that it granted or demanded count, too. */
function supportedScopes(from: {
  server: Document | undefined;
  resource: Document | undefined;
  grants: readonly RecordedGrant[];
  demanded: readonly string[];
  steps: RecordedAuthorization['insufficientScope'];
}): readonly string[] | undefined {
  const { server, resource, grants, demanded, steps } = from;
  const named = textsIn(server?.scopes_supported) ?? textsIn(resource?.scopes_supported);
  if (named === undefined) return undefined;
  const granted = grants.flatMap((grant) => grant.granted ?? grant.asked ?? []);
  const stepUp = steps.flatMap(({ rule }) => rule.scopes);
  return [...new Set([...named, ...(textsIn(resource?.scopes_supported) ?? []), ...granted, ...demanded, ...stepUp])];
}

function refusedScope({ parameters, response }: Exchange): [string, Document][] {
  const isRefused = isObject(response) && response.error === 'invalid_scope';
  return isRefused ? [[scopeKey(scopesOf(parameters?.scope)), response]] : [];
}

/** Reports whether a client got a token. */
function isAuthorized(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((one) => (one.request === 'oauth/token' || one.request === 'oauth/refresh') && isSuccess(one));
}

/** Reports whether redirects name the issuer, as the recorded ones or the metadata say. A client may have refused its absence. */
function namesIssuer(exchanges: readonly Exchange[], server: Document | undefined): boolean {
  const redirects = exchanges.flatMap(({ request, response }) =>
    request === 'oauth/authorize' && isObject(response) ? [response] : [],
  );
  if (redirects.some(({ iss }) => iss !== undefined)) return true;
  const isRefused = redirects.length > 0 && !isAuthorized(exchanges);
  return server?.authorization_response_iss_parameter_supported === true && !isRefused;
}

/** Returns the names of other servers in a flow. */
function mismatchedNames(
  exchanges: readonly Exchange[],
  { server, resource }: { server: Document | undefined; resource: Document | undefined },
): MismatchedNames {
  const urlOf = (wanted: Exchange['request']) =>
    exchanges.find((one) => one.request === wanted && (wanted === 'mcp' || isSuccess(one)))?.url;
  const isOf = (name: unknown, url: string | undefined) =>
    url === undefined || originOf(name) === undefined || originOf(name) === originOf(url);
  const redirects = exchanges.flatMap(({ request, response }) =>
    request === 'oauth/authorize' && isObject(response) ? [response.iss] : [],
  );
  const [iss] = redirects.filter((one) => typeof one === 'string');
  const issuer = String(server?.issuer);
  return {
    ...(resource && !isOf(resource.resource, urlOf('mcp')) && { resource: String(resource.resource) }),
    ...(server && !isOf(issuer, urlOf('oauth/server-metadata')) && { issuer }),
    ...(iss !== undefined &&
      server &&
      iss !== issuer &&
      (iss.startsWith(issuer) ? { issSuffix: iss.slice(issuer.length) } : { iss })),
  };
}

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Maximum token lifetime: a year, in seconds. */
const LIFETIME_MAX = 31_536_000;

function lifetimeOf(response: Document | undefined): Pick<AuthorizationOptions, 'tokenLifetime'> {
  const seconds = Math.floor(Number(response?.expires_in));
  return seconds >= 1 && seconds <= LIFETIME_MAX ? { tokenLifetime: seconds } : {};
}

/** Returns what became of refresh tokens. Nothing, if no client could have got one. */
function refreshOf(exchanges: readonly Exchange[]): Pick<AuthorizationOptions, 'refresh'> {
  const used = exchanges.find((exchange) => exchange.request === 'oauth/refresh' && isSuccess(exchange));
  if (used !== undefined) {
    const next = isObject(used.response) ? used.response.refresh_token : undefined;
    return { refresh: next === undefined || next === used.parameters?.refresh_token ? 'keep' : 'rotate' };
  }
  const forCodes = exchanges.filter(
    (exchange) =>
      exchange.request === 'oauth/token' &&
      isSuccess(exchange) &&
      exchange.parameters?.grant_type === 'authorization_code',
  );
  if (forCodes.length === 0) return {};
  const isGiven = forCodes.some(({ response }) => isObject(response) && response.refresh_token !== undefined);
  return { refresh: isGiven ? 'rotate' : 'none' };
}

/** Reports whether a client id may be a URL: the metadata says so, or a client had one. */
function takesUrls(exchanges: readonly Exchange[], server: Document): boolean {
  const isUrl = ({ parameters }: Exchange) => String(parameters?.client_id).startsWith('https://');
  return server.client_id_metadata_document_supported === true || exchanges.some((one) => isSuccess(one) && isUrl(one));
}

/** Reports whether clients named the resource. Without any such request, those that know its metadata would. */
function namesResource(exchanges: readonly Exchange[], resource: Document | undefined): boolean {
  const asked = exchanges.filter(({ request }) => request === 'oauth/authorize' || request === 'oauth/token');
  if (asked.length === 0) return resource !== undefined;
  return asked.every(({ parameters }) => parameters?.resource !== undefined);
}

/** Paths of issuers that the mock authorization server can have. */
const PATH = /^(?:\/[\w-]+)+$/;

function issuerOf(
  exchanges: readonly Exchange[],
  server: Document | undefined,
): Pick<AuthorizationOptions, 'issuerPath' | 'discovery'> {
  const found = exchanges.find((exchange) => exchange.request === 'oauth/server-metadata' && isSuccess(exchange));
  if (server === undefined || found === undefined) return {};
  const issuer = String(server.issuer);
  const path = URL.canParse(issuer) ? new URL(issuer).pathname : '';
  return {
    ...(PATH.test(path) && { issuerPath: path }),
    discovery: found.url.includes('/.well-known/openid-configuration') ? 'openid' : 'oauth',
  };
}

function scopesOf(value: unknown): readonly string[] | undefined {
  const scopes = typeof value === 'string' ? value.split(' ').filter((scope) => scope !== '') : [];
  return scopes.length > 0 ? scopes : undefined;
}

function textsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
