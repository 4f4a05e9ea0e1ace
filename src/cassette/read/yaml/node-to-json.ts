import type { Document, Node, Pair } from 'yaml';
import { JSON_DEPTH_MAX, literalEnd } from '../../../protocol/json-scan.ts';
import { DuplicateKeys } from '../duplicate-keys.ts';
import { aliasTarget } from './alias-target.ts';
import { yamlPackage } from './load-yaml-package.ts';
import type { YamlField } from './yaml-field.ts';

/** YAML construct that a cassette must not contain. */
export interface UnsupportedYaml {
  why: string;
  /** Offset in the parsed text. */
  at: number;
}

/** Returns the fields of a mapping, except for `omitted`. Otherwise the reason why JSON cannot represent the node. */
export function fieldsOf(node: Node | null, document: Document, omitted?: string): YamlField[] | UnsupportedYaml {
  const writer = new JsonWriter(document);
  const fields = writer.fields(node, omitted);
  return fields ?? writer.refusal!;
}

/** Maximum number of aliases in one mapping. More is an attack or a mistake. */
const ALIASES_MAX = 1000;
const NODES_MAX = 1_000_000;

/** Maximum depth of an event's value: the levels of a message, plus the event. */
const DEPTH_MAX = JSON_DEPTH_MAX + 1;

/** Writer of nodes as JSON text, with the source text of numbers. A method that returns undefined has set `refusal`. */
class JsonWriter {
  refusal: UnsupportedYaml | undefined;
  readonly #document: Document;
  readonly #keys = new DuplicateKeys();
  #depth = 0;
  #nodes = 0;
  #aliases = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  fields(node: Node | null, omitted?: string): YamlField[] | undefined {
    const { isMap, isScalar } = yamlPackage();
    if (!isMap(node) || node.tag !== undefined) return this.#refuse(node, 'this is not a mapping of keys to values');
    const pairs = node.items as Pair<Node, Node | null>[];
    return this.#pairs(pairs.filter(({ key }) => !isScalar(key) || key.value !== omitted));
  }

  #value(node: Node | null): string | undefined {
    const { isAlias, isMap, isSeq, isScalar } = yamlPackage();
    if (node === null) return 'null';
    if (++this.#nodes > NODES_MAX) return this.#refuse(node, 'its aliases repeat too much');
    if (isAlias(node)) {
      if (++this.#aliases > ALIASES_MAX) return this.#refuse(node, `it has more than ${ALIASES_MAX} aliases`);
      const target = aliasTarget(node, this.#document);
      return target === undefined
        ? this.#refuse(node, `nothing is called "${node.source}"`)
        : this.#nested(node, () => this.#value(target));
    }
    if (node.tag !== undefined) return this.#refuse(node, `a cassette has no tags, and here is ${node.tag}`);
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return this.#nested(node, () => this.#elements(node.items as (Node | null)[]));
    if (isMap(node)) return this.#nested(node, () => this.#members(node.items as Pair<Node, Node | null>[]));
    return this.#refuse(node, 'it is not a value that JSON can hold');
  }

  #nested(node: Node, write: () => string | undefined): string | undefined {
    if (++this.#depth > DEPTH_MAX) return this.#refuse(node, `it is nested deeper than ${JSON_DEPTH_MAX} levels`);
    const json = write();
    this.#depth--;
    return json;
  }

  #elements(items: (Node | null)[]): string | undefined {
    const parts: string[] = [];
    for (const item of items) {
      const json = this.#value(item);
      if (json === undefined) return undefined;
      parts.push(json);
    }
    return `[${parts.join(',')}]`;
  }

  #members(items: Pair<Node, Node | null>[]): string | undefined {
    const fields = this.#pairs(items);
    return fields && `{${fields.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
  }

  #pairs(items: Pair<Node, Node | null>[]): YamlField[] | undefined {
    const { isScalar } = yamlPackage();
    const mark = this.#keys.open();
    const fields: YamlField[] = [];
    for (const { key: node, value } of items) {
      if (!isScalar(node) || node.tag !== undefined) return this.#refuse(node, 'a key is a text, and nothing else');
      const key = typeof node.value === 'string' ? node.value : (node.source ?? '');
      if (!this.#keys.add(key, mark)) return this.#refuse(node, `the key "${key}" stands there twice`);
      const json = this.#value(value);
      if (json === undefined) return undefined;
      fields.push({ key, json, at: node.range?.[0] ?? 0 });
    }
    this.#keys.close(mark);
    return fields;
  }

  #scalar(node: { value: unknown; source?: string }): string | undefined {
    const { value, source } = node;
    if (typeof value !== 'number') return JSON.stringify(value);
    if (source !== undefined && literalEnd(source, 0) === source.length) return source;
    return Number.isFinite(value)
      ? JSON.stringify(value)
      : this.#refuse(node as Node, `JSON has no number ${source}: put it in quotes if it is a text`);
  }

  #refuse(node: Node | null, why: string): undefined {
    this.refusal ??= { why, at: node?.range?.[0] ?? 0 };
  }
}
