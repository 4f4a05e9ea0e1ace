import type { Document, Node } from 'yaml';
import { JSON_DEPTH_MAX } from '../../../protocol/json-scan.ts';
import { badHeader, damaged } from '../../cassette-errors.ts';
import { ONE_LIST } from '../parse-header.ts';
import type { ParsedField } from '../parsed-field.ts';
import type { SourceText } from '../source-text.ts';
import { yamlPackage } from './load-yaml-package.ts';
import { isDeeper } from './nesting-limit.ts';
import { fieldsOf } from './node-to-json.ts';

/** Text longer than this is not given to the `yaml` package, which needs some 45 times its size in memory. */
export const YAML_LENGTH_MAX: number = 16 * 1024 * 1024;
const LENGTH_MAX_TEXT = '16 MiB';

/**
 * The mapping that `source` holds, as fields; `at` of each counts in the source.
 * @throws McpRecordError CASSETTE_DAMAGED where it is no YAML, no mapping, or more than JSON could hold
 */
export function yamlMapping(source: SourceText): ParsedField[] {
  const document = yamlDocument(source);
  return mapping(document.contents, { document, source });
}

/**
 * The mappings of a list, as {@link yamlMapping} of each.
 * @throws McpRecordError CASSETTE_DAMAGED likewise, or where it is no list
 */
export function yamlList(source: SourceText): ParsedField[][] {
  const document = yamlDocument(source);
  return list(document.contents, document, source).map(({ fields }) => fields);
}

/** A whole cassette, whatever its shape. */
export interface YamlCassette {
  header: ParsedField[];
  /** Undefined: it has no `events`. */
  events: { fields: ParsedField[]; at: number }[] | undefined;
}

/**
 * The header and events of a whole cassette.
 * @throws McpRecordError CASSETTE_DAMAGED likewise
 */
export function yamlCassette(source: SourceText): YamlCassette {
  const { isMap, isScalar } = yamlPackage();
  const document = yamlDocument(source);
  const { contents } = document;
  if (!isMap(contents)) throw damaged({ source, at: 0 }, 'this is no mapping of keys to values');
  const [pair, second] = contents.items.filter(({ key }) => isScalar(key) && key.value === 'events');
  if (second !== undefined) {
    const at = (second.key as Node).range?.[0] ?? 0;
    throw badHeader({ source, at }, 'the key "events" stands there twice', ONE_LIST);
  }
  const header = mapping(contents as Node, { document, source, omitted: 'events' });
  if (pair === undefined) return { header, events: undefined };
  const value = (pair.value ?? null) as Node | null;
  const isEmpty = value === null || (isScalar(value) && value.value === null);
  return { header, events: isEmpty ? [] : list(value, document, source) };
}

function list(node: Node | null, document: Document, source: SourceText): { fields: ParsedField[]; at: number }[] {
  const { isSeq, isAlias } = yamlPackage();
  if (!isSeq(node)) throw damaged({ source, at: node?.range?.[0] ?? 0 }, 'this is no list of events');
  return (node.items as (Node | null)[]).map((item) => {
    const target = isAlias(item) ? (item.resolve(document) ?? null) : item;
    return { fields: mapping(target, { document, source }), at: item?.range?.[0] ?? 0 };
  });
}

interface Context {
  document: Document;
  source: SourceText;
  omitted?: string;
}

function mapping(node: Node | null, { document, source, omitted }: Context): ParsedField[] {
  const fields = fieldsOf(node, document, omitted);
  if (Array.isArray(fields)) return fields;
  throw damaged({ source, at: fields.at }, fields.why);
}

/** @throws McpRecordError CASSETTE_DAMAGED where it is no YAML, too long, too deep, or more than one document */
export function yamlDocument(source: SourceText): Document {
  if (source.text.length > YAML_LENGTH_MAX)
    throw damaged({ source, at: 0 }, `no recorder lays it out so, and it is longer than ${LENGTH_MAX_TEXT}`);
  const { Composer, Parser } = yamlPackage();
  const tokens = [...new Parser().parse(source.text)];
  if (tokens.some((token) => isDeeper(token, LEVELS_MAX)))
    throw damaged({ source, at: 0 }, `it is nested deeper than ${JSON_DEPTH_MAX} levels`);
  const [document, second] = new Composer(OPTIONS).compose(tokens, true, source.text.length);
  if (document === undefined || second !== undefined)
    throw damaged({ source, at: second?.range[0] ?? 0 }, 'a second document begins');
  const error = document.errors[0] ?? document.warnings[0];
  if (error === undefined) return document as Document;
  // What is missing is missed at the very end; the last line shows it better.
  const at = Math.min(error.pos[0], source.text.trimEnd().length);
  throw damaged({ source, at }, inOneClause(error.message));
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  // Looks at every pair of keys; ours does not.
  uniqueKeys: false,
} as const;

/** Nesting levels of a message plus those of the cassette around it. */
const LEVELS_MAX = JSON_DEPTH_MAX + 3;

function inOneClause(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}
