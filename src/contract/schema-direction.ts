import type { Severity } from '../match/change-severity.ts';

/** Who must live with a schema: callers write what an `input` schema describes, and read what an `output` schema does. */
export type Direction = 'input' | 'output';

/** How much it hurts that fewer values are valid: it hurts those who write them. */
export function narrows(direction: Direction): Severity {
  return direction === 'input' ? 'breaking' : 'compatible';
}

/** How much it hurts that more values are valid: it hurts those who read them. */
export function widens(direction: Direction): Severity {
  return direction === 'input' ? 'compatible' : 'breaking';
}
