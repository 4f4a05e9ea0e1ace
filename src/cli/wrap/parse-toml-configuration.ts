import type { Node } from 'jsonc-parser';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { BrokenConfiguration, type ConfigurationTree, objectNode } from './configuration-tree.ts';
import { flowValue, type ServerSyntax } from './server-entry-formatter.ts';
import { indentAt, lineEndOf } from './text-edits.ts';

type Entry = AST.TOMLKeyValue;

/** An object of the document, whose members can stand in several tables. */
interface TomlObject {
  members: Map<string, TomlObject | Node>;
  path: readonly string[];
  /** Table with exactly this object's name. */
  table?: AST.TOMLTable;
  inline?: AST.TOMLInlineTable;
}

/**
 * Parses TOML into values with their places. A server's place is its table with the tables of its members that follow.
 * @throws BrokenConfiguration
 */
export function tomlTree(text: string): ConfigurationTree {
  const { body } = topLevelOf(text);
  const tables = body.filter((one) => one.type === 'TOMLTable');
  const root: TomlObject = { members: new Map(), path: [] };
  for (const one of body) {
    if (one.type === 'TOMLKeyValue') addEntry(root, one);
    else if (one.kind === 'standard') addTable(root, one);
  }
  const syntaxes = new Map<Node, ServerSyntax>();
  const nodeOf = (object: TomlObject): Node => {
    const members = new Map(
      [...object.members].map(([name, member]) => [name, 'members' in member ? nodeOf(member) : member]),
    );
    const node = objectNode(spanOf(object, tables), members);
    syntaxes.set(node, syntaxIn(text, object, tables));
    return node;
  };
  return { root: nodeOf(root), syntaxOf: (server) => syntaxes.get(server)! };
}

function topLevelOf(text: string): AST.TOMLTopLevelTable {
  try {
    return parseTOML(text).body[0];
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new BrokenConfiguration(error.message, error.lineNumber);
  }
}

function addTable(root: TomlObject, table: AST.TOMLTable): void {
  const object = objectAt(root, table.resolvedKey.map(String));
  object.table = table;
  for (const entry of table.body) addEntry(object, entry);
}

function addEntry(object: TomlObject, entry: Entry): void {
  const names = namesOf(entry);
  const at = objectAt(object, names.slice(0, -1));
  at.members.set(names.at(-1)!, nodeOfValue(entry.value, [...at.path, names.at(-1)!]));
}

function objectAt(from: TomlObject, path: readonly string[]): TomlObject {
  return path.reduce((object, name) => {
    const member = object.members.get(name);
    if (member !== undefined && 'members' in member) return member;
    const created: TomlObject = { members: new Map(), path: [...object.path, name] };
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
    const object: TomlObject = { members: new Map(), path, inline: value };
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

/** Returns an object's table and the tables within it that directly follow. */
function blockOf({ table, path }: TomlObject, tables: readonly AST.TOMLTable[]): readonly AST.TOMLTable[] {
  const start = tables.indexOf(table!);
  const next = tables.findIndex((one, index) => index > start && !isWithin(one.resolvedKey, path));
  return tables.slice(start, next < 0 ? undefined : next);
}

function spanOf(object: TomlObject, tables: readonly AST.TOMLTable[]): Pick<Node, 'offset' | 'length'> {
  if (object.inline) return { offset: object.inline.range[0], length: object.inline.range[1] - object.inline.range[0] };
  if (!object.table) return { offset: 0, length: 0 };
  const [start] = object.table.range;
  return { offset: start, length: blockOf(object, tables).at(-1)!.range[1] - start };
}

function syntaxIn(text: string, object: TomlObject, tables: readonly AST.TOMLTable[]): ServerSyntax {
  const member: ServerSyntax['member'] = (name, value) => `${name} = ${flowValue(value, ' = ')}`;
  if (object.inline) {
    const { body } = object.inline;
    const server = (members: readonly string[]) => `{ ${members.join(', ')} }`;
    return { gap: ', ', member, kept: (dropped) => keptEntries(text, body, dropped), server };
  }
  if (!object.table) {
    const obstacle = 'is written with dotted keys';
    return { gap: '', member, kept: () => [], server: () => '', obstacle };
  }
  const { table, path } = object;
  const block = blockOf(object, tables);
  const isApart = tables.some((one) => isWithin(one.resolvedKey, path) && !block.includes(one));
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
    ...(isApart && { urlObstacle: 'has tables that stand apart in the file' }),
  };
}

function keptEntries(text: string, entries: readonly Entry[], dropped: ReadonlySet<string>): string[] {
  return entries
    .filter((entry) => !dropped.has(namesOf(entry)[0]!))
    .map(({ range: [start, end] }) => text.slice(start, end));
}
