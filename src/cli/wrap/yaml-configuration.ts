import type { Node } from 'jsonc-parser';
import { yamlPackage } from '../../cassette/read/yaml/load-yaml-package.ts';
import { withoutStackTraces } from '../../cassette/read/yaml/without-stack-traces.ts';
import { BrokenConfiguration, type ConfigurationTree, objectNode } from './configuration-tree.ts';
import { flowValue, type ServerSyntax } from './server-entry-formatter.ts';
import { lineEndOf } from './text-edits.ts';

/** Characters that end a plain scalar between brackets, or begin a comment in it. */
const NOT_IN_BRACKETS = /[,[\]{}#\n]|: /;

type YamlMap = InstanceType<ReturnType<typeof yamlPackage>['YAMLMap']>;

const SHARED = 'has an anchor, an alias, a merge key or a tag (write its values out)';

/**
 * Parses YAML into values with their places. Aliases have no value.
 * @throws BrokenConfiguration
 */
export function yamlTree(text: string): ConfigurationTree {
  const { parseDocument, isMap, isSeq, isScalar, isAlias, isNode } = yamlPackage();
  const document = withoutStackTraces(() => parseDocument(text, { prettyErrors: false }));
  const [broken] = document.errors;
  if (broken) throw new BrokenConfiguration(broken.message, text.slice(0, broken.pos[0]).split('\n').length);
  const syntaxes = new Map<Node, ServerSyntax>();

  /** Reports whether another part of the document decides what a value is, or takes it from here. A tag would stay before another value. */
  const isShared = (value: unknown): boolean => {
    if (isAlias(value) || (isNode(value) && (value.anchor !== undefined || value.tag !== undefined))) return true;
    if (isMap(value)) return value.items.some(({ key, value: one }) => isMergeKey(key) || isShared(one));
    return isSeq(value) && value.items.some(isShared);
  };
  const isMergeKey = (key: unknown) => isScalar(key) && key.value === '<<';
  const obstaclesIn = (server: YamlMap): Pick<ServerSyntax, 'obstacle' | 'urlObstacle'> => {
    const changed = [server.get('command', true), server.get('args', true)];
    const isHeld =
      server.anchor !== undefined || server.tag !== undefined || server.items.some(({ key }) => isMergeKey(key));
    if (isHeld || changed.some(isShared)) return { obstacle: SHARED };
    return isShared(server) ? { urlObstacle: SHARED } : {};
  };

  const nodeOf = (value: unknown): Node => {
    if (isMap(value)) {
      const members = new Map(
        value.items.flatMap(({ key, value: one }) => (isScalar(key) && one ? [[String(key.value), nodeOf(one)]] : [])),
      );
      const node = objectNode(spanOf(value.range![0], value.flow ? value.range![1] : endOf(members.values())), members);
      const syntax = yamlSyntax(text, node, { isFlow: value.flow === true, values: value.toJSON() });
      syntaxes.set(node, { ...syntax, ...obstaclesIn(value) });
      return node;
    }
    if (isSeq(value)) {
      const children = value.items.map(nodeOf);
      return { type: 'array', ...spanOf(value.range![0], value.flow ? value.range![1] : endOf(children)), children };
    }
    if (!isScalar(value)) return { type: 'null', offset: 0, length: 0 };
    const span = spanOf(value.range![0], value.range![1]);
    return { type: typeof value.value === 'string' ? 'string' : 'null', value: value.value, ...span };
  };
  return { root: nodeOf(document.contents), syntaxOf: (server) => syntaxes.get(server)! };
}

function spanOf(offset: number, end: number): Pick<Node, 'offset' | 'length'> {
  return { offset, length: Math.max(0, end - offset) };
}

function endOf(nodes: Iterable<Node>): number {
  return Math.max(0, ...[...nodes].map(({ offset, length }) => offset + length));
}

/**
 * Returns the syntax of a YAML mapping. A server at a URL is rewritten as a flow mapping in braces, which needs no
 * lines of its own.
 */
function yamlSyntax(
  text: string,
  node: Node,
  { isFlow, values }: { isFlow: boolean; values: Record<string, unknown> },
): ServerSyntax {
  const column = node.offset - (text.lastIndexOf('\n', node.offset - 1) + 1);
  const command = node.children?.find(({ children }) => children?.[0]?.value === 'command')?.children?.[1];
  const spelled = command ? text.slice(command.offset, command.offset + command.length) : '';
  const isQuoted = /^["']/.test(spelled);
  return {
    gap: isFlow ? ', ' : lineEndOf(text) + ' '.repeat(column),
    member: (name, value) => `${name}: ${flowValue(value, ': ')}`,
    kept: (dropped) =>
      Object.entries(values)
        .filter(([name]) => !dropped.has(name))
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    server: (members) => `{ ${members.join(', ')} }`,
    ...(command?.type === 'string' &&
      (isQuoted ? spelled.includes('\n') : NOT_IN_BRACKETS.test(spelled)) && {
        obstacle: 'has a command that cannot stand in a list as it is spelled: put it in quotes',
      }),
  };
}
