import type { Fired } from '../../faults/engine/fired-fault.ts';
import type { Clock } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isObject, isRequest, type Request } from '../../protocol/message.ts';
import type { OAuthRequest } from '../../protocol/oauth-requests.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import type { HttpRequest, HttpResponse } from '../../replay/http/requests/accept-or-refuse-request.ts';
import { AccessTokens } from './access-tokens.ts';
import type { AuthorizationSettings, ScopeRule } from './authorization-options.ts';
import { AuthorizationServer, scopesSupported } from './authorization-server.ts';
import type { RecordedStepUp } from './recorded/recorded-flow.ts';
import { servedMetadata, servedRefusal } from './recorded/recorded-metadata.ts';

export interface ProtectedServerOptions {
  settings: AuthorizationSettings;
  clock: Clock;
  /** Path of the MCP endpoint. */
  path: string;
  /** Called with a finding for each request that the authorization server refuses, or whose token is in the wrong place. */
  refused?(finding: Finding): void;
}

/** A mock server that requires access tokens, with the authorization server that issues them. */
export interface ProtectedServer {
  /** Paths served in addition to those of the MCP server. */
  paths: readonly string[];
  /** Returns the issuer at an origin. */
  issuerAt(origin: string): string;
  /**
   * Wraps the MCP server's handler with the token check. `decided` is called for each request, with the status of the
   * refusal, or undefined if the request is served.
   */
  protect(serve: HttpHandler, decided?: (request: HttpRequest, status: number | undefined) => void): HttpHandler;
  /** Resolves with the status of the refusal of a request to the MCP endpoint, or with undefined if it may be served. */
  refusalStatus(request: HttpRequest): Promise<number | undefined>;
  /**
   * Notes a fired fault. A client that does not get the metadata of the resource because of one may take the server for
   * one of 2025-03-26. Clients need not name the resource until one gets the metadata.
   */
  faulted(fired: Fired): void;
  /** Forgets clients, codes and tokens. Issued tokens become invalid. */
  reset(): void;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns a wrapper that makes a mock server require access tokens (MCP "Authorization"; RFC 6750, 9728). An
 * authorization server at the same origin issues them.
 * @throws McpRecordError MOCK_AUTH_BAD
 */
export async function protectedServer({
  settings,
  clock,
  path,
  refused,
}: ProtectedServerOptions): Promise<ProtectedServer> {
  const tokens = await AccessTokens.create(clock);
  const server = new AuthorizationServer({ settings, tokens, clock, ...(refused && { refused }) });
  /** Paths of the MCP endpoints. Each has its own resource metadata. */
  const endpoints = [path, SSE_PATH];
  const metadataPaths = ['', ...endpoints].map((one) => WELL_KNOWN + one);
  const own = new Set(server.paths);
  const isRequired = settings.resource === 'required';
  let needsResource = isRequired;
  if (own.has(path)) throw pathTaken(path);

  const refusalOf = async (request: HttpRequest): Promise<HttpResponse | undefined> => {
    const origin = originOf(request);
    const at = pathOf(request) === path ? path : SSE_PATH;
    const metadata = origin + WELL_KNOWN + at;
    const scope = (scopes: readonly string[]) => (scopes.length > 0 ? { scope: scopes.join(' ') } : undefined);
    const authorization = request.headers.authorization ?? '';
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    const { recorded } = settings;
    if (token === undefined)
      return recorded?.withoutToken
        ? servedRefusal(recorded.withoutToken, metadata)
        : challenge(401, { resource_metadata: metadata, ...scope(settings.scopes) }, missingTokenText(authorization));
    if (settings.tokens.includes(token)) return undefined;
    const verified = await tokens.verify(token, {
      issuer: server.issuerAt(origin),
      audience: resourcesAt(origin, endpoints),
    });
    if ('why' in verified || server.store.grant(verified.grant) === undefined) {
      if (recorded?.invalidToken) return servedRefusal(recorded.invalidToken, metadata);
      const why = 'why' in verified ? verified.why : 'The access token was revoked';
      return challenge(401, { error: 'invalid_token', error_description: why, resource_metadata: metadata });
    }
    const needed = scopesOf(request, settings);
    const refused = recordedStepUp(request, settings, verified.scopes);
    const isFinal = refused?.isFinal && settings.stepUp.includes(refused.rule);
    if (!isFinal && needed.every((one) => verified.scopes.includes(one))) return undefined;
    if (refused) return servedRefusal(refused, metadata);
    return challenge(403, {
      error: 'insufficient_scope',
      error_description: 'The request needs more than the access token allows',
      // Includes the scopes of the current token, so that stepping up does not lose them (MCP "Authorization", "Scope
      // Challenge").
      ...scope([...new Set([...verified.scopes, ...needed])]),
      resource_metadata: metadata,
    });
  };

  const answerOf = (request: HttpRequest): Promise<HttpResponse | undefined> => {
    const [origin, at] = [originOf(request), pathOf(request)];
    if (own.has(at))
      return server.answer({ request, origin, resources: resourcesAt(origin, endpoints), needsResource });
    if (!metadataPaths.includes(at)) return refusalOf(request);
    const missing = missingMetadataStatus(at, settings);
    if (missing !== undefined) return Promise.resolve({ status: missing });
    needsResource = isRequired;
    const resource = resourceNamed(origin, at.slice(WELL_KNOWN.length) || path, settings);
    return Promise.resolve(resourceMetadata(request, { resource, issuer: server.issuerAt(origin), settings }));
  };

  /** Returns the refusal of a token in the query string (MCP "Authorization", "Token Requirements"; RFC 6750, 3.1). */
  const queryTokenRefusal = (request: HttpRequest): HttpResponse | undefined => {
    const { target = '', method } = request;
    const [at, query = ''] = target.split('?', 2);
    if (!endpoints.includes(pathOf(request)) || !new URLSearchParams(query).has('access_token')) return undefined;
    const why = 'The URI query string has an access token, which the specification forbids: send it in a header';
    refused?.({ kind: 'differs', text: `The client sent a ${method} to ${at}, refused with HTTP 400: ${why}.` });
    return challenge(400, { error: 'invalid_request', error_description: why });
  };

  return {
    paths: [...metadataPaths, ...server.paths],
    issuerAt: (origin) => server.issuerAt(origin),
    refusalStatus: async (request) => (await refusalOf(request))?.status,
    faulted({ method }) {
      if (method === ('oauth/resource-metadata' satisfies OAuthRequest)) needsResource = false;
    },
    reset() {
      needsResource = isRequired;
      server.store.reset();
    },
    protect: (serve, decided) => (request, reply) => {
      const misplaced = queryTokenRefusal(request);
      if (misplaced) {
        reply.answer(misplaced);
        return () => {};
      }
      let isGone = false;
      let gone = () => {
        isGone = true;
      };
      const take = (answer: HttpResponse | undefined) => {
        if (isGone) return;
        decided?.(request, answer?.status);
        if (answer) reply.answer(answer);
        else gone = serve(request, reply);
      };
      answerOf(request).then(take, (error: unknown) => take({ status: 500, body: `${messageOf(error)}\n` }));
      return () => gone();
    },
  };
}

function pathTaken(path: string): McpRecordError {
  return new McpRecordError({
    code: 'MOCK_AUTH_BAD',
    what: `Cannot serve ${path} with authorization`,
    why: 'the authorization server has the same path',
    next: 'Give the endpoint another path, or the issuer one: "issuerPath: /tenant".',
  });
}

/** Returns the protected resource metadata (RFC 9728, 2). */
function resourceMetadata(
  { method }: HttpRequest,
  { resource, issuer, settings }: { resource: string; issuer: string; settings: AuthorizationSettings },
): HttpResponse {
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
  const servers = { authorization_servers: [issuer] };
  const recorded = settings.recorded?.resourceMetadata;
  const metadata = recorded
    ? servedMetadata(recorded, servers, { resource: settings.recorded?.mismatched.resource ?? resource })
    : { resource, ...servers, ...scopesSupported(settings), bearer_methods_supported: ['header'] };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}

/** Returns the status that a recorded server answered with, because it has no metadata at this path. */
function missingMetadataStatus(at: string, { recorded }: AuthorizationSettings): number | undefined {
  const { origin, endpoint } = recorded?.missingResourceMetadata ?? {};
  return at === WELL_KNOWN ? origin : endpoint;
}

/** Returns the name of a resource: its URL, or the origin if a recorded server is named after that. */
function resourceNamed(origin: string, path: string, { recorded }: AuthorizationSettings): string {
  const [, root] = /^https?:\/\/[^/?#]*(\/?)$/.exec(String(recorded?.resourceMetadata?.resource)) ?? [];
  return origin + (root ?? path);
}

/** Returns the recorded refusal of a request that needs more scopes than its token has. */
function recordedStepUp(
  { body }: HttpRequest,
  { recorded }: AuthorizationSettings,
  scopes: readonly string[],
): RecordedStepUp | undefined {
  const requests = requestsIn(body);
  return recorded?.insufficientScope.find(
    ({ rule, isFinal }) =>
      requests.some((request) => isAbout(rule, request)) &&
      (isFinal || rule.scopes.some((scope) => !scopes.includes(scope))),
  );
}

/** Returns what is wrong with the `Authorization` field of a request without a `Bearer` token. */
function missingTokenText(authorization: string): string {
  return authorization === ''
    ? 'An access token is missing'
    : 'The Authorization header is not "Bearer", a space and an access token';
}

/** Returns the response with a `Bearer` challenge (RFC 6750, 3). `why`: text of a body whose challenge has none. */
function challenge(status: number, parameters: Record<string, string>, why = ''): HttpResponse {
  const field = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  const { error = 'unauthorized', error_description = why } = parameters;
  return {
    status,
    headers: { 'www-authenticate': `Bearer ${field.join(', ')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ error, error_description }),
  };
}

/** Returns the resource URIs valid at an origin: its endpoints and the origin itself. */
function resourcesAt(origin: string, endpoints: readonly string[]): string[] {
  return [...endpoints.map((path) => origin + path), origin, `${origin}/`];
}

/** Returns the scopes that a request needs. */
function scopesOf({ body }: HttpRequest, { scopes, stepUp }: AuthorizationSettings): readonly string[] {
  if (stepUp.length === 0 || body === '') return scopes;
  const requests = requestsIn(body);
  const more = stepUp.filter((rule) => requests.some((request) => isAbout(rule, request)));
  return [...new Set([...scopes, ...more.flatMap((rule) => rule.scopes)])];
}

function isAbout({ method, tool }: ScopeRule, request: Request): boolean {
  if (method !== undefined && request.method !== method) return false;
  if (tool === undefined) return true;
  return request.method === 'tools/call' && isObject(request.params) && request.params.name === tool;
}

function requestsIn(body: string): Request[] {
  return [parseJson(body)].flat().filter(isRequest);
}

/** Returns this server's origin as given in the `Host` header. */
function originOf({ headers }: HttpRequest): string {
  return `http://${headers.host ?? ''}`;
}

function pathOf({ target = '' }: HttpRequest): string {
  const path = target.split('?', 1)[0]!;
  return path === SSE_ENDPOINT ? SSE_PATH : path;
}
