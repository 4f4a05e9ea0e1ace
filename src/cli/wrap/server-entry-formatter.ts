import type { Node } from 'jsonc-parser';
import { indentAt, lineEndOf, quoted } from './text-edits.ts';

/** Value of a member that wrapping adds. */
export type MemberValue = string | readonly string[] | Readonly<Record<string, string>>;

/** Syntax of a server entry in a configuration. */
export interface ServerSyntax {
  /** Separator between two members. */
  gap: string;
  /** Returns the text of a new member. */
  member(name: string, value: MemberValue): string;
  /** Returns the source texts of the server's members, except those in `dropped`. */
  kept(dropped: ReadonlySet<string>): string[];
  /**
   * Returns the text of a server with these members. Also keeps TOML subtables of the server, except those in
   * `dropped`.
   */
  server(members: readonly string[], dropped: ReadonlySet<string>): string;
  /** Reason for leaving the server unchanged. Absent: the server can be wrapped. */
  obstacle?: string;
  /** Reason for leaving a server at a URL unchanged. */
  urlObstacle?: string;
}

/** Returns the syntax of a server in JSON. */
export function jsonSyntax(text: string, server: Node): ServerSyntax {
  const gap = gapBefore(text, server);
  const close = gap === ' ' ? ' ' : lineEndOf(text) + closingIndent(text, server);
  return {
    gap: `,${gap}`,
    member: (name, value) => `${quoted(name)}: ${flowValue(value, ': ')}`,
    kept: (dropped) => keptMembers(text, server, dropped, (name) => `${quoted(name)}: `),
    server: (members) => `{${gap}${members.join(`,${gap}`)}${close}}`,
  };
}

/** Returns the spelling of members by their names. */
export function keptMembers(
  text: string,
  server: Node,
  dropped: ReadonlySet<string>,
  head: (name: string) => string,
): string[] {
  return membersOf(server)
    .filter(({ name }) => !dropped.has(name))
    .map(({ name, node: { offset, length } }) => head(name) + text.slice(offset, offset + length));
}

/** Returns a value on one line. `colon` stands between the names and values of a mapping. */
export function flowValue(value: MemberValue, colon: string): string {
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return `[${value.map(quoted).join(', ')}]`;
  const members = Object.entries(value).map(([name, one]) => `${quoted(name)}${colon}${quoted(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isList(value: MemberValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Member of an object: name and value. */
export interface Member {
  name: string;
  node: Node;
}

/** Returns the members of an object by name, or nothing for other values. */
export function membersOf(node: Node): Member[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ name: String(key.value), node: value }] : [],
  );
}

/** Returns a member of an object. */
export function propertyOf(node: Node, name: string): Node | undefined {
  return membersOf(node).find((member) => member.name === name)?.node;
}

/** Returns the separator of two members of an object in JSON: a blank, or a line break with indentation. */
function gapBefore(text: string, server: Node): string {
  const [first] = server.children ?? [];
  const isOnLines = first !== undefined && text.slice(server.offset, first.offset).includes('\n');
  return isOnLines ? lineEndOf(text) + indentAt(text, first.offset) : ' ';
}

/** Returns the indentation of the object's closing brace. */
function closingIndent(text: string, { offset, length }: Node): string {
  const end = offset + length - 1;
  let start = end;
  while (/[ \t]/.test(text[start - 1]!)) start--;
  return text.slice(start, end);
}
