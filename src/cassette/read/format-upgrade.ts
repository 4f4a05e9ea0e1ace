import type { ParsedField } from './parsed-field.ts';

/** Conversion of fields from one cassette format to the next, in memory. */
export interface Step {
  /** Format number that this step reads: 1 for `mcp-record/1`. It returns the next one. */
  from: number;
  header(fields: ParsedField[]): ParsedField[];
  event(fields: ParsedField[]): ParsedField[];
}

/** Conversion steps. Format 1 is the first format, so no step exists yet. */
export const STEPS: readonly Step[] = [];

/** Combines the steps from format `from` to the newest. Without steps, fields pass unchanged. */
export function upgrade(from: number, steps: readonly Step[] = STEPS): Omit<Step, 'from'> {
  const due = steps.filter((step) => step.from >= from).sort((a, b) => a.from - b.from);
  return {
    header: (fields) => due.reduce((older, step) => step.header(older), fields),
    event: (fields) => due.reduce((older, step) => step.event(older), fields),
  };
}
