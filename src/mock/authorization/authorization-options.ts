import { normalizeBreaks } from '../../cassette/read/source-text.ts';
import { yamlData } from '../../cassette/read/yaml/located-data.ts';
import { McpRecordError, messageOf, type Place } from '../../kernel/errors.ts';
import { readNamedText } from '../../kernel/read-file.ts';
import { type Field, type FieldProblem, type Fields, fieldProblem, type Path } from '../../kernel/written-fields.ts';
import { isObject } from '../../protocol/message.ts';
import { isRedirectUri } from './redirect-uris.ts';

/** A client that the authorization server knows beforehand. */
export interface KnownClient {
  /** Its `client_id`. */
  id: string;
  /** Its secret. Absent: it is a public client. */
  secret?: string;
  /** Its public key (SPKI in PEM), if it signs who it is (`private_key_jwt`). */
  publicKey?: string;
  /** Where it may be redirected to. Absent: to this machine alone. */
  redirectUris?: readonly string[];
}

/** Requests that need more scopes than others. All that is there must hold. */
export interface ScopeRule {
  method?: string;
  /** A tool that is called. */
  tool?: string;
  /** The scopes that the request needs beside those of every request. */
  scopes: readonly string[];
}

/** How a mock server authorizes its clients: it accepts whoever comes, unless told otherwise. */
export interface AuthorizationOptions {
  /** Scopes that every request needs. Default: `['mcp']`. */
  scopes?: readonly string[];
  /** Requests that need more: their client has to step up. */
  stepUp?: readonly ScopeRule[];
  /** How long an access token is valid, in seconds. Default: 3600. */
  tokenLifetime?: number;
  /** Whether a refresh token serves once (`rotate`), again and again (`keep`), or there is `none`. Default: `rotate`. */
  refresh?: 'rotate' | 'keep' | 'none';
  /** Whether clients may register (RFC 7591). Default: true. */
  registration?: boolean;
  /** Whether a client id may be the URL of a client ID metadata document, which is not fetched. Default: true. */
  clientMetadataDocuments?: boolean;
  /** Clients that are known beforehand. Others than these and those that register are then refused. */
  clients?: readonly KnownClient[];
  /** Path of the issuer, such as `/tenant`. Default: none. */
  issuerPath?: string;
  /** Which metadata describe the authorization server: of OAuth (RFC 8414), or of OpenID Connect Discovery. Default: `oauth`. */
  discovery?: 'oauth' | 'openid';
}

/** All options, with their values where nothing was said. */
export type AuthorizationSettings = Required<Omit<AuthorizationOptions, 'clients'>> &
  Pick<AuthorizationOptions, 'clients'>;

const DEFAULTS: AuthorizationSettings = {
  scopes: ['mcp'],
  stepUp: [],
  tokenLifetime: 3600,
  refresh: 'rotate',
  registration: true,
  clientMetadataDocuments: true,
  issuerPath: '',
  discovery: 'oauth',
};

/** The longest that a token is valid: a year, in seconds. */
const LIFETIME_MAX = 31_536_000;

/** RFC 6749, 3.3. */
const SCOPE = /^[!#-[\]-~]+$/;

const scopes = field('scopes, a list', 'a list of scopes without spaces', (value) => isListOf(value, isScope));

const OPTIONS: Fields = {
  scopes,
  stepUp: field('requests that need more scopes', 'a list of { tool, method, scopes }', Array.isArray),
  tokenLifetime: field('how long an access token is valid', `seconds from 1 to ${LIFETIME_MAX}`, isLifetime),
  refresh: field('what becomes of refresh tokens', 'rotate, keep or none', isOneOf('rotate', 'keep', 'none')),
  registration: field('whether clients may register', 'true or false', isBoolean),
  clientMetadataDocuments: field('whether a client id may be a URL', 'true or false', isBoolean),
  clients: field(
    'clients that are known beforehand',
    'a list of { id, secret, publicKey, redirectUris }',
    Array.isArray,
  ),
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

/**
 * Completes options of a test, or of a file.
 * @throws McpRecordError MOCK_AUTH_BAD
 */
export function authorizationSettings(
  value: unknown,
  source: { name: string; placeOf?(path: Path): Place } = { name: 'the option auth' },
): AuthorizationSettings {
  const written = value === true ? {} : value;
  const problem = problemOf(written);
  if (problem === undefined) return { ...DEFAULTS, ...withoutAbsent(written as AuthorizationOptions) };
  const { path, why, next } = problem;
  const place = source.placeOf?.(path);
  const what = `Cannot use ${source.name} for authorization`;
  throw new McpRecordError({ code: 'MOCK_AUTH_BAD', what, why, next, ...(place && { place }) });
}

/**
 * Reads a file of options.
 * @throws McpRecordError MOCK_AUTH_UNREADABLE, MOCK_AUTH_BAD, with file and line
 */
export function loadAuthorizationFile(file: string): AuthorizationSettings {
  const { value, placeOf } = yamlOf(file);
  return authorizationSettings(value, { name: file, placeOf });
}

function yamlOf(file: string): ReturnType<typeof yamlData> {
  try {
    return yamlData({ file, text: normalizeBreaks(readNamedText(file)), line: 1 });
  } catch (error) {
    const known = error instanceof McpRecordError ? error.problem : undefined;
    throw new McpRecordError({
      code: 'MOCK_AUTH_UNREADABLE',
      what: `Cannot read the authorization of ${file}`,
      why: known?.why ?? messageOf(error),
      next: 'Name a YAML file with options such as "tokenLifetime: 60"; docs/auth.md has them all.',
      ...(known?.place && { place: known.place }),
      cause: error,
    });
  }
}

function problemOf(value: unknown): FieldProblem | undefined {
  const whole = fieldProblem(isObject(value) ? withoutAbsent(value) : value, OPTIONS, []);
  if (whole) return whole;
  const { stepUp = [], clients = [] } = value as { stepUp?: unknown[]; clients?: unknown[] };
  return firstProblem('stepUp', stepUp, SCOPE_RULE) ?? firstProblem('clients', clients, CLIENT);
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

function isPublicKey(value: unknown): boolean {
  return isText(value) && value.startsWith('-----BEGIN PUBLIC KEY-----');
}

function isLifetime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LIFETIME_MAX;
}
