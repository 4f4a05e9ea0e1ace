import { basicPassword } from './detect/bearer-and-basic.ts';
import { type Certainty, credentialNamed, isCredentialVariable } from './detect/credential-names.ts';
import { isDistinctive, isPlausible, looksGenerated } from './detect/plausibility.ts';
import { secretsWithin } from './detect/secrets-in-credential.ts';
import type { DetectionContext } from './replace/shared-detector-state.ts';

/** Minimum length of a secret in an environment variable. */
export const VARIABLE_LENGTH_MIN = 8;

/**
 * Registers the values of credential-named environment variables as secrets, to be redacted anywhere, and the secrets in
 * others. A value that has the name of its variable has its first number at once. All others are registered by `ahead`.
 */
export function learnEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { redact, inText, rules }: DetectionContext,
  ahead: (register: () => void) => void,
): void {
  for (const [name, value = ''] of Object.entries(env)) {
    const isCredential = isCredentialVariable(name) && isSearched(value);
    if (isCredential && rules.nameOfWhole(value) === undefined) redact(name, value);
    else ahead(() => (isCredential ? redact(name, value) : inText(value, 0)));
  }
}

/** Reports whether the value of a variable is a secret, and not found by chance in other text. */
function isSearched(value: string): boolean {
  return value.length >= VARIABLE_LENGTH_MIN && isPlausible(value, 'sure') && isDistinctive(value);
}

/** Returns the credential-named variables whose values may be secrets, and are not looked for: they are too short, or like a word. */
export function unsearchedVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const unsearched = Object.entries(env).filter(([name, value = '']) => {
    return isCredentialVariable(name) && !isSearched(value) && value.length > 1 && isPlausible(value, 'sure');
  });
  return unsearched.map(([name]) => name);
}

/** Issued by the server and never recorded. It gives access to one session, not to an account. */
const SESSION_ID = 'mcp-session-id';

/** State of a redactor that the search of headers needs. */
export type HeaderContext = Pick<DetectionContext, 'redact' | 'redactByRule' | 'rules'>;

/**
 * Registers the credentials in request headers (alternating names and values) as secrets, because a server may repeat
 * them. The value of a header that a rule for a key names is one, too.
 */
export function learnHeaders(headers: readonly string[], context: HeaderContext): void {
  const { redact, rules } = context;
  for (let n = 0; n < headers.length; n += 2) {
    const name = headers[n]!.toLowerCase();
    if (!rules.isEmpty) learnByRule(name, headers[n + 1]!.trim(), context);
    const certainty = credentialNamed(name) ?? (CREDENTIAL_HEADER.test(name) ? 'sure' : undefined);
    if (certainty === undefined || name === SESSION_ID) continue;
    for (const secret of credentialsOf(name, headers[n + 1]!, certainty))
      if (isDistinctive(secret)) redact(name, secret);
  }
}

/** Names of credentials in request headers. In messages they are also names of other things. */
const CREDENTIAL_HEADER =
  /(?:^|[-_])(?:auth|authentication|assertion|bearer|cred(?:ential)?s?|jwt|otp|passcode|pass|pat|pin|crumb|oidc-data)(?:$|-assertion$)/;

function learnByRule(header: string, value: string, { rules, redactByRule }: HeaderContext): void {
  const name = rules.header(header);
  if (name === undefined) return;
  const parts = secretsWithin(header, value, 'sure').map(({ start, end }) => value.slice(start, end));
  for (const secret of new Set([value, ...parts])) if (isDistinctive(secret)) redactByRule(name, secret);
}

function credentialsOf(name: string, value: string, certainty: Certainty): string[] {
  const found = secretsWithin(name, value, certainty).map(({ start, end }) => value.slice(start, end));
  if (!name.endsWith('authorization')) return found;
  return found.flatMap((credentials) => {
    const password = basicPassword(credentials);
    // Credentials of an unknown scheme follow its name (RFC 9110, 11.4).
    const last = credentials.slice(credentials.indexOf(' ') + 1).trim();
    return password === undefined ? [last] : [credentials, password];
  });
}

/** Request headers that hold no credential: those of HTTP and MCP, and ids for logs. */
const ORDINARY_HEADER =
  /^(?:accept.*|baggage|b3|cache-control|content-.*|date|dnt|forwarded|from|host|if-.*|mcp-.*|origin|pragma|priority|referer|sec-.*|sentry-trace|traceparent|tracestate|user-agent|via|x-forwarded-.*|(?:x-)?(?:amzn-trace|correlation|request|trace)-id)$/;

/** Values in headers that a variable or a command has given, by the name of the header. */
export type HeaderSecrets = Readonly<Record<string, readonly string[]>>;

/** Headers that a user gave for requests. */
export interface UserHeaders {
  headers?: Readonly<Record<string, string>>;
  /** Values in these headers that a variable or a command has given. Each is a secret. */
  headerSecrets?: HeaderSecrets;
}

/** Registers values that a variable or a command has given for a header as secrets, whatever their header and form. */
function learnHeaderSecrets(given: HeaderSecrets, { redact }: DetectionContext): void {
  for (const [name, values] of Object.entries(given))
    for (const value of values)
      for (const secret of partsOf(name, value)) if (isDistinctive(secret)) redact(name, secret);
}

/** Returns the headers with a value of a variable or command that is too short, or too like a word, to be searched. */
export function unsearchedHeaders(given: HeaderSecrets): string[] {
  return Object.keys(given).filter((name) =>
    given[name]!.some((value) => partsOf(name, value).some((secret) => !isDistinctive(secret))),
  );
}

/** Returns the credential in a value after its scheme, or the cookies in it, or else the whole value. */
function partsOf(header: string, value: string): string[] {
  const parts = secretsWithin(header, value, 'sure').map(({ start, end }) => value.slice(start, end));
  return parts.length > 0 ? parts : [value];
}

/**
 * Registers the credentials in headers of a user, and values of variables and commands in them. Under the name of no credential, any value counts that looks
 * generated.
 */
export function learnGivenHeaders({ headers = {}, headerSecrets = {} }: UserHeaders, context: DetectionContext): void {
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    learnHeaders([name, value], context);
    const certainty = credentialNamed(name);
    if ((certainty !== undefined && certainty !== 'if session') || ORDINARY_HEADER.test(name)) continue;
    const isNamed = isCredentialVariable(name.replaceAll('-', '_'));
    const secrets = secretsWithin(name, value, 'sure').map(({ start, end }) => value.slice(start, end));
    for (const secret of secrets)
      if (isDistinctive(secret) && (isNamed || looksGenerated(secret))) context.redact(name, secret);
  }
  learnHeaderSecrets(headerSecrets, context);
}
