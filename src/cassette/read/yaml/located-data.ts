import type { Document } from 'yaml';
import type { Place } from '../../../kernel/errors.ts';
import { placeOf, type SourceText } from '../source-text.ts';
import { yamlPackage } from './load-yaml-package.ts';
import { yamlDocument } from './parse-document.ts';

/** What a YAML file says, and where. */
export interface YamlData {
  value: unknown;
  /** Returns the place of the value at `path`, or of its nearest existing parent. */
  placeOf(path: readonly (string | number)[]): Place;
}

const ALIASES_MAX = 100;

/**
 * Reads any YAML as data.
 * @throws McpRecordError CASSETTE_DAMAGED where it is no YAML, too deep, or more than one document
 */
export function yamlData(source: SourceText): YamlData {
  const document = yamlDocument(source);
  return {
    value: document.toJS({ maxAliasCount: ALIASES_MAX }),
    placeOf: (path) => placeOf(source, offsetOf(document, path)),
  };
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  const { isMap, isNode, isScalar } = yamlPackage();
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const node = pair ? pair.key : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
