import type { Node, Pair } from 'yaml';
import { elementsIn, membersIn, type Span } from '../../protocol/json-scan.ts';
import { parseEvent } from '../read/parse-event.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';
import { jsonToYaml } from '../write/json-to-yaml.ts';
import type { EditableEvent } from './editable-cassette.ts';
import { commentsIn } from './find-comment-spans.ts';
import { replacementScalars } from './replacement-scalars.ts';

/** New text for a span of the cassette. */
export interface ValueEdit extends Span {
  text: string;
}

/** Keys of an event that hold a message. */
export const MESSAGE_KEYS: readonly string[] = ['client', 'server', 'clientBytes', 'serverBytes'];

/**
 * Returns the edits that make an event's message `after`, which is JSON without white space. Values that stay keep their
 * spelling. An object with other keys, or a list with another length, is written anew. Undefined: the message has a
 * layout that cannot be edited so, such as an alias.
 */
export function messageValueEdits(event: EditableEvent, after: string): ValueEdit[] | undefined {
  const { isMap, isNode } = yamlPackage();
  const { map } = event.node();
  const { frame } = parseEvent({ fields: event.fields, source: event.source, at: 0, since: 0 });
  if (!isMap(map) || frame?.kind !== 'message') return undefined;
  const key = MESSAGE_KEYS.find((name) => map.has(name));
  const node = key === undefined ? undefined : map.get(key, true);
  if (key === undefined || !isNode(node)) return undefined;
  const editor = new ValueEditor(event.source.text, event.at);
  if (key.endsWith('Bytes')) return editor.text(node, Buffer.from(after).toString('base64'));
  return editor.value(node, { before: frame.json.text, after }) ?? editor.text(node, after);
}

/** Edit of a message's value: JSON before and after. */
interface Change {
  before: string;
  after: string;
}

class ValueEditor {
  readonly #source: string;
  /** Offset of the source in the cassette. */
  readonly #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  /** Returns the edit that replaces the text of a scalar. Undefined: the node is not a scalar. */
  text(node: Node, text: string): ValueEdit[] | undefined {
    const { isScalar } = yamlPackage();
    if (!isScalar(node) || !node.range) return undefined;
    const source = this.#source.slice(node.range[0], node.range[1]);
    return this.#replace(node, replacementScalars(text, source, { scalar: node, isInFlow: false })[0]!);
  }

  /** Returns the edits of a value. Undefined: its parent has to be written anew. */
  value(node: Node | null, change: Change, isInFlow = false): ValueEdit[] | undefined {
    const { isCollection, isScalar } = yamlPackage();
    const { before, after } = change;
    if (before === after) return [];
    if (isScalar(node) && node.range) return this.#scalar(node, after, isInFlow);
    if (!isCollection(node)) return undefined;
    return this.#parts(node, change, isInFlow) ?? this.#anew(node, change);
  }

  #scalar(node: Node, after: string, isInFlow: boolean): ValueEdit[] | undefined {
    const { isScalar } = yamlPackage();
    if (!isScalar(node) || !node.range) return undefined;
    if (isFilled(after) && !isInFlow) return undefined;
    if (!after.startsWith('"')) return this.#replace(node, after);
    const source = this.#source.slice(node.range[0], node.range[1]);
    return this.#replace(node, replacementScalars(JSON.parse(after), source, { scalar: node, isInFlow })[0]!);
  }

  /**
   * Returns edits of single members or elements. Undefined: the keys or the number of elements changed, or a part
   * cannot be edited in place.
   */
  #parts(node: Node, { before, after }: Change, isOuterFlow: boolean): ValueEdit[] | undefined {
    const { isMap, isSeq } = yamlPackage();
    const isInFlow = isOuterFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    const nodes = childrenOf(node);
    const [old, now] = [partsOf(before), partsOf(after)];
    const isSame = before[0] === after[0] && old.length === now.length && nodes?.length === now.length;
    if (!isSame || now.some(({ key }, n) => key !== old[n]!.key)) return undefined;
    const edits = nodes.map((child, n) => this.value(child, { before: old[n]!.text, after: now[n]!.text }, isInFlow));
    return edits.every((edit) => edit !== undefined) ? edits.flat() : undefined;
  }

  /** Returns the edit that writes an object or list anew, in its style. */
  #anew(node: Node, { before, after }: Change): ValueEdit[] | undefined {
    const { isMap, isSeq } = yamlPackage();
    if (!(isMap(node) || isSeq(node)) || !node.range) return undefined;
    if (node.flow) return this.#replace(node, after);
    // Rewriting a block would lose its comments.
    const hasComment = commentsIn(this.#source.slice(node.range[0], node.range[1])).length > 0;
    if (hasComment) return undefined;
    if (!isFilled(after)) return this.#inline(node, after);
    if (before[0] !== after[0]) return undefined;
    const column = node.range[0] - (this.#source.lastIndexOf('\n', node.range[0] - 1) + 1);
    const block = jsonToYaml(after, column - INDENT);
    return block === undefined ? undefined : this.#replace(node, block.trimStart());
  }

  /** Replaces a block by a value of one line, which stands behind its key. */
  #inline(node: Node, text: string): ValueEdit[] {
    const [{ start, end }] = this.#replace(node, text) as [ValueEdit];
    const before = this.#source.slice(0, start - this.#at);
    const blanks = before.length - before.trimEnd().length;
    const isBelowKey = before.trimEnd().endsWith(':');
    return [isBelowKey ? { start: start - blanks, end, text: ` ${text}` } : { start, end, text }];
  }

  /** Blank lines and line breaks after a value stay. */
  #replace({ range }: Node, text: string): ValueEdit[] {
    const [start, end] = range!;
    const blanks = /\s*$/.exec(this.#source.slice(start, end))![0];
    const kept = /\s$/.test(text) ? 0 : blanks.length;
    return [{ start: this.#at + start, end: this.#at + end - kept, text }];
  }
}

/** Indentation of the cassette writer. */
const INDENT = 2;

/** Reports whether a value is an object or list with content, which takes lines of its own in a block. */
function isFilled(json: string): boolean {
  return /^[[{]/.test(json) && json !== '{}' && json !== '[]';
}

function partsOf(json: string): { key?: string; text: string }[] {
  const slice = ({ start, end }: Span) => json.slice(start, end);
  if (json.startsWith('{')) return membersIn(json).map((member) => ({ key: member.key, text: slice(member) }));
  return elementsIn(json).map((element) => ({ text: slice(element) }));
}

function childrenOf(node: Node): (Node | null)[] | undefined {
  const { isMap, isSeq } = yamlPackage();
  if (isMap(node)) return (node.items as Pair<Node, Node | null>[]).map(({ value }) => value);
  return isSeq(node) ? (node.items as (Node | null)[]) : undefined;
}
