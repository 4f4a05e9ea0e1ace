import type { Document } from 'yaml';
import { McpRecordError, messageOf, type Place, type Problem } from '../../../kernel/errors.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import { damaged } from '../../cassette-errors.ts';
import { normalizeBreaks, placeOf, type SourceText } from '../source-text.ts';
import { aliasTarget } from './alias-target.ts';
import { yamlDocument } from './full-yaml-reader.ts';
import { yamlPackage } from './load-yaml-package.ts';

/** Value of a YAML file, with the places of its parts. */
export interface YamlData {
  value: unknown;
  /** Returns the place of the value at `path`, or of its nearest existing parent. */
  placeOf(path: readonly (string | number)[]): Place;
}

const ALIASES_MAX = 100;

export interface YamlDataOptions {
  /** Whether integers beyond a double's precision are rounded. Default: they are an error. */
  areRounded?: boolean;
}

/**
 * Reads any YAML as data.
 * @throws McpRecordError CASSETTE_DAMAGED where it is no YAML, too deep, or more than one document, or where data
 * cannot hold it:
 *   a key that is no scalar or stands twice, a number that is too large, an alias of nothing or too many aliases
 */
export function yamlData(source: SourceText, { areRounded = false }: YamlDataOptions = {}): YamlData {
  const document = yamlDocument(source);
  checkKeys(document, source);
  if (!areRounded) checkNumbers(document, source);
  return {
    value: dataOf(document, source),
    placeOf: (path) => placeOf(source, offsetOf(document, path)),
  };
}

function dataOf(document: Document, source: SourceText): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    throw damaged({ source, at: 0 }, messageOf(error));
  }
}

/** Wording of the error for a file that cannot be read as YAML. The advice may depend on the place of the problem. */
export interface UnreadableFile extends Pick<Problem, 'code' | 'what'> {
  next: string | ((place: Place | undefined) => string);
}

/**
 * Reads a YAML file whose path a user gave as data.
 * @throws McpRecordError in the given words, with the reason and the place of the problem
 */
export function readYamlFile(file: string, { code, what, next }: UnreadableFile): YamlData {
  try {
    return yamlData({ file, text: normalizeBreaks(readNamedText(file)), line: 1 });
  } catch (error) {
    const { why = messageOf(error), place }: Partial<Problem> = error instanceof McpRecordError ? error.problem : {};
    throw new McpRecordError({
      code,
      what,
      why,
      next: typeof next === 'string' ? next : next(place),
      ...(place && { place }),
      cause: error,
    });
  }
}

function checkKeys(document: Document, source: SourceText): void {
  const { isAlias, isCollection, isScalar, visit } = yamlPackage();
  visit(document, {
    Map(_, { items }) {
      const known = new Set<string>();
      for (const { key } of items) {
        const value = isAlias(key) ? aliasTarget(key, document) : key;
        const at = isNodeWithRange(key) ? key.range[0] : 0;
        if (isCollection(value))
          throw damaged({ source, at }, 'a key is a list or a mapping, as of a text with {{ }} that has no quotes');
        const name = String(isScalar(value) ? value.value : value);
        if (known.has(name)) throw damaged({ source, at }, `the key "${name}" stands there twice`);
        known.add(name);
      }
    },
  });
}

function checkNumbers(document: Document, source: SourceText): void {
  const { visit } = yamlPackage();
  visit(document, {
    Scalar(_, { value, source: written = '', range }) {
      if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(written)) return;
      throw damaged(
        { source, at: range?.[0] ?? 0 },
        `the number ${written} would be rounded to ${value}: put it into quotes`,
      );
    },
  });
}

function isNodeWithRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
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
