import type { Document, Node, Pair, Scalar } from 'yaml';
import { aliasTarget } from '../read/yaml/alias-target.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';

/** Scalar key or value, with its span in the source. */
export interface ScalarNode {
  scalar: Scalar;
  /** Whether it is between brackets or braces, where fewer texts are valid without quotes. */
  isInFlow: boolean;
}

/**
 * Returns the scalars of `node` in order, keys before values. Undefined entries are omitted values. An alias gives the
 * scalars of its anchor.
 */
export function listScalarNodes(node: Node | null, document: Document): (ScalarNode | undefined)[] {
  const { isAlias, isMap, isSeq, isScalar } = yamlPackage();
  const leaves: (ScalarNode | undefined)[] = [];
  const visit = (one: Node | null, isInFlow: boolean): void => {
    const target = isAlias(one) ? (aliasTarget(one, document) ?? null) : one;
    if (isScalar(target)) leaves.push(target.range ? { scalar: target, isInFlow } : undefined);
    else if (isSeq(target)) {
      for (const item of target.items as (Node | null)[]) visit(item, isInFlow || target.flow === true);
    } else if (isMap(target)) {
      for (const { key, value } of target.items as Pair<Node, Node | null>[]) {
        visit(key, isInFlow || target.flow === true);
        visit(value, isInFlow || target.flow === true);
      }
    } else leaves.push(undefined);
  };
  visit(node, false);
  return leaves;
}
