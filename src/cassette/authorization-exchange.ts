import { type Field, type FieldProblem, type Fields, fieldProblem } from '../kernel/validate-fields.ts';
import { isObject } from '../protocol/message.ts';
import { OAUTH_REQUESTS, type OAuthRequest } from '../protocol/oauth-requests.ts';
import { HEADER_VALUE } from './number-and-text-limits.ts';

/**
 * One HTTP exchange of an authorization flow, as a cassette keeps it. Secrets are placeholders. `mcp` is a request to the
 * MCP endpoint that the server refused, because it needs a token or another scope.
 */
export interface AuthorizationExchange {
  request: Exclude<OAuthRequest, 'oauth/keys'> | 'mcp';
  /** URL of the request at its server, without a query. */
  url: string;
  /** Method of the refused message (`mcp`). */
  method?: string;
  /** Tool of the refused call (`mcp`). */
  tool?: string;
  /** Authentication scheme of the request's credentials, such as `Bearer`. Absent: it had none. */
  scheme?: string;
  /** Parameters of the request: of its query, form or JSON body. */
  parameters?: Record<string, unknown>;
  /** Status of the response. Absent: there was no response. */
  status?: number;
  /** `WWW-Authenticate` of the response. */
  challenge?: string;
  /** JSON of the response. For `oauth/authorize`: the parameters of the redirect back to the client. */
  response?: unknown;
}

const HTTP_URL = /^https?:\/\/\S+$/;

const REQUESTS: readonly string[] = [...OAUTH_REQUESTS.filter((name) => name !== 'oauth/keys'), 'mcp'];

const FIELDS: Fields = {
  request: {
    ...field('the request of the flow', `one of ${REQUESTS.join(', ')}`, (value) => REQUESTS.includes(value as string)),
    required: true,
  },
  url: {
    ...field('the URL of the request', 'a URL of HTTP', (value) => typeof value === 'string' && HTTP_URL.test(value)),
    required: true,
  },
  method: field('the method of the refused message', 'text', isText),
  tool: field('the tool of the refused call', 'text', isText),
  scheme: field('the scheme of the credentials', 'text', isText),
  parameters: field('the parameters of the request', 'a mapping', isObject),
  status: field('the status of the response', 'a status from 100 to 999', isStatus),
  challenge: field('WWW-Authenticate of the response', 'text that HTTP can carry', isHeaderValue),
  response: field('the JSON of the response', 'JSON', (value) => value !== null),
};

/** Returns the first problem of the value of an `authorization` event. */
export function authorizationProblem(value: unknown): FieldProblem | undefined {
  return fieldProblem(value, FIELDS, []);
}

function field(doc: string, wanted: string, isAllowed: (value: unknown) => boolean): Field {
  return { doc, wanted, read: (value) => (isAllowed(value) ? value : undefined) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && HEADER_VALUE.test(value);
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}
