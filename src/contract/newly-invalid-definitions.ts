import { canonicalJson } from '../match/canonical-json.ts';
import type { Change } from '../match/contract-change-types.ts';
import { ExactNumber } from '../match/exact-json-value.ts';
import { isObject, paramsOf, type Request } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { LISTS, type Listed } from '../protocol/method-table.ts';
import { FIRST_MODERN, isModern, NEWEST_LEGACY } from '../protocol/revisions.ts';
import { createSchemaProblem, type SchemaBreach } from '../protocol/schema/json-schema.ts';
import { definitionBreaches } from '../protocol/schema/protocol-schema.ts';
import { byName, itemsOf } from './compare-item-lists.ts';
import { unresolvedReferences } from './schema/unresolved-references.ts';

/** Definition of a list's items in the official JSON Schema, by the list's field. */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['tools', 'Tool'],
  ['prompts', 'Prompt'],
  ['resources', 'Resource'],
  ['resourceTemplates', 'ResourceTemplate'],
]);

/** Definitions of the official JSON Schema for introductions, by method. */
const INTRODUCTIONS: ReadonlyMap<string, string> = new Map([
  ['initialize', 'InitializeResult'],
  ['server/discover', 'DiscoverResult'],
]);

/** Members of listed items that are JSON Schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'payloadSchema']);

/**
 * Returns the violations of the specification in the new result of `request` that the old result did not have. Clients
 * that validate a list reject the whole list, even if they do not use the invalid item.
 */
export function newlyInvalid(request: Request, before: unknown, after: unknown): Change[] {
  const revision = isModernAnswer(request, before) ? FIRST_MODERN : NEWEST_LEGACY;
  const introduction = INTRODUCTIONS.get(request.method);
  const list = LISTS.get(request.method);
  if (list !== undefined) return invalidItems(list, revision, before, after);
  if (introduction === undefined) return [];
  const [was, is] = [before, after].map((value) => definitionBreaches(revision, introduction, rounded(value)));
  return lacking(was!, is!).map((problem) => change(problem, '/result', 'the introduction is not valid any more'));
}

function invalidItems({ field, noun }: Listed, revision: string, before: unknown, after: unknown): Change[] {
  const problemsOf = itemProblems(revision, ITEMS.get(field));
  const known = itemsOf(before, field);
  const old = byName(known);
  const changed = itemsOf(after, field).filter(({ name, value }) => {
    const was = old.get(name);
    return was === undefined || canonicalJson(was.value) !== canonicalJson(value);
  });
  // Violations of old items are left out: clients of such a list already tolerate them.
  let common: SchemaBreach[] | undefined;
  return changed.flatMap(({ name, index, value }) => {
    const now = problemsOf(value);
    if (now.length === 0) return [];
    const was = old.get(name);
    common ??= known.flatMap((item) => problemsOf(item.value));
    const what = `${noun} "${name}" is not valid${was === undefined ? '' : ' any more'}`;
    const problems = lacking(was === undefined ? common : problemsOf(was.value), now);
    return problems.map((problem) => change(problem, `/result/${field}/${index}`, what));
  });
}

/** Reports whether a request or its answer belongs to a revision without `initialize`. */
function isModernAnswer(request: Request, result: unknown): boolean {
  const revision = metaOf(paramsOf(request))[META.protocolVersion];
  if (request.method === 'server/discover' || (isObject(result) && result.resultType !== undefined)) return true;
  return typeof revision === 'string' && isModern(revision);
}

function change({ path, why }: SchemaBreach, at: string, what: string): Change {
  const place = path.split('/').slice(1).join('.');
  const reason = `${what}: ${place === '' ? '' : `${place} `}${why}`;
  return { severity: 'breaking', path: `${at}${path}`, reason };
}

/**
 * Returns the problems that are new. A placeholder may replace a value of another type, so its problems are left out.
 */
function lacking(known: readonly SchemaBreach[], now: readonly SchemaBreach[]): SchemaBreach[] {
  const keys = new Set(known.map(keyOf));
  const isRedacted = (value: unknown) => typeof value === 'string' && value.includes('[redacted:');
  return now.filter((problem) => !keys.has(keyOf(problem)) && !isRedacted(problem.value));
}

function keyOf({ path, why }: SchemaBreach): string {
  return `${path} ${why}`;
}

/**
 * Creates a function that returns the problems of an item. `definition`: name of the item's definition in the official
 * schema.
 */
function itemProblems(revision: string, definition: string | undefined): (item: unknown) => SchemaBreach[] {
  const problemOf = createSchemaProblem();
  // Clients do not compile the schemas of arguments. Many servers write patterns that are invalid in Unicode mode.
  const inputProblemOf = createSchemaProblem({ unicodeRegExp: false });
  return (item) => {
    const value = rounded(item);
    const breaches = definition === undefined ? [] : definitionBreaches(revision, definition, value);
    const schemas = isObject(value) ? Object.entries(value).filter(([name]) => SCHEMAS.has(name)) : [];
    return [
      ...breaches,
      ...schemas.flatMap(([name, schema]): SchemaBreach[] => {
        if (!isObject(schema)) return [];
        const unresolved = unresolvedReferences(schema).map((target) => `refers to ${target}, which it does not have`);
        const problem = name === 'inputSchema' ? inputProblemOf : problemOf;
        const reasons = unresolved.length > 0 ? unresolved : cannotBeUsed(problem(schema));
        return reasons.map((why) => ({ path: `/${name}`, value: schema, why }));
      }),
    ];
  };
}

function cannotBeUsed(problem: string | undefined): string[] {
  return problem === undefined ? [] : [`cannot be used: ${problem.slice(0, REASON_LENGTH_MAX)}`];
}

const REASON_LENGTH_MAX = 200;

/** Returns a value with JavaScript numbers in place of exact numbers, which validators do not support. */
function rounded(value: unknown): unknown {
  if (value instanceof ExactNumber)
    return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value.digits)));
  if (Array.isArray(value)) return value.map(rounded);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}
