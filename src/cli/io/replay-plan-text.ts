import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { PlanStep } from '../../replay/plan/steps-by-trigger.ts';
import { describeSessionEntry } from '../../text-report/describe-session-entry.ts';

/**
 * Returns the plan as text, in the order of the cassette: each frame of the played side, its sequence, its
 * dependencies, and the applied rule. Frames are named by their line in the cassette.
 */
export function replayPlanText({ entries, sequences }: ReplayPlan): string[] {
  const rows = [...sequences].flatMap(({ trigger, steps }) => {
    const sequence = trigger === undefined ? 'the start' : lineOf(entries[trigger]!);
    return steps.map((part, index) => ({ part, sequence, before: steps[index - 1]?.entry }));
  });
  return rows
    .sort((a, b) => a.part.entry - b.part.entry)
    .map(({ part, sequence, before }) => {
      const entry = entries[part.entry]!;
      const after =
        before === undefined
          ? `opens with ${sequence}`
          : `in the sequence of ${sequence}, after ${lineOf(entries[before]!)}`;
      return `${String(entry.line).padStart(6)}  ${describeSessionEntry(entry).what}: ${after}${needsText(part, entries)} (${ruleText(part)})`;
    });
}

function needsText({ needs }: PlanStep, entries: readonly SessionEntry[]): string {
  return needs.length === 0 ? '' : `, waits for ${needs.map((entry) => lineOf(entries[entry]!)).join(', ')}`;
}

function ruleText({ why, guess, ambient }: PlanStep): string {
  const kind = ambient ? '; sent once, before the next response at the latest' : '';
  return `${why}${guess ? '; a guess' : ''}${kind}`;
}

function lineOf({ line }: SessionEntry): string {
  return `line ${line}`;
}
