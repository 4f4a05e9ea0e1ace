import type { Change } from '../../match/change-types.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

/** Keywords that limit a number, a length or a count → whether a greater bound accepts fewer values. */
const BOUNDS: ReadonlyMap<string, boolean> = new Map([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, true] as const),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, false] as const),
]);

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

/** Returns the change of a bound. */
export function boundChanges({ name, before, after, direction, path }: BoundPair): Change[] {
  const reason = `${name} ${before ?? 'nothing'} → ${after ?? 'nothing'}`;
  if (before === undefined) return [{ severity: narrows(direction), path, reason }];
  if (after === undefined) return [{ severity: widens(direction), path, reason }];
  const isStricter = BOUNDS.get(name) === Number(after) > Number(before);
  return [{ severity: isStricter ? narrows(direction) : widens(direction), path, reason }];
}
