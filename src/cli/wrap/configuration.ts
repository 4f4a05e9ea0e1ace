import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { McpRecordError } from '../../kernel/errors.ts';

/** A server in a client's configuration, with its place in the text. */
export interface ConfiguredServer {
  name: string;
  /** Object with the server's command or URL. */
  node: Node;
}

/**
 * Places of servers in configurations: Claude Desktop, Claude Code and Cursor use `mcpServers`, Claude Code also by
 * project; VS Code uses `servers`, or `mcp` in its settings. `*` stands for any key.
 */
const PLACES: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp', 'servers'],
  ['projects', '*', 'mcpServers'],
];

/** Parser options for comments and trailing commas, which clients and people write. */
const LENIENT = { allowTrailingComma: true, disallowComments: false };

/**
 * Returns the servers in a client's configuration, in order. The text is JSON with comments and trailing commas.
 * @throws McpRecordError WRAP_NOT_A_CONFIGURATION
 */
export function serversIn(text: string, file: string): ConfiguredServer[] {
  const errors: ParseError[] = [];
  // A byte order mark is replaced by a blank, so that offsets are kept.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, LENIENT);
  if (root === undefined || errors.length > 0) {
    const line = text.slice(0, errors[0]?.offset ?? 0).split('\n').length;
    throw notAConfiguration(`${file}:${line}`, 'it is no JSON there');
  }
  const places = PLACES.flatMap((path) => nodesAt(root, path));
  if (places.length === 0) throw notAConfiguration(file, 'it has neither "mcpServers" nor "servers"');
  return places.flatMap(propertiesOf).filter(({ node }) => node.type === 'object');
}

function nodesAt(node: Node, [step, ...rest]: readonly string[]): Node[] {
  if (step === undefined) return [node];
  return propertiesOf(node)
    .filter(({ name }) => step === '*' || name === step)
    .flatMap((property) => nodesAt(property.node, rest));
}

/** Returns the members of an object by name. Other values give an empty list. */
export function propertiesOf(node: Node): ConfiguredServer[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ name: String(key.value), node: value }] : [],
  );
}

export function propertyOf(node: Node, name: string): Node | undefined {
  return propertiesOf(node).find((property) => property.name === name)?.node;
}

function notAConfiguration(file: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'WRAP_NOT_A_CONFIGURATION',
    what: `Cannot find servers in ${file}`,
    why,
    next: 'Name the file in which the client keeps its MCP servers: docs/wrap.md lists them.',
  });
}
