import { ListMap } from '../cassette/correlate/list-map.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import type { AffectedUse, Change, Severity } from '../match/contract-change-types.ts';
import { escapeStep, IGNORED, type Pointer } from '../match/ignore-rules.ts';
import { differences } from '../match/json-difference.ts';
import { isObject } from '../protocol/message.ts';
import type { Listed } from '../protocol/method-table.ts';
import { ARGUMENT, alternativeChanges, filledList } from './schema/compare-schema-alternatives.ts';
import { schemaChanges } from './schema/compare-schemas.ts';
import { metaChanges, skillChanges } from './skill-and-app-changes.ts';

/** Returns the changes of a list of tools, prompts or resources. Items are matched by name, in any order. */
export function listChanges({ field, noun }: Listed, recorded: unknown, live: unknown): Change[] {
  const path = `/result/${field}`;
  const [before, after] = [itemsOf(recorded, field), itemsOf(live, field)];
  const [known, now] = [byName(before), byName(after)];
  const gone = before.filter(({ name }) => !now.has(name));
  const added = new Set(after.filter(({ name }) => !known.has(name)));
  const successors = byContent(added);
  const changes: Change[] = [];

  for (const item of gone) {
    const renamed = successors.get(contentOf(item))?.pop();
    if (renamed) added.delete(renamed);
    const became = renamed === undefined ? 'was removed' : `was renamed to "${renamed.name}"`;
    const reason = `${noun} "${item.name}" ${became}`;
    const affects = { kind: field, name: item.name };
    changes.push({ severity: 'breaking', path: `${path}/${(renamed ?? item).index}`, reason, affects });
  }
  for (const { name, index } of added) {
    changes.push({ severity: 'compatible', path: `${path}/${index}`, reason: `new ${noun} "${name}"` });
  }
  for (const { name, value } of before) {
    const item = now.get(name);
    if (item === undefined) continue;
    const changesOf = field === 'skills' ? skillChanges : itemChanges;
    const within = changesOf(value, item.value, `${path}/${item.index}`);
    changes.push(...within.map((change) => withName(change, { noun, field, name })));
  }
  const kept = (items: Item[], others: ReadonlyMap<string, Item>) =>
    [...byName(items).keys()].filter((name) => others.has(name));
  const repeated = new Set(repeatedItems(before).map(({ name }) => name));
  for (const { name, index } of repeatedItems(after))
    if (!repeated.has(name))
      changes.push({ severity: 'breaking', path: `${path}/${index}`, reason: `${noun} "${name}" came twice` });
  if (canonicalJson(kept(before, now)) !== canonicalJson(kept(after, known))) {
    changes.push({ severity: 'cosmetic', path, reason: `the order of the ${noun}s changed` });
  }
  return changes;
}

/** Adds the item's name to a change inside the item. */
function withName(change: Change, { noun, field, name }: { noun: string; field: string; name: string }): Change {
  const reason = `${noun} "${name}": ${change.reason}`;
  if (change.severity !== 'breaking') return { ...change, reason };
  const { kind = ARGUMENT, ...affects }: Partial<AffectedUse> = change.affects ?? {};
  return { ...change, reason, affects: kind === ARGUMENT ? { kind: field, name, ...affects } : { kind, ...affects } };
}

/** Item of a list. */
export interface Item {
  name: string;
  index: number;
  value: Record<string, unknown>;
}

/** Returns the items of a list. Values that are not objects are left out. */
export function itemsOf(list: unknown, field: string): Item[] {
  const items = isObject(list) ? list[field] : undefined;
  return Array.isArray(items) ? namedItems(items) : [];
}

function namedItems(items: readonly unknown[]): Item[] {
  return items.flatMap((value, index) => (isObject(value) ? [{ name: nameOf(value), index, value }] : []));
}

/** Returns the identifying name of a list item. A URI with an ignored part does not identify it without its name. */
export function nameOf({ uri, uriTemplate, name }: Record<string, unknown>): string {
  const id = String(uri ?? uriTemplate ?? name);
  return id.includes(IGNORED) && name !== undefined && name !== id ? `${id} ${name}` : id;
}

/** Returns the items by name. Of several items with the same name, the first one is returned. */
export function byName(items: readonly Item[]): ReadonlyMap<string, Item> {
  const known = new Map<string, Item>();
  for (const item of items) if (!known.has(item.name)) known.set(item.name, item);
  return known;
}

/** Returns the first repetition of each item that a list has several times. */
function repeatedItems(items: readonly Item[]): Item[] {
  const first = byName(items);
  return [...byName(items.filter((item) => first.get(item.name) !== item)).values()];
}

/** Groups items by their content without names. Groups are in reverse order, so that `pop` takes the first item. */
function byContent(items: ReadonlySet<Item>): ReadonlyMap<string, Item[]> {
  const alike = new ListMap<string, Item>();
  for (const item of [...items].reverse()) {
    const content = contentOf(item);
    if (content !== NOTHING) alike.add(content, item);
  }
  return alike;
}

const NOTHING = '{}';

/** Returns the parts of an item that stay equal when a server renames the item. */
function contentOf({ value: { name: _name, title: _title, uri: _uri, ...rest } }: Item): string {
  return canonicalJson(rest);
}

function itemChanges(recorded: Item['value'], live: Item['value'], path: Pointer): Change[] {
  const [before, after] = [new Map(Object.entries(recorded)), new Map(Object.entries(live))];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const at = `${path}/${escapeStep(field)}`;
    const pair = { recorded: before.get(field), live: after.get(field), path: at };
    if (canonicalJson(pair.recorded) === canonicalJson(pair.live)) return [];
    if (field === 'inputSchema') return schemaChanges({ ...pair, direction: 'input', ...placeOfArguments(pair) });
    if (field === 'outputSchema' || field === 'payloadSchema') return outputChanges(field, pair);
    if (field === 'delivery') return deliveryChanges(pair);
    if (field === '_meta' && (isObject(pair.recorded) || isObject(pair.live)))
      return metaChanges(pair.recorded, pair.live, at);
    if (field === 'arguments') return argumentChanges(pair);
    return fieldChanges(field, pair);
  });
}

interface Pair {
  recorded: unknown;
  live: unknown;
  path: Pointer;
}

/** Returns the pointer to the arguments. Empty if a reference may apply a part of the schema to several arguments. */
function placeOfArguments({ recorded, live }: Pair): { argument?: Pointer } {
  return [recorded, live].some(refersBeyondDefinitions) ? {} : { argument: '' };
}

/** Reports whether a schema may refer to a part of itself outside of its definitions. */
function refersBeyondDefinitions(schema: unknown): boolean {
  const text = canonicalJson(schema);
  const references = text.split(/"\$(?:ref|dynamicRef|recursiveRef)":/).slice(1);
  return references.some((target) => !/^"#\/(?:\$defs|definitions)\/[^/"]*"/.test(target));
}

function outputChanges(field: string, pair: Pair): Change[] {
  if (pair.recorded !== undefined) return schemaChanges({ ...pair, direction: 'output' });
  return [{ severity: 'compatible', path: pair.path, reason: `new ${field}` }];
}

/** Returns the changes of an event type's delivery modes (extension Events). A client chooses one of them. */
function deliveryChanges({ recorded, live, path }: Pair): Change[] {
  const [before, after] = [recorded, live].map((list) => (list === undefined ? [] : filledList(list)));
  if (before === undefined || after === undefined) return [{ severity: 'breaking', path, reason: 'delivery changed' }];
  return alternativeChanges({ noun: 'delivery', before, after, direction: 'input', path });
}

/** Returns the changes of a prompt's arguments, by converting their list to a schema. */
function argumentChanges({ recorded, live, path }: Pair): Change[] {
  const asSchema = (list: unknown) => {
    const items = Array.isArray(list) ? namedItems(list) : [];
    const described = items.map(({ name, value: { required: _required, ...rest } }) => [name, rest]);
    const required = items.filter(({ value }) => value.required === true).map(({ name }) => name);
    return { properties: Object.fromEntries(described), required };
  };
  const changes = schemaChanges({
    recorded: asSchema(recorded),
    live: asSchema(live),
    direction: 'input',
    path,
    argument: '',
  });
  if (changes.length === 0 && isReordered(recorded, live))
    return [{ severity: 'cosmetic', path, reason: 'the order of the arguments changed' }];
  return changes.map((change) => ({ ...change, path }));
}

function isReordered(recorded: unknown, live: unknown): boolean {
  if (!Array.isArray(recorded) || !Array.isArray(live)) return false;
  const [before, after] = [recorded, live].map((list) => list.map(canonicalJson).sort());
  return canonicalJson(before) === canonicalJson(after);
}

function fieldChanges(field: string, { recorded, live, path }: Pair): Change[] {
  const severity = severityOf(field, recorded, live);
  if (recorded === undefined) return [{ severity, path, reason: `new ${field}` }];
  if (live === undefined) return [{ severity, path, reason: `${field} was removed` }];
  return differences(recorded, live, path).map((difference) => ({
    severity,
    path: difference.path,
    reason: `${field} changed`,
  }));
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'title', 'annotations', 'icons', 'size', '_meta']);

/**
 * Returns the severity of a changed field. Fields for people are cosmetic. A new field is compatible, unless callers
 * must act on it. All other changes are breaking, because callers may rely on the field.
 */
function severityOf(field: string, recorded: unknown, live: unknown): Severity {
  if (FOR_PEOPLE.has(field)) return 'cosmetic';
  return recorded === undefined && (field !== 'execution' || isPlainCallAllowed(live)) ? 'compatible' : 'breaking';
}

/** Reports whether a tool with this `execution` still accepts plain calls, without a task. */
function isPlainCallAllowed(execution: unknown): boolean {
  if (!isObject(execution)) return false;
  const { taskSupport = 'forbidden', ...others } = execution;
  return (taskSupport === 'forbidden' || taskSupport === 'optional') && Object.keys(others).length === 0;
}
