import type { Node } from 'jsonc-parser';
import { JSON_DEPTH_MAX } from '../../protocol/json-scan.ts';
import type { ServerSyntax } from './server-entry-formatter.ts';

/** Parsed configuration with source positions, and the syntax of its server entries. */
export interface ConfigurationTree {
  root: Node;
  /** Returns the syntax of a server entry in the tree. */
  syntaxOf(server: Node): ServerSyntax;
}

/** What is wrong with lists and mappings beyond `JSON_DEPTH_MAX`. Functions that walk their tree recurse. */
export const TOO_DEEP: string = `nested deeper than ${JSON_DEPTH_MAX} levels`;

/** Error for a text that breaks the rules of its format. */
export class BrokenConfiguration extends Error {
  /** Line number, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Returns an object with members, for formats whose parser has another tree. */
export function objectNode(span: Pick<Node, 'offset' | 'length'>, members: ReadonlyMap<string, Node>): Node {
  const children = [...members].map(([name, value]): Node => {
    const { offset, length } = value;
    return { type: 'property', offset, length, children: [{ type: 'string', value: name, offset, length: 0 }, value] };
  });
  return { type: 'object', ...span, children };
}
