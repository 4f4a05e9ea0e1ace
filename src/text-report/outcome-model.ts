import type { Milliseconds } from '../kernel/clock.ts';
import type { Change } from '../match/change-severity.ts';

export type { Change, Severity } from '../match/change-severity.ts';

/** One thing that was checked against a cassette. */
export interface Step {
  /** What was checked, e.g. `tools/call "add"`. */
  title: string;
  /** Line in the cassette. Absent: the cassette lacks it, which is the failure. */
  line?: number;
  status: 'passed' | 'failed' | 'skipped';
  /** The rule that decided, where there are several. */
  rule?: { id: string; sentence: string };
  duration?: Milliseconds;
  /** What is wrong, or why it was not checked, in one line: the first thing a reader sees. */
  headline?: string;
  /** What else a person needs in order to mend it, line by line. */
  details?: readonly string[];
  /** Expected and received values, for the drawn difference. */
  recorded?: unknown;
  live?: unknown;
  /** Changes of promises to callers, with their severity. */
  changes?: readonly Change[];
}

/** What checking a cassette came to, whatever checked it: the neutral model behind every printed form. */
export interface Outcome {
  /** What was done, in a word, e.g. `verify`. */
  title: string;
  /** The cassette. */
  file: string;
  steps: readonly Step[];
  /** What a person should know and no step is about. */
  notes: readonly string[];
  duration: Milliseconds;
}

/** How many steps of an outcome ended so. */
export function countOf({ steps }: Outcome, status: Step['status']): number {
  return steps.filter((step) => step.status === status).length;
}

export function failedSteps({ steps }: Outcome): Step[] {
  return steps.filter(({ status }) => status === 'failed');
}

/** Returns `cassette.yaml:12`, or the cassette alone for a step without a line. */
export function placeOfStep({ line }: Step, file: string): string {
  return line === undefined ? file : `${file}:${line}`;
}
