import { briefJson, canonicalJson } from '../../match/canonical-json.ts';
import type { AffectedUse, Change } from '../../match/contract-change-types.ts';
import { escapeStep, type Pointer } from '../../match/ignore-rules.ts';
import { isObject } from '../../protocol/message.ts';
import { ARGUMENT, alternativeChanges, changeMayOverlap, filledList, typesOf } from './compare-schema-alternatives.ts';
import { boundChanges, isBound } from './compare-schema-bounds.ts';
import { isExempting, LIMITS } from './limiting-keywords.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

export interface SchemaPair {
  recorded: unknown;
  live: unknown;
  direction: Direction;
  /** Pointer to the live schema in the message. */
  path: Pointer;
  /** Pointer to the value in the arguments. Absent for other values, and for arguments at an unknown place. */
  argument?: Pointer | undefined;
}

/** Schema by keyword. A map, because `constructor` is an ordinary keyword or property. */
type Schema = ReadonlyMap<string, unknown>;

/**
 * Returns the changes of a JSON Schema for callers that write (`input`) or read (`output`) its values. Changes of
 * unknown effect count as breaking, so that none is first noticed in production.
 */
export function schemaChanges({ recorded, live, direction, path, argument }: SchemaPair): Change[] {
  const [before, after] = [schemaOf(recorded), schemaOf(live)];
  if (before === undefined || after === undefined) {
    const same = canonicalJson(recorded) === canonicalJson(live);
    return same ? [] : [{ severity: 'breaking', path, reason: 'the schema is another', ...affects(argument, 'sent') }];
  }
  return namesIn(before, after).flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const at = `${path}/${escapeStep(name)}`;
    const changes = keywordChanges({
      name,
      before: was,
      after: is,
      direction,
      path: at,
      argument,
      recorded: before,
      live: after,
    });
    return changes.map((change) => (isUnplaced(change) ? { ...change, ...affects(argument, 'sent') } : change));
  });

  function isUnplaced({ severity, affects }: Change): boolean {
    return direction === 'input' && severity === 'breaking' && affects === undefined;
  }
}

/** Marks a change as affecting the callers that send an argument, or the callers that omit the argument. */
function affects(argument: Pointer | undefined, when: AffectedUse['when']): Pick<Change, 'affects'> {
  return argument === undefined || when === undefined ? {} : { affects: { kind: ARGUMENT, argument, when } };
}

/** Returns the members of a schema. `true` and an absent schema accept every value. */
function schemaOf(schema: unknown): Schema | undefined {
  if (schema === true || schema === undefined) return membersOf({});
  return isObject(schema) ? membersOf(schema) : undefined;
}

interface Keyword {
  name: string;
  before: unknown;
  after: unknown;
  direction: Direction;
  path: Pointer;
  argument: Pointer | undefined;
  /** Schemas that contain the keyword. */
  recorded: Schema;
  live: Schema;
}

function keywordChanges(keyword: Keyword): Change[] {
  const { name, before, after, direction, path, argument } = keyword;
  if (WORDS.has(name)) return [{ severity: 'cosmetic', path, reason: `${name} changed` }];
  if (isBound(name)) return boundChanges(keyword);
  switch (name) {
    case 'properties':
      return propertyChanges(keyword);
    case 'required':
      return requiredChanges(keyword);
    case 'enum':
    case 'const':
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return setChanges(keyword);
    case 'items':
    case 'additionalProperties':
      if (before !== false && after !== false && !isExempting(keyword)) {
        return schemaChanges({ recorded: before, live: after, direction, path, argument: within(argument, '*') });
      }
      break;
    case '$defs':
    case 'definitions':
      return definitionChanges(keyword);
    case 'default':
      return [{ severity: 'compatible', path, reason: `default ${briefJson(before)} → ${briefJson(after)}` }];
  }
  return [{ severity: otherSeverity(keyword), path, reason: `${name} ${briefJson(before)} → ${briefJson(after)}` }];
}

function within(argument: Pointer | undefined, step: string): Pointer | undefined {
  return argument === undefined ? undefined : `${argument}/${step}`;
}

/** Keywords that do not affect which values are valid. */
const WORDS: ReadonlySet<string> = new Set([
  'description',
  'title',
  '$comment',
  'examples',
  '$schema',
  '$id',
  'deprecated',
]);

interface SetKeyword {
  noun: string;
  /** Returns the members. Undefined: the value is malformed. */
  members: (value: unknown) => readonly unknown[] | undefined;
}

/** Keywords whose value is a set of alternatives. */
const SETS: ReadonlyMap<string, SetKeyword> = new Map([
  ['enum', { noun: 'value', members: filledList }],
  ['const', { noun: 'value', members: (value) => [value] }],
  ['type', { noun: 'type', members: (value) => filledList(typesOf(value)) }],
  ['anyOf', { noun: 'alternative', members: filledList }],
  ['oneOf', { noun: 'alternative', members: filledList }],
]);

/**
 * Returns the changes of a set of alternatives. An empty or malformed set has an unknown effect, so its change is
 * breaking.
 */
function setChanges(keyword: Keyword): Change[] {
  const { name, before, after, direction, path, argument } = keyword;
  const { noun, members } = SETS.get(name)!;
  const [was, is] = [before, after].map((value) => (value === undefined ? [] : members(value)));
  if (was === undefined || is === undefined || (isExempting(keyword) && is.length === 0)) return [breaking(keyword)];
  const changes = alternativeChanges({ noun, before: was, after: is, direction, path, argument });
  if (name !== 'oneOf' || was.length === 0 || is.length === 0 || !changeMayOverlap(was, is)) return changes;
  // In `oneOf`, a value that several alternatives accept is invalid. So both adding and removing an overlapping one is
  // breaking.
  return changes.map((change): Change => ({ ...change, severity: 'breaking' }));
}

function breaking({ name, before, after, path }: Keyword): Change {
  return { severity: 'breaking', path, reason: `${name} ${briefJson(before)} → ${briefJson(after)}` };
}

/**
 * Returns the severity for any other keyword. Adding a limiting keyword narrows the valid values; removing it widens
 * them.
 */
function otherSeverity(keyword: Keyword): Change['severity'] {
  const { name, before, after, direction } = keyword;
  if (!LIMITS.has(name) || isExempting(keyword)) return 'breaking';
  const isAbsent = (value: unknown) => value === undefined || (name === 'additionalProperties' && value !== false);
  if (isAbsent(before)) return narrows(direction);
  return isAbsent(after) ? widens(direction) : 'breaking';
}

function propertyChanges({ recorded, live, direction, path, argument }: Keyword): Change[] {
  const [before, after] = [membersOf(recorded.get('properties')), membersOf(live.get('properties'))];
  const noun = nounOf(direction);
  return namesIn(before, after).flatMap((name): Change[] => {
    const at = `${path}/${escapeStep(name)}`;
    const member = within(argument, escapeStep(name));
    const affected = (when: AffectedUse['when']) => (direction === 'input' ? affects(member, when) : {});
    if (!after.has(name)) {
      return [{ severity: 'breaking', path: at, reason: `${noun} "${name}" was removed`, ...affected('sent') }];
    }
    if (before.has(name)) {
      const pair = { recorded: before.get(name), live: after.get(name), direction, path: at, argument: member };
      return schemaChanges(pair).map((change) => ({
        ...change,
        reason: `${noun} "${name}": ${change.reason}`,
      }));
    }
    const isRequired = listOf(live.get('required')).includes(name);
    const severity = isRequired ? narrows(direction) : 'compatible';
    const reason = `new ${isRequired ? 'required' : 'optional'} ${noun} "${name}"`;
    return [{ severity, path: at, reason, ...(severity === 'breaking' && affected('omitted')) }];
  });
}

/** Returns the changes of `required`. Added and removed properties are reported as properties instead. */
function requiredChanges(keyword: Keyword): Change[] {
  const { recorded, live, before, after, direction, path, argument } = keyword;
  const [known, now] = [membersOf(recorded.get('properties')), membersOf(live.get('properties'))];
  const isKept = (name: unknown) => known.has(String(name)) === now.has(String(name));
  const change = (name: unknown, severity: Change['severity'], became: string): Change => ({
    severity,
    path,
    reason: `${nounOf(direction)} "${name}" is ${became} required`,
  });
  if (![before, after].every((names) => names === undefined || isListOfNames(names))) return [breaking(keyword)];
  const [was, is] = [listOf(before), listOf(after)];
  if (was.length > 0 && canonicalJson([...was].sort()) === canonicalJson([...is].sort()))
    return [{ severity: 'cosmetic', path, reason: `the order of the required ${nounOf(direction)}s changed` }];
  const omitted = (name: unknown) => affects(within(argument, escapeStep(String(name))), 'omitted');
  return [
    ...is
      .filter((name) => !was.includes(name) && isKept(name))
      .map((name) => ({
        ...change(name, narrows(direction), 'now'),
        ...(direction === 'input' && omitted(name)),
      })),
    ...was
      .filter((name) => !is.includes(name) && isKept(name))
      .map((name) => change(name, widens(direction), 'no longer')),
  ];
}

/**
 * Returns the changes of definitions. Adding or removing a definition is cosmetic, because its uses have their own
 * changes.
 */
function definitionChanges({ before, after, direction, path }: Keyword): Change[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  return namesIn(was, is).flatMap((name): Change[] => {
    const at = `${path}/${escapeStep(name)}`;
    if (was.has(name) && is.has(name)) {
      return schemaChanges({ recorded: was.get(name), live: is.get(name), direction, path: at });
    }
    return [
      {
        severity: 'cosmetic',
        path: at,
        reason: `definition "${name}" ${is.has(name) ? 'is new' : 'was removed'}`,
      },
    ];
  });
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function nounOf(direction: Direction): string {
  return direction === 'input' ? 'argument' : 'field';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(isObject(value) ? value : {}));
}

function namesIn(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])];
}
