import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { isObject, isRequest, isResponse, type Params, resultOf } from '../../protocol/message.ts';
import type { Definition, Handler } from '../handler.ts';
import { type ValueCheck, valueCheck } from '../tool-schema.ts';

type Item = Definition['item'];

/** List methods, with the list that handlers may define. */
export const LISTS: ReadonlyMap<string, Definition['list']> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
]);

/** The members that handlers give, and the required ones for a definition that overrides nothing. */
export type GivenDefinition = Pick<Definition, 'item' | 'defaults'>;

/**
 * Returns the definitions of one list, by name. A handler that overrides another one keeps the members of its
 * definition that it does not give itself.
 */
export function givenDefinitions(
  handlers: readonly Handler[],
  list: Definition['list'],
): ReadonlyMap<unknown, GivenDefinition> {
  const given = new Map<unknown, GivenDefinition>();
  for (const { definition } of handlers) {
    if (definition?.list !== list) continue;
    const key = keyOf(definition.item);
    const { item = {}, defaults = definition.defaults ?? {} } = given.get(key) ?? {};
    given.set(key, { item: overridden(item, definition.item), defaults });
  }
  return given;
}

/** Returns an item with the required members. */
export function completeItem({ item, defaults = {} }: GivenDefinition): Item {
  return overridden(item, defaults);
}

/** Adds the missing members of an item from the item that it overrides. */
function overridden(item: Item, other: Item): Item {
  const isMissing = ([name]: [string, unknown]) => item[name] === undefined;
  return { ...item, ...Object.fromEntries(Object.entries(other).filter(isMissing)) };
}

/** Returns recorded items with the members that handlers give. */
export function overriddenItems(recorded: readonly unknown[], given: ReadonlyMap<unknown, GivenDefinition>): unknown[] {
  return recorded.map((item) => {
    const own = isObject(item) ? given.get(keyOf(item)) : undefined;
    const members = Object.entries(own?.item ?? {}).filter(([, value]) => value !== undefined);
    return own ? { ...(item as Item), ...Object.fromEntries(members) } : item;
  });
}

/** Returns the name of an item in its list, or its URI. */
export function keyOf({ uri, name }: Params): unknown {
  return uri ?? name;
}

/** Items of recorded lists, by list and name. */
export type RecordedItems = ReadonlyMap<Definition['list'], ReadonlyMap<unknown, Item>>;

/** Returns the items of the lists in a cassette. */
export function recordedItems(events: readonly CassetteEvent[]): RecordedItems {
  const entries = eventsToEntries(events);
  const all = new Map<Definition['list'], Map<unknown, Item>>();
  for (const [asked, answered] of correlateEntries(entries).answerOf) {
    const [request, response] = [entries[asked]?.message, entries[answered]?.message];
    const list = isRequest(request) ? LISTS.get(request.method) : undefined;
    if (list === undefined || !isResponse(response)) continue;
    const items = all.get(list) ?? new Map<unknown, Item>();
    const given = resultOf(response)[list];
    for (const item of Array.isArray(given) ? given.filter(isObject) : []) items.set(keyOf(item), item);
    all.set(list, items);
  }
  return all;
}

/**
 * Returns the check of a tool's arguments by its recorded `inputSchema`. Absent: the handler overrides no recorded tool.
 * A recorded schema that cannot be used allows all arguments, because the test cannot mend it.
 */
export function recordedArgumentsCheck(recorded: RecordedItems, { method, name }: Handler): ValueCheck | undefined {
  const item = method === 'tools/call' && name !== undefined ? recorded.get('tools')?.get(name) : undefined;
  if (!isObject(item?.inputSchema)) return undefined;
  const check = valueCheck(item.inputSchema, 'inputSchema');
  return (args) => {
    try {
      return check(args);
    } catch {
      return { value: args };
    }
  };
}
