import type { Document, Node, YAMLError } from 'yaml';
import { JSON_DEPTH_MAX } from '../../../protocol/json-scan.ts';
import { badHeader, damaged } from '../../cassette-errors.ts';
import { ONE_LIST } from '../parse-header.ts';
import type { SourceText } from '../source-text.ts';
import { aliasTarget } from './alias-target.ts';
import { yamlPackage } from './load-yaml-package.ts';
import { syntaxWithin, TOO_MANY_PARTS } from './nesting-limit.ts';
import { fieldsOf } from './node-to-json.ts';
import { withoutStackTraces } from './without-stack-traces.ts';
import type { YamlField } from './yaml-field.ts';

/** Maximum length of text for the `yaml` package, which needs about 45 times its size in memory. */
export const YAML_LENGTH_MAX: number = 16 * 1024 * 1024;
const LENGTH_MAX_TEXT = '16 MiB';

/**
 * Returns the fields of the mapping in `source`. Their offsets refer to the source.
 * @throws McpRecordError CASSETTE_DAMAGED for invalid YAML, another type, or values that JSON cannot represent
 */
export function yamlMapping(source: SourceText): YamlField[] {
  const document = yamlDocument(source);
  return mapping(document.contents, { document, source });
}

/**
 * Returns the fields of each mapping in a list, as {@link yamlMapping}.
 * @throws McpRecordError CASSETTE_DAMAGED as {@link yamlMapping}, or if the value is not a list
 */
export function yamlList(source: SourceText): YamlField[][] {
  const document = yamlDocument(source);
  return list(document.contents, document, source).map(({ fields }) => fields);
}

/** Complete cassette in any layout. */
export interface YamlCassette {
  header: YamlField[];
  /** Undefined: the key `events` is missing. */
  events: { fields: YamlField[]; at: number }[] | undefined;
}

/**
 * Parses the header and events of a complete cassette.
 * @throws McpRecordError CASSETTE_DAMAGED as {@link yamlMapping}
 */
export function yamlCassette(source: SourceText): YamlCassette {
  const { isMap, isScalar } = yamlPackage();
  const document = yamlDocument(source);
  const { contents } = document;
  if (!isMap(contents)) throw damaged({ source, at: 0 }, 'this is not a mapping of keys to values');
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

function list(node: Node | null, document: Document, source: SourceText): { fields: YamlField[]; at: number }[] {
  const { isSeq, isAlias } = yamlPackage();
  if (!isSeq(node)) throw damaged({ source, at: node?.range?.[0] ?? 0 }, 'this is not a list of events');
  return (node.items as (Node | null)[]).map((item) => {
    const target = isAlias(item) ? (aliasTarget(item, document) ?? null) : item;
    return { fields: mapping(target, { document, source }), at: item?.range?.[0] ?? 0 };
  });
}

interface Context {
  document: Document;
  source: SourceText;
  omitted?: string;
}

function mapping(node: Node | null, { document, source, omitted }: Context): YamlField[] {
  const fields = fieldsOf(node, document, omitted);
  if (Array.isArray(fields)) return fields;
  throw damaged({ source, at: fields.at }, fields.why);
}

/**
 * Parses a single document.
 * @throws McpRecordError CASSETTE_DAMAGED for invalid YAML, excessive length or nesting, or several documents
 */
export function yamlDocument(source: SourceText): Document {
  if (source.text.length > YAML_LENGTH_MAX)
    throw damaged({ source, at: 0 }, `no recorder lays it out so, and it is longer than ${LENGTH_MAX_TEXT}`);
  const { Composer } = yamlPackage();
  const tokens = syntaxWithin(source.text, LEVELS_MAX);
  if (tokens === 'too deep') throw damaged({ source, at: 0 }, `it is nested deeper than ${JSON_DEPTH_MAX} levels`);
  if (tokens === 'too many parts')
    throw damaged({ source, at: 0 }, `no recorder lays it out so, and it has ${TOO_MANY_PARTS}`);
  const [document, second] = withoutStackTraces(() => {
    // No more are composed: each document takes a kilobyte.
    const [first, other] = new Composer(OPTIONS).compose(tokens, true, source.text.length);
    return [first, other];
  });
  if (document === undefined || second !== undefined)
    throw damaged({ source, at: second?.range[0] ?? 0 }, 'a second document begins');
  const error = document.errors[0] ?? document.warnings[0];
  if (error === undefined) return document as Document;
  // A missing token is reported at the end of the text. The last line with content is a better place.
  const at = Math.min(placeOfKey(source.text, error), source.text.trimEnd().length);
  throw damaged({ source, at }, inOneClause(error.message));
}

/**
 * Returns the place of an error. A key that is indented too far continues the value above it. The package then reports the
 * start of that value, and not the key.
 */
function placeOfKey(text: string, { code, pos: [at] }: YAMLError): number {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return at;
  const [, value = '', key] = /^([^\r\n]*)[\r\n]+[ \t]*([^\r\n]*)/.exec(text.slice(at)) ?? [];
  const isKey = (line: string) => /:(?:\s|$)/.test(line);
  return key !== undefined && !isKey(value) && isKey(key) ? text.indexOf(key, at + value.length) : at;
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  // The check compares every pair of keys. DuplicateKeys is faster.
  uniqueKeys: false,
} as const;

/** Maximum nesting of a message, plus the levels of the cassette around it. */
const LEVELS_MAX = JSON_DEPTH_MAX + 3;

function inOneClause(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}
