import { yamlDocument } from '../read/yaml/full-yaml-reader.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';
import { namesText } from '../write/format-event.ts';
import type { EditableCassette } from './editable-cassette.ts';

/** A change of the header's text. */
export interface HeaderEdit {
  start: number;
  end: number;
  text: string;
}

/** Returns the edit that gives `redactRules` of a header these names. Undefined: the header has no place for them. */
export function redactRulesEdit({ head }: EditableCassette, names: readonly string[]): HeaderEdit | undefined {
  const { isMap, isNode } = yamlPackage();
  const { contents } = yamlDocument(head);
  if (!isMap(contents)) return undefined;
  const [known, format] = ['redactRules', 'format'].map((key) => contents.get(key, true) as unknown);
  if (isNode(known)) return { start: known.range![0], end: known.range![1], text: namesText(names) };
  const pair = contents.items.find(({ value }) => value === format);
  if (!isNode(format) || !isNode(pair?.key)) return undefined;
  const [at] = pair.key.range!;
  const [, end] = format.range!;
  const indent = head.text.slice(head.text.lastIndexOf('\n', at) + 1, at);
  const separator = contents.flow ? ', "redactRules": ' : `\n${indent}redactRules: `;
  return { start: end, end, text: separator + namesText(names) };
}
