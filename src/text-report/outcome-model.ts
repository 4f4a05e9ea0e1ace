import type { Milliseconds } from '../kernel/clock.ts';
import type { Change } from '../match/contract-change-types.ts';

export type { Change, Severity } from '../match/contract-change-types.ts';

/** Check of one element of a cassette. */
export interface Step {
  /** Title of the checked element, e.g. `tools/call "add"`. */
  title: string;
  /** Path of the element's file. Absent: the file of the outcome. */
  file?: string;
  /** Line in the cassette. Absent: the failure is that the cassette lacks the element. */
  line?: number;
  /** Path of the newer file that no longer has the element. Reviewers look for the failure there. */
  missingIn?: string;
  /** `error`: the check could not be made. */
  status: 'passed' | 'failed' | 'skipped' | 'error';
  /** Rule of the check. Absent: the check has only one rule. */
  rule?: { id: string; sentence: string };
  duration?: Milliseconds;
  /** Failure, or reason for skipping, in one line. A reader sees it first. */
  headline?: string;
  /** Further lines that help a person to fix the failure, or notes on what passed. */
  details?: readonly string[];
  /** Expected and received values, for the drawn difference. */
  recorded?: unknown;
  live?: unknown;
  /** Names of these two values. Absent: `recorded` and `live`. */
  sides?: Readonly<{ recorded: string; live: string }>;
  /** Changes of promises to callers, with their severity. */
  changes?: readonly Change[];
  /** Whether `changes` has everything that differs. */
  hasAllChanges?: boolean;
  /** Whether something is wrong beside the values that differ, which `verify --update` leaves: the time, the HTTP status, the pages of a list, a new id that a later request sends. */
  isMoreThanValues?: boolean;
  /** Whether the cassette now holds the live values, so that the step passes. */
  isTakenOver?: boolean;
  /** Whether all that differs is a further message of the client. */
  isAddedByClient?: boolean;
}

/** Result of checking a cassette, independent of the kind of check. All report formats are made from it. */
export interface Outcome {
  /** Name of the check, e.g. `verify`. */
  title: string;
  /** Path of the cassette. */
  file: string;
  /** Files, folders and patterns that were named. Absent: `file`. */
  named?: readonly string[];
  steps: readonly Step[];
  /** Notes for people that belong to no step. */
  notes: readonly string[];
  duration: Milliseconds;
  /** Figures of the check by their names, for JUnit. */
  properties?: Readonly<Record<string, number>>;
}

/** Returns the number of steps with a status. */
export function countOf({ steps }: Outcome, status: Step['status']): number {
  return steps.filter((step) => step.status === status).length;
}

/** Returns the steps that failed. */
export function failedSteps({ steps }: Outcome): Step[] {
  return steps.filter(({ status }) => status === 'failed');
}

/** Returns the place of a step: `cassette.yaml:12`, or the cassette alone without a line. */
export function placeOfStep({ line, file }: Step, outcomeFile: string): string {
  const path = file ?? outcomeFile;
  return line === undefined ? path : `${path}:${line}`;
}

/** Divides the text of a finding into a headline and the lines below it. A list that begins in the first line is a detail. */
export function headlineAndDetails(text: string): { headline: string; details: string[] } {
  const [first = '', ...rest] = text.split('\n');
  const [headline, list] = first.split(/ (?=Closest:$)/);
  return { headline: headline!, details: list === undefined ? rest : [list, ...rest] };
}
