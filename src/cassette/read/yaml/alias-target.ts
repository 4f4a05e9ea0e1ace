import type { Alias, Document, Node } from 'yaml';
import { yamlPackage } from './load-yaml-package.ts';

/** Node of each alias, by document. */
const targets = new WeakMap<Document, ReadonlyMap<Alias, Node>>();

/**
 * Returns the node that an alias repeats: the last one before it with the anchor of its name. Undefined: there is none.
 * It looks through a document once. `Alias.resolve` does so for each alias, and a stranger's file may have millions.
 */
export function aliasTarget(alias: Alias, document: Document): Node | undefined {
  let known = targets.get(document);
  if (known === undefined) {
    known = targetsIn(document);
    targets.set(document, known);
  }
  return known.get(alias);
}

function targetsIn(document: Document): ReadonlyMap<Alias, Node> {
  const { isAlias, visit } = yamlPackage();
  const found = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      const target = anchors.get(node.source);
      if (target !== undefined) found.set(node, target);
    },
  });
  return found;
}
