import type { Node } from 'jsonc-parser';
import { propertiesOf, propertyOf } from './configuration.ts';
import { type Edit, lineEndOf } from './text-edits.ts';
import { gapBefore } from './wrap-command.ts';

/** Variable with the original text of a wrapped HTTP server, for its restoration. */
const ORIGINAL = 'MCP_RECORD_WRAPPED';

/** Keys that describe a server over HTTP. */
const OF_HTTP: ReadonlySet<string> = new Set(['url', 'serverUrl', 'type', 'transport', 'headers', 'env']);

/**
 * Syntax of a header name (RFC 9110, 5.1). Other text could be read as more than a name in the recorder's arguments:
 * `X: cmd:COMMAND`.
 */
const HEADER_NAME = /^[!#$%&'*+.^_\x60|~0-9A-Za-z-]+$/;

/** Returns a server's first invalid header name. */
export function badHeaderName(server: Node): string | undefined {
  const headers = propertyOf(server, 'headers');
  return (headers ? propertiesOf(headers) : []).map(({ name }) => name).find((name) => !HEADER_NAME.test(name));
}

/** Returns the header values of all configured servers. Most header values are credentials. */
export function headerValues(servers: readonly Node[]): string[] {
  return servers
    .map((server) => propertyOf(server, 'headers'))
    .flatMap((headers) => (headers ? propertiesOf(headers) : []))
    .map(({ node }) => String(node.value));
}

/**
 * Returns the edits that turn a server at a URL into a command that records it: `record --stdio --http URL`. Its
 * headers become variables, because process lists show arguments. Other members are kept.
 */
export function wrapUrl(text: string, server: Node, recorder: readonly string[]): Edit[] {
  const url = String(urlOf(server)!.value);
  const headers = propertyOf(server, 'headers');
  const variables = (headers ? propertiesOf(headers) : []).map(({ name, node }, index) => ({
    variable: `MCP_RECORD_HEADER_${index + 1}`,
    name,
    value: String(node.value),
  }));
  const [program = '', ...words] = recorder;
  const args = [
    ...words,
    '--stdio',
    '--http',
    url,
    ...variables.flatMap(({ name, variable }) => ['--header', `${name}: env:${variable}`]),
  ];
  const env = {
    ...Object.fromEntries(variables.map(({ variable, value }) => [variable, value])),
    [ORIGINAL]: text.slice(server.offset, server.offset + server.length),
  };
  const kept = propertiesOf(server)
    .filter(({ name }) => !OF_HTTP.has(name))
    .map(({ name, node }) => member(name, text.slice(node.offset, node.offset + node.length)));
  const members = [
    ...(propertyOf(server, 'type') ? [member('type', '"stdio"')] : []),
    member('command', JSON.stringify(program)),
    member('args', `[${args.map((word) => JSON.stringify(word)).join(', ')}]`),
    ...kept,
    member('env', JSON.stringify(env)),
  ];
  const gap = gapBefore(text, server);
  const close = gap === ' ' ? ' ' : lineEndOf(text) + closingIndent(text, server);
  return [
    {
      start: server.offset,
      end: server.offset + server.length,
      text: `{${gap}${members.join(`,${gap}`)}${close}}`,
    },
  ];
}

/**
 * Returns the edits that restore the original server, or `undefined` if the server is not wrapped. Later changes are
 * lost.
 */
export function unwrapUrl(server: Node): Edit[] | undefined {
  const env = propertyOf(server, 'env');
  const original = env && propertyOf(env, ORIGINAL)?.value;
  if (typeof original !== 'string') return undefined;
  return [{ start: server.offset, end: server.offset + server.length, text: original }];
}

/** Returns the URL of an HTTP server. */
export function urlOf(server: Node): Node | undefined {
  return propertyOf(server, 'url') ?? propertyOf(server, 'serverUrl');
}

function member(name: string, value: string): string {
  return `${JSON.stringify(name)}: ${value}`;
}

/** Returns the indentation of the object's closing brace. */
function closingIndent(text: string, { offset, length }: Node): string {
  return /[ \t]*$/.exec(text.slice(offset, offset + length - 1))![0];
}
