import type { Node, Pair } from 'yaml';
import { countBreaks } from '../read/source-text.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';
import type { EditableEvent } from './editable-cassette.ts';
import { MESSAGE_KEYS } from './value-edits.ts';

/**
 * Returns the line of a place in the message of an event, from 1. `path` begins at the message. If the message does not
 * have the place, the line is that of the innermost part around it.
 */
export function lineOfPlace({ node, source }: EditableEvent, path: readonly string[]): number {
  const { map } = node();
  const key = yamlPackage().isMap(map) ? MESSAGE_KEYS.find((name) => map.has(name)) : undefined;
  let start = map?.range?.[0] ?? 0;
  let part: Node | null | undefined = map;
  for (const step of key === undefined ? [] : [key, ...path]) {
    const inner = innerPart(part, step);
    if (inner === undefined) break;
    start = inner.begin.range?.[0] ?? start;
    part = inner.value;
  }
  return source.line + countBreaks(source.text, 0, start);
}

/** Returns a member of a mapping or an item of a list, and the node with which it begins. */
function innerPart(part: Node | null | undefined, step: string): { begin: Node; value: Node | null } | undefined {
  const { isMap, isScalar, isSeq } = yamlPackage();
  if (isMap(part)) {
    const members = part.items as Pair<Node, Node | null>[];
    const member = members.find(({ key }) => isScalar(key) && String(key.value) === step);
    return member && { begin: member.key, value: member.value };
  }
  const item = isSeq(part) ? (part.items[Number(step)] as Node | undefined) : undefined;
  return item && { begin: item, value: item };
}
