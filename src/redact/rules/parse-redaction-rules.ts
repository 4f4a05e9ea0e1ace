import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError, messageOf, type Place } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';
import { compilePattern, compileRedactionRules, type RedactionRule } from './compile-redaction-rules.ts';

/** Path of a value from the root of the parsed rules. */
type Path = readonly (string | number)[];

export interface RulesSource {
  /** Name of the rules in messages, e.g. a file. */
  name: string;
  /** Finds the place of a value in the source, for messages. */
  placeOf?(path: Path): Place | undefined;
}

/** Rules as written in a file or on the command line. */
export interface WrittenRules {
  rules: RedactionRule[];
  allow: (string | RegExp)[];
}

const ROOT_KEYS = ['redact', 'allow'];
const KINDS = ['key', 'pointer', 'pattern'];

/**
 * Reads `{ redact?: [{ key | pointer | pattern, name? }], allow?: [value or /expression/] }`.
 * @throws McpRecordError USAGE_BAD_RULE, USAGE_BAD_POINTER
 */
export function parseRedactionRules(value: unknown, source: RulesSource): WrittenRules {
  const bad = (path: Path, why: string, next: string) => badRules(source, path, why, next);
  const requireKeys = (object: object, known: readonly string[], path: Path) => {
    const unknown = Object.keys(object).find((key) => !known.includes(key));
    if (unknown === undefined) return;
    const meant = didYouMean(unknown, known);
    const next = meant ? `Did you mean "${meant}"?` : `It may have: ${known.join(', ')}.`;
    throw bad([...path, unknown], `nothing is called "${unknown}" here`, next);
  };
  const list = (key: string, items: unknown = []): unknown[] => {
    if (Array.isArray(items)) return items;
    throw bad([key], `"${key}" is not a list`, 'Begin each of its lines with "- ".');
  };

  function rule(item: unknown, path: Path): RedactionRule {
    if (!isObject(item)) throw bad(path, 'a rule is a mapping', 'Write, for example, "- key: employeeNumber".');
    requireKeys(item, [...KINDS, 'name'], path);
    const kinds = KINDS.filter((kind) => kind in item);
    if (kinds.length !== 1)
      throw bad(path, `it has ${kinds.join(' and ') || 'no kind'}`, `Give it one of: ${KINDS.join(', ')}.`);
    const notText = Object.keys(item).find((key) => typeof item[key] !== 'string' || item[key] === '');
    if (notText !== undefined) throw bad([...path, notText], `"${notText}" is not text`, 'Put it in quotes.');
    compileRedactionRules([item as RedactionRule]);
    return item as RedactionRule;
  }

  function allowed(item: unknown, path: Path): string | RegExp {
    if (typeof item !== 'string' || item === '')
      throw bad(path, 'a value that may stay is a text', 'Put it in quotes.');
    const expression = /^\/(.+)\/$/.exec(item)?.[1];
    if (expression === undefined) return item;
    compilePattern(expression);
    try {
      return new RegExp(expression);
    } catch (error) {
      throw bad(path, `it is not a regular expression: ${messageOf(error)}`, 'Write it as JavaScript has it.');
    }
  }

  if (!isObject(value)) throw bad([], 'it is not a mapping', 'Write "redact:" and a list of rules.');
  requireKeys(value, ROOT_KEYS, []);
  return {
    rules: list('redact', value.redact).map((item, index) => rule(item, ['redact', index])),
    allow: list('allow', value.allow).map((item, index) => allowed(item, ['allow', index])),
  };
}

function badRules({ name, placeOf }: RulesSource, path: Path, why: string, next: string): McpRecordError {
  const place = placeOf?.(path);
  return new McpRecordError({
    code: 'USAGE_BAD_RULE',
    what: `Cannot redact by the rules of ${name}`,
    why,
    next,
    ...(place && { place }),
  });
}
