import type { Node } from 'jsonc-parser';
import { propertiesOf, propertyOf } from './configuration.ts';
import { type Edit, lineEndOf } from './text-edits.ts';
import { gapBefore } from './wrap-command.ts';

/** The variable in which a server of HTTP waits, as it was written, until it is taken out again. */
const ORIGINAL = 'MCP_RECORD_WRAPPED';

/** Keys with which clients reach a server over HTTP rather than start one. */
const OF_HTTP: ReadonlySet<string> = new Set(['url', 'serverUrl', 'type', 'transport', 'headers', 'env']);

/** RFC 9110, 5.1. In the words of the recorder anything else could be read as more than a name: `X: cmd:COMMAND`. */
const HEADER_NAME = /^[!#$%&'*+.^_\x60|~0-9A-Za-z-]+$/;

/** Returns the first name in the headers of a server that is not the name of a header. */
export function badHeaderName(server: Node): string | undefined {
  const headers = propertyOf(server, 'headers');
  return (headers ? propertiesOf(headers) : []).map(({ name }) => name).find((name) => !HEADER_NAME.test(name));
}

/** Returns the values of the headers of all servers in a configuration: they are credentials, mostly. */
export function headerValues(servers: readonly Node[]): string[] {
  return servers
    .map((server) => propertyOf(server, 'headers'))
    .flatMap((headers) => (headers ? propertiesOf(headers) : []))
    .map(({ node }) => String(node.value));
}

/**
 * Turns a server at a URL into a command that records it: `record --stdio --http URL`. Its headers become variables, because
 * a list of processes shows arguments; what else stands in the object stays.
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

/** Puts the server back as it was written, whatever became of it since; undefined where it is none of ours. */
export function unwrapUrl(server: Node): Edit[] | undefined {
  const env = propertyOf(server, 'env');
  const original = env && propertyOf(env, ORIGINAL)?.value;
  if (typeof original !== 'string') return undefined;
  return [{ start: server.offset, end: server.offset + server.length, text: original }];
}

/** Where a server of HTTP is. */
export function urlOf(server: Node): Node | undefined {
  return propertyOf(server, 'url') ?? propertyOf(server, 'serverUrl');
}

function member(name: string, value: string): string {
  return `${JSON.stringify(name)}: ${value}`;
}

/** The indent of the object's closing brace. */
function closingIndent(text: string, { offset, length }: Node): string {
  return /[ \t]*$/.exec(text.slice(offset, offset + length - 1))![0];
}
