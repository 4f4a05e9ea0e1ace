import type { Node } from 'jsonc-parser';
import { yamlPackage } from '../../cassette/read/yaml/load-yaml-package.ts';
import { syntaxWithin, TOO_MANY_PARTS } from '../../cassette/read/yaml/nesting-limit.ts';
import { withoutStackTraces } from '../../cassette/read/yaml/without-stack-traces.ts';
import { JSON_DEPTH_MAX } from '../../protocol/json-scan.ts';
import { BrokenConfiguration, type ConfigurationTree, objectNode, TOO_DEEP } from './configuration-tree.ts';
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
  const { isMap, isSeq, isScalar, isAlias, isNode } = yamlPackage();
  const document = documentOf(text);
  const mappings = new Map<Node, YamlMap>();

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
      checkKeys(text, value);
      const members = new Map(
        value.items.flatMap(({ key, value: one }) => (isScalar(key) && one ? [[String(key.value), nodeOf(one)]] : [])),
      );
      const node = objectNode(spanOf(value.range![0], value.flow ? value.range![1] : endOf(members.values())), members);
      mappings.set(node, value);
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
  const syntaxOf = (server: Node): ServerSyntax => {
    const mapping = mappings.get(server)!;
    return { ...yamlSyntax(text, server, mapping), ...obstaclesIn(mapping) };
  };
  return { root: nodeOf(document.contents), syntaxOf };
}

/**
 * Parses the document of a text.
 * @throws BrokenConfiguration
 */
function documentOf(text: string) {
  const { Composer } = yamlPackage();
  const tokens = syntaxWithin(text, JSON_DEPTH_MAX);
  if (tokens === 'too deep') throw new BrokenConfiguration(TOO_DEEP, 1);
  if (tokens === 'too many parts') throw new BrokenConfiguration(TOO_MANY_PARTS, 1);
  // The check of the package compares every pair of keys.
  const composer = new Composer({ uniqueKeys: false });
  const [document, second] = withoutStackTraces(() => {
    const [first, other] = composer.compose(tokens, true, text.length);
    return [first, other];
  });
  const [broken] = document!.errors;
  if (broken) throw new BrokenConfiguration(broken.message, lineAt(text, broken.pos[0]));
  if (second) throw new BrokenConfiguration('a second document begins', lineAt(text, second.range[0]));
  return document!;
}

function checkKeys(text: string, { items }: YamlMap): void {
  const { isScalar } = yamlPackage();
  const known = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (known.has(key.value)) throw new BrokenConfiguration('Map keys must be unique', lineAt(text, key.range![0]));
    known.add(key.value);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function spanOf(offset: number, end: number): Pick<Node, 'offset' | 'length'> {
  return { offset, length: Math.max(0, end - offset) };
}

function endOf(nodes: Iterable<Node>): number {
  return [...nodes].reduce((end, { offset, length }) => Math.max(end, offset + length), 0);
}

/**
 * Returns the syntax of a YAML mapping. A server at a URL is rewritten as a flow mapping in braces, which needs no
 * lines of its own.
 */
function yamlSyntax(text: string, node: Node, mapping: YamlMap): ServerSyntax {
  const indent = () => ' '.repeat(node.offset - (text.lastIndexOf('\n', node.offset - 1) + 1));
  const command = node.children?.find(({ children }) => children?.[0]?.value === 'command')?.children?.[1];
  const spelled = command ? text.slice(command.offset, command.offset + command.length) : '';
  const isQuoted = /^["']/.test(spelled);
  return {
    gap: mapping.flow ? ', ' : lineEndOf(text) + indent(),
    member: (name, value) => `${name}: ${flowValue(value, ': ')}`,
    kept: (dropped) =>
      Object.entries(mapping.toJSON() as Record<string, unknown>)
        .filter(([name]) => !dropped.has(name))
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    server: (members) => `{ ${members.join(', ')} }`,
    ...(command?.type === 'string' &&
      (isQuoted ? spelled.includes('\n') : NOT_IN_BRACKETS.test(spelled)) && {
        obstacle: 'has a command that cannot stand in a list as it is spelled: put it in quotes',
      }),
  };
}
