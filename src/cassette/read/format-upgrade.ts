import type { YamlField } from './yaml-field.ts';

/** Turns what a cassette of one format holds into what one of the next format would hold, in memory. */
export interface Step {
  /** The format that it reads, as a number: 1 for `mcp-record/1`. It gives the one after that. */
  from: number;
  header(fields: YamlField[]): YamlField[];
  event(fields: YamlField[]): YamlField[];
}

/** Every step there is. Format 1 is the first, so there is none yet. */
export const STEPS: readonly Step[] = [];

/** The steps from format `from` to the newest, as one. Nothing to do: fields pass as they are. */
export function upgrade(from: number, steps: readonly Step[] = STEPS): Omit<Step, 'from'> {
  const due = steps.filter((step) => step.from >= from).sort((a, b) => a.from - b.from);
  return {
    header: (fields) => due.reduce((older, step) => step.header(older), fields),
    event: (fields) => due.reduce((older, step) => step.event(older), fields),
  };
}
