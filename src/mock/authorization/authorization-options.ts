import { readYamlFile } from '../../cassette/read/yaml/located-data.ts';
import { McpRecordError, type Place } from '../../kernel/errors.ts';
import { type Field, type FieldProblem, type Fields, fieldProblem, type Path } from '../../kernel/validate-fields.ts';
import { isObject } from '../../protocol/message.ts';
import { methodProblem } from '../../protocol/method-problem.ts';
import type { RecordedAuthorization } from './recorded/recorded-flow.ts';
import { isRedirectUri } from './redirect-uris.ts';

/** A client registered with the authorization server in advance. */
export interface KnownClient {
  /** Its `client_id`. */
  id: string;
  /** Client secret. Absent for a public client. */
  secret?: string;
  /** Public key (SPKI in PEM) of a client that authenticates by `private_key_jwt`. */
  publicKey?: string;
  /** Allowed redirect URIs. Absent: loopback addresses only. */
  redirectUris?: readonly string[];
}

/** Requests that need additional scopes. A request matches if every given condition holds. */
export interface ScopeRule {
  method?: string;
  /** Name of the called tool. */
  tool?: string;
  /** Scopes needed in addition to those of every request. */
  scopes: readonly string[];
}

/** Options for a mock server's authorization. By default every client is accepted. */
export interface AuthorizationOptions {
  /** Scopes that every request needs. Default: `['mcp']`. */
  scopes?: readonly string[];
  /** Requests that need more scopes. Their client has to request a token with these scopes (step-up authorization). */
  stepUp?: readonly ScopeRule[];
  /** Access tokens that are valid for every request and never expire, such as an API key. Default: none. */
  tokens?: readonly string[];
  /** Lifetime of an issued access token in seconds. Default: 3600. */
  tokenLifetime?: number;
  /**
   * Lifetime of refresh tokens: single use (`rotate`), reusable (`keep`), or not issued (`none`). Default: `rotate`.
   */
  refresh?: 'rotate' | 'keep' | 'none';
  /** Whether clients may register (RFC 7591). Default: true. */
  registration?: boolean;
  /** Whether a client id may be the URL of a client ID metadata document, which is not fetched. Default: true. */
  clientMetadataDocuments?: boolean;
  /** Clients registered in advance. If given, only these clients and dynamically registered ones are accepted. */
  clients?: readonly KnownClient[];
  /**
   * Whether requests for codes and tokens must name the MCP server as `resource` (RFC 8707), as since 2025-06-18.
   * Default: `required`.
   */
  resource?: 'required' | 'optional';
  /** Path of the issuer, such as `/tenant`. Default: none. */
  issuerPath?: string;
  /** Metadata document of the authorization server: OAuth (RFC 8414) or OpenID Connect Discovery. Default: `oauth`. */
  discovery?: 'oauth' | 'openid';
}

/** All options, with defaults filled in, and what a recording shows beyond them. */
export type AuthorizationSettings = Required<Omit<AuthorizationOptions, 'clients'>> &
  Pick<AuthorizationOptions, 'clients'> & { recorded?: RecordedAuthorization };

/** Options and other behavior of a mock authorization server that acts as a recorded one. */
export interface ConfiguredByRecording {
  options: AuthorizationOptions;
  recorded: RecordedAuthorization;
}

const DEFAULTS: AuthorizationSettings = {
  scopes: ['mcp'],
  stepUp: [],
  tokens: [],
  tokenLifetime: 3600,
  refresh: 'rotate',
  registration: true,
  clientMetadataDocuments: true,
  resource: 'required',
  issuerPath: '',
  discovery: 'oauth',
};

/** Maximum token lifetime: a year, in seconds. */
const LIFETIME_MAX = 31_536_000;

/** Scope syntax (RFC 6749, 3.3). */
const SCOPE = /^[!#-[\]-~]+$/;

/** Syntax of an access token in a header (RFC 6750, 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

const scopes = field('scopes, a list', 'a list of scopes without spaces', (value) => isListOf(value, isScope));

const OPTIONS: Fields = {
  scopes,
  stepUp: field('requests that need more scopes', 'a list of { tool, method, scopes }', Array.isArray),
  tokens: field('access tokens that are always valid', 'a list of tokens without spaces', (value) =>
    isListOf(value, isToken),
  ),
  tokenLifetime: field('how long an access token is valid', `seconds from 1 to ${LIFETIME_MAX}`, isLifetime),
  refresh: field('what becomes of refresh tokens', 'rotate, keep or none', isOneOf('rotate', 'keep', 'none')),
  registration: field('whether clients may register', 'true or false', isBoolean),
  clientMetadataDocuments: field('whether a client id may be a URL', 'true or false', isBoolean),
  clients: field(
    'clients that are known beforehand',
    'a list of { id, secret, publicKey, redirectUris }',
    Array.isArray,
  ),
  resource: field('whether clients must name the MCP server', 'required or optional', isOneOf('required', 'optional')),
  issuerPath: field(
    'path of the issuer',
    'a path such as /tenant',
    (value) => value === '' || (isText(value) && PATH.test(value)),
  ),
  discovery: field('which metadata there are', 'oauth or openid', isOneOf('oauth', 'openid')),
};

const PATH = /^(?:\/[\w-]+)*$/;

const SCOPE_RULE: Fields = {
  method: field('a method', 'text', isText),
  tool: field('a tool that is called', 'text', isText),
  scopes: { ...scopes, required: true },
};

const CLIENT: Fields = {
  id: { ...field('its client_id', 'text', isText), required: true },
  secret: field('its secret', 'text', isText),
  publicKey: field('its public key', 'PEM that begins with -----BEGIN PUBLIC KEY-----', isPublicKey),
  redirectUris: field('where it may be redirected to', 'a list of URIs', (value) => isListOf(value, isRedirectUri)),
};

/** Where options come from, for messages. */
export interface AuthorizationSource {
  name: string;
  placeOf?(path: Path): Place;
}

/** The option of a test. */
export const OPTION: AuthorizationSource = { name: 'the option auth' };

/**
 * Validates options from a test or a file. Others are those of a recorded flow, or the defaults.
 * @throws McpRecordError MOCK_AUTH_BAD
 */
export function authorizationSettings(
  value: unknown,
  source: AuthorizationSource = OPTION,
  configured?: ConfiguredByRecording,
): AuthorizationSettings {
  const written = value === true ? {} : value;
  const problem = problemOf(written);
  if (problem === undefined) {
    const { options, recorded } = configured ?? {};
    const settings = { ...DEFAULTS, ...options, ...withoutAbsent(written as AuthorizationOptions) };
    return recorded === undefined ? settings : { ...settings, recorded };
  }
  const { path, next } = problem;
  // The values may be secrets, whatever their keys are called.
  const why = problem.why.replace(VALUE_AFTER_KEY, '$1 has a value that it cannot have');
  const place = source.placeOf?.(path);
  // Not "… authorization: "key"", which redaction takes for a credential.
  const what = `Cannot use ${source.name} to authorize clients`;
  throw new McpRecordError({ code: 'MOCK_AUTH_BAD', what, why, next, ...(place && { place: withoutValue(place) }) });
}

/** Reason of an invalid value: `"tokens" is "abc"`. */
const VALUE_AFTER_KEY = /^("[^"]*") is (?!missing$).*$/s;

/** Returns a place whose line is shown up to its key. A line with anything else before the key is not shown. */
function withoutValue({ text, ...place }: Place): Place {
  const { column = 1 } = place;
  const [key] = /^[^:]*:/.exec(text?.slice(column - 1) ?? '') ?? [];
  const before = text?.slice(0, column - 1) ?? '';
  return key === undefined || !/^[\s-]*$/.test(before) ? place : { ...place, text: `${before}${key} …` };
}

/** The options of a file. */
export interface AuthorizationFile {
  settings: AuthorizationSettings;
  source: AuthorizationSource;
}

/**
 * Reads an options file.
 * @throws McpRecordError MOCK_AUTH_UNREADABLE, MOCK_AUTH_BAD, with file and line
 */
export function loadAuthorizationFile(file: string, configured?: ConfiguredByRecording): AuthorizationFile {
  const { value, placeOf } = readYamlFile(file, {
    code: 'MOCK_AUTH_UNREADABLE',
    what: `Cannot read the authorization of ${file}`,
    next: 'Name a YAML file with options such as "tokenLifetime: 60"; docs/auth-reference.md has them all.',
  });
  const source = { name: file, placeOf };
  return { settings: authorizationSettings(value, source, configured), source };
}

function problemOf(value: unknown): FieldProblem | undefined {
  const whole = fieldProblem(isObject(value) ? withoutAbsent(value) : value, OPTIONS, []);
  if (whole) return whole;
  const { stepUp = [], clients = [] } = value as { stepUp?: unknown[]; clients?: unknown[] };
  return (
    firstProblem('stepUp', stepUp, SCOPE_RULE) ??
    stepUpProblem(stepUp as readonly ScopeRule[]) ??
    firstProblem('clients', clients, CLIENT)
  );
}

/** Returns the problem of the first rule whose method no request has. */
function stepUpProblem(stepUp: readonly ScopeRule[]): FieldProblem | undefined {
  for (const [index, { method }] of stepUp.entries()) {
    const problem = method === undefined ? undefined : methodProblem(method, 'request');
    if (problem) return { path: ['stepUp', index, 'method'], ...problem };
  }
  return undefined;
}

function firstProblem(key: string, list: readonly unknown[], fields: Fields): FieldProblem | undefined {
  for (const [index, one] of list.entries()) {
    const problem = fieldProblem(one, fields, [key, index]);
    if (problem) return problem;
  }
  return undefined;
}

function withoutAbsent<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

function field(doc: string, wanted: string, isAllowed: (value: unknown) => boolean): Field {
  return { doc, wanted, read: (value) => (isAllowed(value) ? value : undefined) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isOneOf(...words: readonly string[]): (value: unknown) => boolean {
  return (value) => words.some((word) => word === value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isScope(value: unknown): boolean {
  return isText(value) && SCOPE.test(value);
}

function isToken(value: unknown): boolean {
  return isText(value) && TOKEN.test(value);
}

function isPublicKey(value: unknown): boolean {
  return isText(value) && value.startsWith('-----BEGIN PUBLIC KEY-----');
}

function isLifetime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LIFETIME_MAX;
}
