import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { PACKAGE, packageVersion } from '../../kernel/installed-package.ts';
import { exportableName, type Placeholder, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { type K6Ignore, VOLATILE_RULES } from './k6-ignore-rules.ts';
import { type K6Load, k6Options, requestTags } from './k6-options.ts';
import { type K6Session, type K6Step, k6Session } from './k6-session.ts';

/** A header of the script: `before`, followed by a secret from an environment variable. */
export interface K6Header {
  name: string;
  before: string;
  variable: string;
}

export interface K6ScriptOptions {
  /** Cassettes, with placeholders in place of secrets. */
  cassettes: readonly Cassette[];
  url: URL;
  /** Whether the script may contain the URL, because the URL has no secret. */
  hasPublicUrl: boolean;
  headers: readonly K6Header[];
  ignore: readonly K6Ignore[];
  load: K6Load;
}

/** A k6 script, with notes on the parts of cassettes that the script does not play or compare. */
export interface K6Script {
  text: string;
  notes: string[];
  /** Names of the environment variables that the script reads. */
  variables: string[];
}

/**
 * Returns a script for k6 that plays the clients of cassettes.
 * @throws McpRecordError LOAD_EXPORT_IMPOSSIBLE, USAGE_BAD_PATTERN
 */
export function k6Script({ cassettes, url, hasPublicUrl, headers, ignore, load }: K6ScriptOptions): K6Script {
  const sessions = cassettes.map(playableSession);
  const all = sessions.flatMap(({ steps }) => steps);
  const tags = requestTags(all.map(({ what }) => what));
  const secrets = new Map(all.flatMap(secretsOf));
  const isPublic = url.username === '' && url.password === '' && url.search === '' && hasPublicUrl;
  const variables = [...new Set([...secrets.values(), ...headers.map(({ variable }) => variable)])];
  if (!isPublic) variables.unshift('MCP_URL');
  const notes = [...sessions.flatMap(({ notes }) => notes), ...COMMON_NOTES];
  const steps = Math.max(...sessions.map(({ steps }) => steps.length));
  const data = sessions.map(({ steps }) => ({ steps: steps.map((step) => ({ ...step, tag: tags.get(step.what)! })) }));
  const text = [
    ...commentLines([
      `Plays the recorded clients of ${cassettes.map(({ file }) => file).join(', ')}. Made by mcp-record ${packageVersion()}, load --export k6.`,
      `Run it: k6 run${variables.map((name) => ` -e ${name}=…`).join('')} FILE. MCP_URL names another server.`,
      ...notes,
    ]),
    '',
    "import { check, sleep } from 'k6';",
    "import exec from 'k6/execution';",
    "import http from 'k6/http';",
    "import { Counter, Rate, Trend } from 'k6/metrics';",
    '',
    "/** @type {import('k6/options').Options} */",
    `export const options = ${literal(k6Options({ ...load, tags, steps }))};`,
    '',
    `const SERVER = ${isPublic ? `__ENV.MCP_URL || ${literal(url.href)}` : "secret('MCP_URL')"};`,
    `const TIMEOUT = ${load.patience};`,
    `const HEADERS = { ${headers.map(headerCode).join(', ')} };`,
    `const SECRETS = ${literal(Object.fromEntries(secrets))};`,
    `const VOLATILE = ${literal(VOLATILE_RULES, 0)};`,
    `const IGNORE = ${literal(ignore, 0)};`,
    `const SESSIONS = ${literal(data)};`,
    '',
    readFileSync(join(PACKAGE, 'assets', 'k6', 'play-session.js'), 'utf8'),
  ].join('\n');
  return { text, notes, variables };
}

const COMMON_NOTES = [
  'Not compared: messages on GET streams, progress, notifications that the cassette does not have, and how a session ends.',
  'Compared in part: redacted values may be any text, and numbers above 2^53 are rounded.',
  'The times are those of http_req_duration, without the time to connect.',
];

function playableSession(cassette: Cassette): K6Session {
  const isLegacy = cassette.events.some(({ frame }) => frame.kind === 'sse' && frame.sse.event === 'endpoint');
  if (isLegacy)
    throw impossible(cassette, 'its session is of HTTP with SSE (2024-11-05), whose answers come on a GET stream');
  const session = k6Session(cassette);
  if (session.steps.some(({ expect }) => expect !== undefined)) return session;
  throw impossible(cassette, 'it has no request whose answer a script could compare');
}

function impossible({ file }: Cassette, why: string): McpRecordError {
  return new McpRecordError({
    code: 'LOAD_EXPORT_IMPOSSIBLE',
    what: `Cannot write a script of k6 for ${file}`,
    why,
    next: 'mcp-record load plays it: leave out --export.',
  });
}

/**
 * Returns the placeholders that a step sends, with their environment variables. Values of earlier answers need no
 * variable.
 */
function secretsOf({ send, headers, places }: K6Step): [placeholder: string, variable: string][] {
  const repeated = places.map(({ value }) => value);
  return [send, ...Object.values(headers)].flatMap((text) =>
    placeholdersIn(text)
      .map((found): [string, string] => [text.slice(found.start, found.end), variableOf(found)])
      .filter(([placeholder]) => !repeated.some((value) => value.includes(placeholder))),
  );
}

function variableOf({ name, n }: Placeholder): string {
  return exportableName(n === 1 ? name : `${name}_${n}`);
}

function headerCode({ name, before, variable }: K6Header): string {
  const value = `secret(${literal(variable)})`;
  return `${literal(name)}: ${before === '' ? value : `${literal(before)} + ${value}`}`;
}

/**
 * Returns a value as a JavaScript literal. JSON is valid JavaScript, but other characters than ASCII are escaped for
 * safety.
 */
function literal(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(/[\u007f-\uffff]/g, escaped);
}

/** Returns comment lines. Characters of a text that could end or hide a line are escaped. */
function commentLines(texts: readonly string[]): string[] {
  return texts.map((text) => `// ${text.replaceAll(/[^ -~…]/g, escaped)}`);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
