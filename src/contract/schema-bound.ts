import type { Change } from '../match/change-severity.ts';
import type { Pointer } from '../match/ignore-rules.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

/** Keywords that bound a number, a length or a count: whether a greater value admits fewer. */
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

/** How a bound of valid values moved. */
export function boundChanges({ name, before, after, direction, path }: BoundPair): Change[] {
  const reason = `${name} ${before ?? 'nothing'} → ${after ?? 'nothing'}`;
  if (before === undefined) return [{ severity: narrows(direction), path, reason }];
  if (after === undefined) return [{ severity: widens(direction), path, reason }];
  const isStricter = BOUNDS.get(name) === Number(after) > Number(before);
  return [{ severity: isStricter ? narrows(direction) : widens(direction), path, reason }];
}
