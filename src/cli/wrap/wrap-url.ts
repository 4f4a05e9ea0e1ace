import type { Node } from 'jsonc-parser';
import type { ConfiguredServer } from './find-servers-in-configuration.ts';
import { type Member, type MemberValue, membersOf, propertyOf } from './server-entry-formatter.ts';
import type { Edit } from './text-edits.ts';

/** Variable with the original text of a wrapped HTTP server, for its restoration. */
const ORIGINAL = 'MCP_RECORD_WRAPPED';

/** Keys of a URL, by client: most, Windsurf, Gemini CLI. */
const URL_KEYS: readonly string[] = ['url', 'serverUrl', 'httpUrl'];

/** Keys of headers: most clients, and Codex. */
const HEADER_KEYS: readonly string[] = ['headers', 'http_headers'];

/**
 * Keys of a server over HTTP or of a command, which the new entry replaces. OAuth settings are dropped too, because a
 * recorder cannot sign in for a client.
 */
const OF_HTTP: ReadonlySet<string> = new Set([
  ...URL_KEYS,
  ...HEADER_KEYS,
  'type',
  'transport',
  'command',
  'args',
  'env',
  'environment',
  'env_vars',
  'env_http_headers',
  'bearer_token_env_var',
  'oauth',
  'oauth_resource',
  'auth',
  'scopes',
]);

/**
 * Syntax of a header name (RFC 9110, 5.1). Other text could be read as more than a name in the recorder's arguments:
 * `X: cmd:COMMAND`.
 */
const HEADER_NAME = /^[!#$%&'*+.^_\x60|~0-9A-Za-z-]+$/;

/** Syntax of a variable's name in a header of the recorder. */
const VARIABLE_NAME = /^\w+$/;

/** Header with its value, or with the environment variable that contains the value. */
interface ConfiguredHeader {
  name: string;
  value?: string;
  variable?: string;
  prefix?: string;
}

/** Returns a server's first invalid header name, or name of a variable. */
export function badHeaderName(server: Node): string | undefined {
  const headers = headersOf(server);
  return (
    headers.find(({ name }) => !HEADER_NAME.test(name))?.name ??
    headers.find(({ variable }) => variable !== undefined && !VARIABLE_NAME.test(variable))?.variable
  );
}

/** Returns all header values in a configuration, both parsed and as written. Most header values are credentials. */
export function headerValues(text: string, servers: readonly Node[]): string[] {
  const nodes = servers.flatMap((server) => HEADER_KEYS.flatMap((key) => membersAt(server, key)));
  return nodes.flatMap(({ node: { value, offset, length } }) => [
    String(value),
    text.slice(offset, offset + length).replace(/^(['"])(.*)\1$/s, '$2'),
  ]);
}

/**
 * Returns the edits that turn a server at a URL into a command that records it: `record --stdio --http URL`. Its
 * headers become variables, because process lists show arguments. Other members are kept.
 */
export function wrapUrl(text: string, { node, syntax }: ConfiguredServer, recorder: readonly string[]): Edit[] {
  const headers = headersOf(node).map((header, index) => ({
    ...header,
    from: header.variable ?? `MCP_RECORD_HEADER_${index + 1}`,
  }));
  const [program = '', ...words] = [
    ...recorder,
    '--stdio',
    '--http',
    String(urlOf(node)!.value),
    ...headers.flatMap(({ name, from, prefix = '' }) => ['--header', `${name}: ${prefix}env:${from}`]),
  ];
  const env = {
    ...Object.fromEntries(headers.flatMap(({ from, value }) => (value === undefined ? [] : [[from, value]]))),
    [ORIGINAL]: text.slice(node.offset, node.offset + node.length),
  };
  const inherited = headers.flatMap(({ variable }) => variable ?? []);
  const put = (name: string, value: MemberValue) => syntax.member(name, value);
  const type = propertyOf(node, 'type')?.value;
  const isOpenCode = type === 'remote';
  const members = [
    ...(type === undefined ? [] : [put('type', isOpenCode ? 'local' : 'stdio')]),
    ...(isOpenCode ? [put('command', [program, ...words])] : [put('command', program), put('args', words)]),
    ...syntax.kept(OF_HTTP),
    ...(inherited.length > 0 ? [put('env_vars', inherited)] : []),
    put(isOpenCode ? 'environment' : 'env', env),
  ];
  return [{ start: node.offset, end: node.offset + node.length, text: syntax.server(members, OF_HTTP) }];
}

/**
 * Returns the edits that restore the original server, or `undefined` if the server is not wrapped. Later changes are
 * lost.
 */
export function unwrapUrl(server: Node): Edit[] | undefined {
  const env = propertyOf(server, 'env') ?? propertyOf(server, 'environment');
  const original = env && propertyOf(env, ORIGINAL)?.value;
  if (typeof original !== 'string') return undefined;
  return [{ start: server.offset, end: server.offset + server.length, text: original }];
}

/** Returns the URL of an HTTP server. */
export function urlOf(server: Node): Node | undefined {
  return URL_KEYS.map((key) => propertyOf(server, key)).find((node) => node !== undefined);
}

function membersAt(server: Node, key: string): Member[] {
  const node = propertyOf(server, key);
  return node ? membersOf(node) : [];
}

function headersOf(server: Node): ConfiguredHeader[] {
  const bearer = propertyOf(server, 'bearer_token_env_var')?.value;
  return [
    ...HEADER_KEYS.flatMap((key) => membersAt(server, key)).map(({ name, node }) => ({
      name,
      value: String(node.value),
    })),
    ...membersAt(server, 'env_http_headers').map(({ name, node }) => ({ name, variable: String(node.value) })),
    ...(typeof bearer === 'string' ? [{ name: 'Authorization', variable: bearer, prefix: 'Bearer ' }] : []),
  ];
}
