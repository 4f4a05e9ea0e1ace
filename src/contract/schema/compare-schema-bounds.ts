import { briefJson } from '../../match/canonical-json.ts';
import type { Change } from '../../match/contract-change-types.ts';
import { ExactNumber } from '../../match/exact-json-value.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

/** Keywords that limit a number, a length or a count → whether a greater bound accepts fewer values. */
const BOUNDS: ReadonlyMap<string, boolean> = new Map([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map(
    (name) => [name, true] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map(
    (name) => [name, false] as const,
  ),
]);

/** Default bounds, for schemas without the keyword. Without `minContains`, `contains` requires one item. */
const DEFAULTS: ReadonlyMap<string, number> = new Map([['minContains', 1]]);

export interface BoundPair {
  name: string;
  before: unknown;
  after: unknown;
  direction: Direction;
  path: Pointer;
}

export function isBound(keyword: string): boolean {
  return BOUNDS.has(keyword);
}

/** Returns the change of a bound. If the bounds cannot be ordered, the change is breaking. */
export function boundChanges({ name, before, after, direction, path }: BoundPair): Change[] {
  const reason = `${name} ${briefJson(before)} → ${briefJson(after)}`;
  const [was, is] = [before, after].map((bound) => (bound === undefined ? DEFAULTS.get(name) : bound));
  if (![was, is].every((bound) => bound === undefined || isNumber(bound)))
    return [{ severity: 'breaking', path, reason }];
  if (was === undefined) return [{ severity: narrows(direction), path, reason }];
  if (is === undefined) return [{ severity: widens(direction), path, reason }];
  if (was === is) return [{ severity: 'cosmetic', path, reason }];
  // Numbers that round to one double may be in either order.
  if (Number(was) === Number(is)) return [{ severity: 'breaking', path, reason }];
  const isStricter = BOUNDS.get(name) === Number(is) > Number(was);
  return [{ severity: isStricter ? narrows(direction) : widens(direction), path, reason }];
}

function isNumber(bound: unknown): boolean {
  return typeof bound === 'number' || bound instanceof ExactNumber;
}
