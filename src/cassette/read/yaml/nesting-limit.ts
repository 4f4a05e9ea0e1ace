import type { CST } from 'yaml';

/**
 * Reports whether a syntax tree has more than `limit` levels of lists and mappings. Check this before composing a
 * document: that recurses, and a stack overflow there can end the process (V8 aborts if it is compiling a regular
 * expression at that moment).
 */
export function exceedsNestingLimit(token: CST.Token, limit: number): boolean {
  const waiting: [token: CST.Token, depth: number][] = [[token, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [parent, depth] = next;
    if (depth > limit) return true;
    for (const child of childrenOf(parent)) waiting.push([child, isCollection(child) ? depth + 1 : depth]);
  }
  return false;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!isCollection(token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

function isCollection(token: CST.Token): token is CST.BlockMap | CST.BlockSequence | CST.FlowCollection {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}
