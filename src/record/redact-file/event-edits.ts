import type { EditableEvent } from '../../cassette/edit/editable-cassette.ts';
import { listScalarNodes, type ScalarNode } from '../../cassette/edit/list-scalar-nodes.ts';
import { replacementScalars } from '../../cassette/edit/replacement-scalars.ts';
import { parseEvent } from '../../cassette/read/parse-event.ts';
import { yamlPackage } from '../../cassette/read/yaml/load-yaml-package.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Span } from '../../protocol/json-scan.ts';
import { type ChangedPart, changedFrameParts } from './changed-frame-parts.ts';

/** A span of a cassette with candidate spellings of its new content, most likely first. */
export interface RewriteOptions extends Span {
  texts: string[];
}

/** Returns the frame of an event. Undefined: it is the end of the recording. */
export function frameOf({ fields, source }: EditableEvent): Frame | undefined {
  return parseEvent({ fields, source, at: 0, since: 0 }).frame;
}

/**
 * Returns the edits that turn `frame` into `kept` within the source of `event`. They change single keys and values
 * only. Undefined: they cannot be located in the event's layout.
 */
export function eventEdits(event: EditableEvent, frame: Frame, kept: Frame): RewriteOptions[] | undefined {
  const { isMap } = yamlPackage();
  const { map, document } = event.node();
  if (!isMap(map)) return undefined;
  const edits: RewriteOptions[] = [];
  for (const part of changedFrameParts(frame, kept)) {
    const key = part.keys.find((name) => map.has(name));
    const node = key === undefined ? undefined : map.get(key, true);
    if (key === undefined || node === undefined) return undefined;
    const leaves = listScalarNodes(node, document);
    const texts = textsOf(part, key, yamlPackage().isScalar(node));
    if (texts.length !== leaves.length) return undefined;
    for (const [i, leaf] of leaves.entries()) {
      const text = texts[i];
      if (text !== undefined && leaf && saidBy(leaf) !== text) edits.push(edit(leaf, text, event));
    }
  }
  return edits;
}

/** Returns the value of a scalar. A key such as `1` is a text, although YAML reads a number. */
function saidBy({ scalar: { value, source } }: ScalarNode): unknown {
  return typeof value === 'string' ? value : (source ?? value);
}

function edit(leaf: ScalarNode, text: string, { source, at }: EditableEvent): RewriteOptions {
  const [start, end] = leaf.scalar.range!;
  const texts = replacementScalars(text, source.text.slice(start, end), leaf);
  return { start: at + start, end: at + end, texts };
}

/** Returns the new text of each scalar. Undefined: the scalar is not a text, so it is not a secret and stays. */
function textsOf({ text, bytes }: ChangedPart, key: string, isOne: boolean): (string | undefined)[] {
  if (isOne) return [key.endsWith('Bytes') ? Buffer.from(bytes).toString('base64') : text];
  return (text.match(LEAF) ?? []).map((token) => (token.startsWith('"') ? (JSON.parse(token) as string) : undefined));
}

/** Scalar token of JSON. */
const LEAF = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;
