import type { Node } from 'jsonc-parser';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { JSON_DEPTH_MAX } from '../../protocol/json-scan.ts';
import { BrokenConfiguration, type ConfigurationTree, objectNode, TOO_DEEP } from './configuration-tree.ts';
import { flowValue, type ServerSyntax } from './server-entry-formatter.ts';
import { indentAt, lineEndOf } from './text-edits.ts';

type Entry = AST.TOMLKeyValue;

/** An object of the document, whose members can stand in several tables. */
interface TomlObject {
  members: Map<string, TomlObject | Node>;
  path: readonly string[];
  /** Index of the table with exactly this object's name. */
  index?: number;
  /** How many tables have this object's name, or a name within it. */
  tables: number;
  inline?: AST.TOMLInlineTable;
}

/**
 * Parses TOML into values with their places. A server's place is its table with the tables of its members that follow.
 * @throws BrokenConfiguration
 */
export function tomlTree(text: string): ConfigurationTree {
  try {
    return treeOf(text, parseTOML(text).body[0]);
  } catch (error) {
    if (error instanceof ParseError) throw new BrokenConfiguration(error.message, error.lineNumber);
    // The parser recurses into arrays, and has no limit of its own.
    if (error instanceof RangeError) throw new BrokenConfiguration(TOO_DEEP, 1);
    throw error;
  }
}

function treeOf(text: string, { body }: AST.TOMLTopLevelTable): ConfigurationTree {
  const tables = body.filter((one) => one.type === 'TOMLTable');
  const root = objectWith([]);
  for (const one of body) if (one.type === 'TOMLKeyValue') addEntry(root, one);
  for (const [index, one] of tables.entries()) if (one.kind === 'standard') addTable(root, one, index);
  for (const one of tables) countTable(root, one);
  const objects = new Map<Node, TomlObject>();
  const nodeOf = (object: TomlObject): Node => {
    const members = new Map(
      [...object.members].map(([name, member]) => [name, 'members' in member ? nodeOf(member) : member]),
    );
    const node = objectNode(spanOf(object, tables), members);
    objects.set(node, object);
    return node;
  };
  return { root: nodeOf(root), syntaxOf: (server) => syntaxIn(text, objects.get(server)!, tables) };
}

function objectWith(path: readonly string[]): TomlObject {
  return { members: new Map(), path, tables: 0 };
}

function addTable(root: TomlObject, table: AST.TOMLTable, index: number): void {
  const object = objectAt(root, table.resolvedKey.map(String), table);
  object.index = index;
  for (const entry of table.body) addEntry(object, entry);
}

function countTable(root: TomlObject, { resolvedKey }: AST.TOMLTable): void {
  let object = root;
  for (const name of resolvedKey) {
    const member = typeof name === 'string' ? object.members.get(name) : undefined;
    if (member === undefined || !('members' in member)) return;
    object = member;
    object.tables++;
  }
}

function addEntry(object: TomlObject, entry: Entry): void {
  const names = namesOf(entry);
  const at = objectAt(object, names.slice(0, -1), entry);
  at.members.set(names.at(-1)!, nodeOfValue(entry.value, [...at.path, names.at(-1)!]));
}

function objectAt(from: TomlObject, path: readonly string[], { loc }: AST.TOMLNode): TomlObject {
  if (from.path.length + path.length > JSON_DEPTH_MAX) throw new BrokenConfiguration(TOO_DEEP, loc.start.line);
  return path.reduce((object, name) => {
    const member = object.members.get(name);
    if (member !== undefined && 'members' in member) return member;
    const created = objectWith([...object.path, name]);
    object.members.set(name, created);
    return created;
  }, from);
}

function namesOf({ key }: Entry): string[] {
  return key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value));
}

function nodeOfValue(value: AST.TOMLContentNode, path: readonly string[]): TomlObject | Node {
  const [offset, end] = value.range;
  const span = { offset, length: end - offset };
  if (value.type === 'TOMLInlineTable') {
    const object: TomlObject = { ...objectWith(path), inline: value };
    for (const entry of value.body) addEntry(object, entry);
    return object;
  }
  if (value.type === 'TOMLArray') {
    const items = value.elements.map((element) => nodeOfValue(element, path));
    return {
      type: 'array',
      ...span,
      children: items.map((item) => ('members' in item ? { type: 'null', ...span } : item)),
    };
  }
  return { type: value.kind === 'string' ? 'string' : 'null', value: value.value, ...span };
}

function isWithin(path: readonly (string | number)[], outer: readonly string[]): boolean {
  return outer.every((name, index) => path[index] === name);
}

/** Returns a table and those within it that directly follow. */
function blockAt(index: number, { path }: TomlObject, tables: readonly AST.TOMLTable[]): readonly AST.TOMLTable[] {
  const block = [tables[index]!];
  for (let next = tables[index + 1]; next && isWithin(next.resolvedKey, path); next = tables[index + block.length])
    block.push(next);
  return block;
}

function spanOf(object: TomlObject, tables: readonly AST.TOMLTable[]): Pick<Node, 'offset' | 'length'> {
  if (object.inline) return { offset: object.inline.range[0], length: object.inline.range[1] - object.inline.range[0] };
  if (object.index === undefined) return { offset: 0, length: 0 };
  const block = blockAt(object.index, object, tables);
  const [start] = block[0]!.range;
  return { offset: start, length: block.at(-1)!.range[1] - start };
}

function syntaxIn(text: string, object: TomlObject, tables: readonly AST.TOMLTable[]): ServerSyntax {
  const member: ServerSyntax['member'] = (name, value) => `${name} = ${flowValue(value, ' = ')}`;
  if (object.inline) {
    const { body } = object.inline;
    const server = (members: readonly string[]) => `{ ${members.join(', ')} }`;
    return { gap: ', ', member, kept: (dropped) => keptEntries(text, body, dropped), server };
  }
  if (object.index === undefined) {
    const obstacle = 'is written with dotted keys';
    return { gap: '', member, kept: () => [], server: () => '', obstacle };
  }
  const { path } = object;
  const block = blockAt(object.index, object, tables);
  const table = block[0]!;
  const eol = lineEndOf(text);
  const gap = eol + indentAt(text, table.body[0]?.range[0] ?? table.range[0]);
  return {
    gap,
    member,
    kept: (dropped) => keptEntries(text, table.body, dropped),
    server: (members, dropped) => {
      const head = text.slice(table.range[0], text.indexOf(']', table.key.range[1]) + 1);
      const parts = block
        .filter((one) => one !== table && !dropped.has(String(one.resolvedKey[path.length])))
        .map(({ range: [start, end] }) => text.slice(start, end));
      return [[head, ...members].join(gap), ...parts].join(eol + eol);
    },
    ...(object.tables > block.length && { urlObstacle: 'has tables that stand apart in the file' }),
  };
}

function keptEntries(text: string, entries: readonly Entry[], dropped: ReadonlySet<string>): string[] {
  return entries
    .filter((entry) => !dropped.has(namesOf(entry)[0]!))
    .map(({ range: [start, end] }) => text.slice(start, end));
}
