import { type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { McpRecordError } from '../../kernel/errors.ts';
import { JSON_DEPTH_MAX } from '../../protocol/json-scan.ts';
import { BrokenConfiguration, type ConfigurationTree, TOO_DEEP } from './configuration-tree.ts';
import { extensionServers } from './extension-manifest.ts';
import { tomlTree } from './parse-toml-configuration.ts';
import { jsonSyntax, type Member, membersOf, propertyOf, type ServerSyntax } from './server-entry-formatter.ts';
import { yamlTree } from './yaml-configuration.ts';

/** A server in a client's configuration, with its place in the text. */
export interface ConfiguredServer {
  name: string;
  /** Object with the server's command or URL. */
  node: Node;
  syntax: ServerSyntax;
}

/**
 * Places of servers in configurations: most clients use `mcpServers`, Claude Code also by project; VS Code uses `servers`, or `mcp` in its settings; Zed
 * uses `context_servers`, Codex `mcp_servers`. `*` stands for any key.
 */
const PLACES: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp', 'servers'],
  ['projects', '*', 'mcpServers'],
  ['context_servers'],
  ['mcp_servers'],
];

/** OpenCode keeps servers beside other members of `mcp`. Its servers have one of these types. */
const OPENCODE_PLACE: readonly string[] = ['mcp'];
const OPENCODE_TYPES: ReadonlySet<unknown> = new Set(['local', 'remote']);

/** Parser options for comments and trailing commas, which clients and people write. */
const LENIENT = { allowTrailingComma: true, disallowComments: false };

/** Name and parser of each format. */
const FORMATS = {
  json: { called: 'JSON', tree: jsonTree },
  toml: { called: 'TOML', tree: tomlTree },
  yaml: { called: 'YAML', tree: yamlTree },
} as const;

/**
 * Returns the servers in a client's configuration, in order. The text is TOML or YAML if the file is called so, else JSON with comments and trailing commas.
 * @throws McpRecordError WRAP_NOT_A_CONFIGURATION
 */
export function serversIn(text: string, file: string): ConfiguredServer[] {
  const servers = placedServers(text, file);
  if (servers === undefined) {
    throw notAConfiguration(
      file,
      'it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "mcp" of OpenCode, or "server" of an extension',
    );
  }
  return servers;
}

/**
 * Returns the servers as {@link serversIn} does. Undefined: the file has no place for servers.
 * @throws McpRecordError WRAP_NOT_A_CONFIGURATION if it breaks the rules of its format
 */
export function placedServers(text: string, file: string): ConfiguredServer[] | undefined {
  const { root, syntaxOf } = treeOf(text, file);
  const extension = extensionServers(root);
  if (extension !== undefined)
    return extension.map(({ name, node, obstacle }) => ({
      name,
      node,
      syntax: { ...syntaxOf(node), ...(obstacle !== undefined && { obstacle }) },
    }));
  const places = PLACES.flatMap((path) => nodesAt(root, path));
  const mcp = nodesAt(root, OPENCODE_PLACE);
  // Without servers, its members are objects too: those that turn off a server of another file.
  const isOfOpenCode = mcp.some(
    (one) => one.type === 'object' && membersOf(one).every(({ node }) => node.type === 'object'),
  );
  const ofOpenCode = mcp.flatMap(membersOf).filter(({ node }) => OPENCODE_TYPES.has(propertyOf(node, 'type')?.value));
  if (places.length === 0 && ofOpenCode.length === 0 && !isOfOpenCode) return undefined;
  return [...places.flatMap(serversAt), ...ofOpenCode]
    .filter(({ node }) => node.type === 'object')
    .map(({ name, node }) => ({ name, node, syntax: syntaxOf(node) }));
}

/** Returns the members of a mapping of servers, or the items of a list of servers with names. */
function serversAt(place: Node): Member[] {
  if (place.type !== 'array') return membersOf(place);
  return (place.children ?? []).flatMap((node) => {
    const name = propertyOf(node, 'name')?.value;
    return typeof name === 'string' ? [{ name, node }] : [];
  });
}

function treeOf(text: string, file: string): ConfigurationTree {
  const [, extension = ''] = /\.(toml|ya?ml)$/i.exec(file) ?? [];
  const { called, tree } = FORMATS[extension === '' ? 'json' : extension.toLowerCase() === 'toml' ? 'toml' : 'yaml'];
  try {
    // A byte order mark is replaced by a blank, so that offsets are kept. In YAML, a blank would be an indentation.
    return tree(called === 'YAML' ? text : text.replace(/^\ufeff/, ' '));
  } catch (error) {
    if (!(error instanceof BrokenConfiguration)) throw error;
    throw notAConfiguration(`${file}:${error.line}`, `it is no ${called} there (${error.message})`);
  }
}

function jsonTree(text: string): ConfigurationTree {
  checkJson(text);
  const root = parseTree(text, [], LENIENT);
  if (root === undefined) throw new BrokenConfiguration('nothing stands there', 1);
  return { root, syntaxOf: (server) => jsonSyntax(text, server) };
}

/** Refuses JSON at its first error, and where it is too deep for the parser of trees. */
function checkJson(text: string): void {
  let depth = 0;
  const refuse = (why: string, line: number) => {
    throw new BrokenConfiguration(why, line + 1);
  };
  const open = (_offset: number, _length: number, line: number) => {
    if (++depth > JSON_DEPTH_MAX) refuse(TOO_DEEP, line);
  };
  const close = () => {
    depth--;
  };
  const onError: JSONVisitor['onError'] = (error, _offset, _length, line) => refuse(printParseErrorCode(error), line);
  const visitor = { onObjectBegin: open, onArrayBegin: open, onObjectEnd: close, onArrayEnd: close, onError };
  visit(text, visitor, LENIENT);
}

function nodesAt(node: Node, [step, ...rest]: readonly string[]): Node[] {
  if (step === undefined) return [node];
  return membersOf(node)
    .filter(({ name }) => step === '*' || name === step)
    .flatMap((member) => nodesAt(member.node, rest));
}

function notAConfiguration(file: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'WRAP_NOT_A_CONFIGURATION',
    what: `Cannot find servers in ${file}`,
    why,
    next: 'Name the file in which the client keeps its MCP servers: docs/wrap.md lists them.',
  });
}
