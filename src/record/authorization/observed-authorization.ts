import type { AuthorizationExchange } from '../../cassette/authorization-exchange.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { type OAuthRequest, oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { headerOf, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { schemeOf } from '../http/recorded-headers.ts';

/** Exchange of an authorization flow as it passed, with its secrets. It stays in memory. */
export interface ObservedAuthorization {
  at: Milliseconds;
  exchange: AuthorizationExchange;
  /** Headers of the request, whose credentials the server may repeat. */
  headers: RawHeaders;
}

/** HTTP exchange whose bodies are complete. */
export interface CompleteExchange {
  /** Origin of the server. */
  origin: string;
  request: TrafficEvent<'request'>;
  response: Pick<TrafficEvent<'response'>, 'status' | 'headers'> | undefined;
  /** Body of the request. */
  sent: string;
  /** Body of the response. */
  received: string | undefined;
}

/** Members of the metadata of an authorization server that name the endpoint of a request (RFC 8414, 2). */
const ENDPOINTS: Readonly<Record<string, OAuthRequest>> = {
  authorization_endpoint: 'oauth/authorize',
  token_endpoint: 'oauth/token',
  registration_endpoint: 'oauth/register',
};

/** Recognizes the requests of authorization flows, by what passing metadata and challenges name, or by their usual paths. */
export class AuthorizationRequests {
  readonly #named = new Map<string, OAuthRequest>();

  /** Returns the request of the flow that an HTTP request is. Undefined: it is none. */
  requestOf(uri: string, { method }: TrafficEvent<'request'>, sent = ''): OAuthRequest | undefined {
    const url = withoutQuery(uri);
    const named = this.#named.get(url);
    if (named === 'oauth/token') return formField(sent, 'grant_type') === 'refresh_token' ? 'oauth/refresh' : named;
    return named ?? oauthRequestOf({ method, path: new URL(url).pathname, body: sent });
  }

  /** Learns the URLs that a response names. */
  learn({ request, challenge = '', response }: AuthorizationExchange): void {
    const [, quoted, token] = RESOURCE_METADATA.exec(challenge) ?? [];
    this.#name(quoted ?? token, 'oauth/resource-metadata');
    if (request !== 'oauth/server-metadata' || !isObject(response)) return;
    for (const [member, name] of Object.entries(ENDPOINTS)) this.#name(response[member], name);
  }

  #name(uri: unknown, request: OAuthRequest): void {
    if (typeof uri === 'string' && URL.canParse(uri)) this.#named.set(withoutQuery(uri), request);
  }
}

const RESOURCE_METADATA = /\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i;

/**
 * Returns an exchange of an authorization flow: a request of the flow, or a request to the MCP endpoint that the server
 * refused for its token. Undefined: it is neither.
 */
export function observedAuthorization(
  complete: CompleteExchange,
  requests: AuthorizationRequests,
): AuthorizationExchange | undefined {
  const { origin, request, response, sent, received = '' } = complete;
  if (!URL.canParse(origin + request.path)) return undefined;
  const url = withoutQuery(origin + request.path);
  const name = requests.requestOf(url, request, sent);
  const status = response?.status;
  if (name === undefined) return refusedRequest(complete, url);
  if (name === 'oauth/keys') return undefined;
  const scheme = schemeOf(request.headers);
  const parameters = parametersOf(request, sent);
  const answered = name === 'oauth/authorize' ? redirectParameters(response, parameters) : parseJson(received);
  const challenge = headerOf(response?.headers ?? [], 'www-authenticate');
  return {
    request: name,
    url,
    ...(scheme !== undefined && { scheme }),
    ...(parameters && { parameters }),
    ...(status !== undefined && { status }),
    ...(challenge !== undefined && { challenge }),
    ...(isPresent(answered) && { response: answered }),
  };
}

/** Statuses that refuse a request for its token (MCP "Authorization", "Error Handling"). */
const [UNAUTHORIZED, FORBIDDEN] = [401, 403];

function refusedRequest(
  { request, response, sent, received = '' }: CompleteExchange,
  url: string,
): AuthorizationExchange | undefined {
  const { status = 0, headers = [] } = response ?? {};
  const challenge = headerOf(headers, 'www-authenticate');
  const message = parseJson(sent);
  const method = isObject(message) && typeof message.method === 'string' ? message.method : undefined;
  const isRefused = status === UNAUTHORIZED || (status === FORBIDDEN && challenge !== undefined);
  if (!isRefused || (challenge === undefined && method === undefined)) return undefined;
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  const answered = parseJson(received);
  const scheme = schemeOf(request.headers);
  return {
    request: 'mcp',
    url,
    ...(method !== undefined && { method }),
    ...(scheme !== undefined && { scheme }),
    ...(method === 'tools/call' && typeof params.name === 'string' && { tool: params.name }),
    status,
    ...(challenge !== undefined && { challenge }),
    ...(isPresent(answered) && { response: answered }),
  };
}

/** Returns the parameters of a request: those of its JSON body, or of its query and form. */
function parametersOf({ path, headers }: TrafficEvent<'request'>, sent: string): Record<string, unknown> | undefined {
  if (mediaType(headerOf(headers, 'content-type')) === 'application/json') {
    const body = parseJson(sent);
    return isObject(body) ? body : undefined;
  }
  const query = path.split('?', 2)[1] ?? '';
  const parameters = fieldsOf([...new URLSearchParams(query), ...new URLSearchParams(sent)]);
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}

/** Returns the parameters of a redirect to the client's redirect URI. Undefined: the response is another one. */
function redirectParameters(
  response: CompleteExchange['response'],
  parameters: Record<string, unknown> = {},
): Record<string, unknown> | undefined {
  const location = headerOf(response?.headers ?? [], 'location') ?? '';
  const uri = String(parameters.redirect_uri);
  if (!URL.canParse(location) || !URL.canParse(uri) || withoutQuery(location) !== withoutQuery(uri)) return undefined;
  return fieldsOf([...new URL(location).searchParams]);
}

/** Returns fields by name. A repeated one has a list of values. */
function fieldsOf(fields: readonly (readonly [name: string, value: string])[]): Record<string, unknown> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries([...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function formField(form: string, name: string): string | null {
  return new URLSearchParams(form).get(name);
}

function withoutQuery(uri: string): string {
  const { origin, pathname } = new URL(uri);
  return origin === 'null' ? `${uri.split(/[?#]/, 1)[0]}` : origin + pathname;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
