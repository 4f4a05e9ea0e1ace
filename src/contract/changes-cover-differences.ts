import { canonicalJson } from '../match/canonical-json.ts';
import type { Change } from '../match/contract-change-types.ts';
import { escapeStep, type Pointer, parsePointer } from '../match/ignore-rules.ts';
import { type Difference, differences } from '../match/json-difference.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { LISTS } from '../protocol/method-table.ts';
import { nameOf } from './compare-item-lists.ts';

/** Two answers to one request, with the changes of `contractChanges`. */
export interface JudgedAnswers {
  request: unknown;
  recorded: unknown;
  live: unknown;
  changes: readonly Change[];
}

/**
 * Reports whether the changes of two answers cover every place where the answers differ. Other differences have no
 * severity, so without full coverage the worst change is not the severity of the whole difference.
 */
export function coversAllDifferences({ request, recorded, live, changes }: JudgedAnswers): boolean {
  if (changes.length === 0 || !isRequest(request) || !isObject(recorded) || !isObject(live)) return false;
  const [{ result: before, ...around }, { result: after, ...aroundNow }] = [recorded, live];
  if (!isObject(before) || !isObject(after) || canonicalJson(around) !== canonicalJson(aroundNow)) return false;
  const field = LISTS.get(request.method)?.field;
  const places = changes.map(({ path }) => path);
  if (field === undefined) return areCovered(differences(before, after, '/result'), places);
  const [{ [field]: items, ...rest }, { [field]: itemsNow, ...restNow }] = [before, after];
  return (
    areCovered(differences(rest, restNow, '/result'), places) && itemsAreCovered({ field, items, itemsNow, places })
  );
}

interface ItemLists {
  field: string;
  items: unknown;
  itemsNow: unknown;
  places: readonly Pointer[];
}

/**
 * Reports whether the changes cover all differences between items with the same name. Removed, renamed and new items,
 * and a changed order, always have a change.
 */
function itemsAreCovered({ field, items, itemsNow, places }: ItemLists): boolean {
  if (canonicalJson(items) === canonicalJson(itemsNow)) return true;
  const [before, after] = [byName(items), byName(itemsNow)];
  if (before === undefined || after === undefined) return false;
  return [...before].every(([name, { value }]) => {
    const now = after.get(name);
    if (now === undefined) return true;
    const path = `/result/${field}/${now.index}`;
    // A change at the item's own path is left out: the path of a removed item has its index in the old list.
    return areCovered(
      differences(value, now.value, path),
      places.filter((place) => place.startsWith(`${path}/`)),
    );
  });
}

/** Returns the items of a list by name. Undefined for a list with other values than items, or with repeated names. */
function byName(list: unknown): ReadonlyMap<string, { index: number; value: unknown }> | undefined {
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  const items = new Map(list.map((value, index) => [nameOf(value), { index, value }]));
  return items.size === list.length ? items : undefined;
}

function areCovered(found: readonly Difference[], places: readonly Pointer[]): boolean {
  const known = new Set(places);
  return found.flatMap(leaves).every((difference) => isCovered(difference, known));
}

/** Splits an object that is missing on one side into its members: each member may have a separate change. */
function leaves({ path, ...sides }: Difference): Difference[] {
  const isMissing = sides.recorded === undefined || sides.live === undefined;
  const value = sides.recorded ?? sides.live;
  if (!isMissing || !isObject(value) || isEmptyObject(value)) return [{ path, ...sides }];
  const side = sides.recorded === undefined ? 'live' : 'recorded';
  return Object.entries(value).flatMap(([name, member]) =>
    leaves({ path: `${path}/${escapeStep(name)}`, [side]: member }),
  );
}

/** Reports whether a change has the path of a difference, or the path of an enclosing value. */
function isCovered(difference: Difference, places: ReadonlySet<Pointer>): boolean {
  const steps = difference.path.split('/');
  if (steps.some((_, n) => places.has(steps.slice(0, steps.length - n).join('/')))) return true;
  return isRequired(difference) || isSameSchema(difference);
}

/** Reports whether a subschema accepts every value on both sides. */
function isSameSchema({ path, recorded, live }: Difference): boolean {
  const steps = parsePointer(path);
  const name = steps.at(-1);
  if ((name !== 'items' && name !== 'additionalProperties') || !steps.some((step) => SCHEMAS.has(step))) return false;
  return [recorded, live].every((side) => side === undefined || side === true || isEmptyObject(side));
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'payloadSchema']);
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/**
 * Reports whether a difference is an entry of the keyword `required`. Such entries are covered by changes of their
 * properties.
 */
function isRequired({ path, recorded, live }: Difference): boolean {
  const steps = parsePointer(path);
  const at = steps.lastIndexOf('required');
  const isKeyword = steps.some((step, n) => n < at && SCHEMAS.has(step)) && !BY_NAME.has(steps[at - 1] ?? '');
  const depth = steps.length - at - 1;
  if (!isKeyword || depth > 1) return false;
  return [recorded, live].every((side) => side === undefined || (depth === 0 ? Array.isArray(side) : isName(side)));
}

function isName(value: unknown): boolean {
  return typeof value === 'string';
}
