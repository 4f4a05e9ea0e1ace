import { execSync, type StdioOptions } from 'node:child_process';
import type { Headers } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { HeaderSecrets } from '../../redact/given-credentials.ts';
import { missingVariablesAdvice } from '../io/client-environment.ts';
import { say } from '../io/output.ts';

/** Header syntax (RFC 9110, 5): a token, and visible characters with blanks between. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[ \t!-~]*[!-~])?)?[ \t]*$/;

/** Header text with a command at its end: `Name: before cmd:COMMAND`. */
const COMMAND = /^([^:]+:(?:|.*[ \t]))cmd:(.+)$/s;

/**
 * Timeout of a header's command. Fetching a token over the network takes seconds, but a prompt for a person must not
 * hang.
 */
const COMMAND_WITHIN: Milliseconds = 60_000;

/**
 * Parses headers from the command line, `Name: value`. To keep credentials out of process lists, `env:NAME` in a value
 * is replaced by that variable, and `cmd:COMMAND` at its end by the output of that shell command, run once.
 * @throws McpRecordError USAGE_BAD_HEADER
 */
export function headersFrom(texts: readonly string[], env: NodeJS.ProcessEnv): GivenHeaders {
  const given = texts.map((text) => headerIn(text, env));
  return {
    headers: Object.fromEntries(given.map(({ name, value }) => [name, value])),
    headerSecrets: Object.fromEntries(
      given.filter(({ secrets }) => secrets.length > 0).map(({ name, secrets }) => [name, secrets]),
    ),
  };
}

/**
 * Returns the headers of a command that reaches a server at a URL, or none. Names on standard error those whose given
 * value is too plain to be redacted where the server repeats it.
 * @throws McpRecordError USAGE_BAD_HEADER
 */
export async function givenHeaders(
  http: unknown,
  texts: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<GivenHeaders> {
  if (!http) return NO_HEADERS;
  const given = headersFrom(texts, env);
  if (Object.keys(given.headerSecrets).length === 0) return given;
  const { unsearchedHeaders } = await import('../../redact/given-credentials.ts');
  for (const name of unsearchedHeaders(given.headerSecrets)) say(unsearchedNote(name));
  return given;
}

/** Headers of the command line, for requests and for redaction. */
export interface GivenHeaders {
  headers: Headers;
  /** Values that a variable or a command has given. */
  headerSecrets: HeaderSecrets;
}

export const NO_HEADERS: GivenHeaders = { headers: {}, headerSecrets: {} };

/** Code of the note about a header value that is too plain to be redacted everywhere (docs/errors.md). */
const HEADER_CODE = 'HEADER_NOT_REDACTED';

function unsearchedNote(header: string): string {
  return `The value of the header ${JSON.stringify(header)} is too short, or too like a word, to be replaced in all texts: if the server repeats it, it is kept. [${HEADER_CODE}]\n  Use a longer value, or name its place: --redact-key, --redact-pointer or --redact-pattern.`;
}

interface ParsedHeader {
  name: string;
  value: string;
  secrets: readonly string[];
}

function headerIn(text: string, env: NodeJS.ProcessEnv): ParsedHeader {
  const name = text.split(':', 1)[0]!;
  const [, before, command] = COMMAND.exec(text) ?? [];
  const secrets: string[] = [];
  const filled = (before ?? text).replaceAll(/\benv:(\w+)/g, (_, variable: string) => {
    const value = env[variable];
    if (value?.trim()) {
      secrets.push(value.trim());
      return value;
    }
    if (value !== undefined) throw badHeader(name, `the variable ${variable} is empty`);
    const advice = missingVariablesAdvice([variable], { env, platform: process.platform });
    throw badHeader(name, `the variable ${variable} is not set`, advice);
  });
  const printed = command === undefined ? '' : printedBy(command, name, env);
  if (printed !== '') secrets.push(printed);
  const whole = filled + printed;
  const [, token, value = ''] = HEADER.exec(whole) ?? [];
  if (token !== undefined) return { name: token.toLowerCase(), value, secrets };
  throw badHeader(name, 'it is not a name, a colon and a value in plain ASCII');
}

/** Returns the output of a command. Its standard error is passed through. */
function printedBy(command: string, name: string, env: NodeJS.ProcessEnv): string {
  const because = (why: string) => badHeader(name, `${why}: ${command}`);
  let printed: string;
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    printed = execSync(command, { env, stdio, timeout: COMMAND_WITHIN, encoding: 'utf8' }).trim();
  } catch (error) {
    // The error message may contain the command's output, so it is not shown.
    const { status, signal } = error as { status?: number | null; signal?: string | null };
    throw because(`its command ended with ${status ?? signal ?? 'no status'}`);
  }
  if (printed === '') throw because('its command printed nothing');
  return printed;
}

export function badHeader(name: string, why: string, furtherAdvice = ''): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_HEADER',
    what: `Cannot send the header ${JSON.stringify(name)}`,
    why,
    next: `Write, for example, --header 'Authorization: Bearer env:MY_TOKEN', or cmd:COMMAND in place of env:MY_TOKEN, for what a command prints.${furtherAdvice}`,
  });
}
