import type { Severity } from '../../match/contract-change-types.ts';

/** Use of a schema: callers write the values of an `input` schema, and read those of an `output` schema. */
export type Direction = 'input' | 'output';

/** Returns the severity of accepting fewer values, which breaks callers that write them. */
export function narrows(direction: Direction): Severity {
  return direction === 'input' ? 'breaking' : 'compatible';
}

/** Returns the severity of accepting more values, which breaks callers that read them. */
export function widens(direction: Direction): Severity {
  return direction === 'input' ? 'compatible' : 'breaking';
}
