import type { Outcome, Step } from '../text-report/outcome-model.ts';
import type { Entry, SessionDiff } from './diff-sessions.ts';

/**
 * Returns the differences of two sessions as the outcome of a check: a failed step for each entry, in the same order, and one for other settings. Sessions
 * without a difference have a single step, which passes.
 */
export function diffOutcome(diff: SessionDiff): Outcome {
  const { a, b, entries, notes, otherSettings, same } = diff;
  const steps = [...entries.map((entry) => stepOf(entry, diff)), ...settingsSteps(diff)];
  const passed: Step = { title: `${a} and ${b}`, status: 'passed', details: [`${same} the same`] };
  const isSame = entries.length === 0 && otherSettings === 0;
  const sides = { recorded: a, live: b };
  return { title: 'diff', file: b, sides, steps: isSame ? [passed] : steps, notes, duration: 0 };
}

function stepOf(
  { title, headline, changes, hasAllChanges, isAddedByClient, before, after, ...places }: Entry,
  { a, b }: SessionDiff,
): Step {
  const at = places.b === undefined ? { file: a, line: places.a } : { file: b, line: places.b };
  return {
    title,
    status: 'failed',
    headline,
    file: at.file,
    ...(at.line !== undefined && { line: at.line }),
    changes,
    ...(hasAllChanges && { hasAllChanges }),
    ...(isAddedByClient && { isAddedByClient }),
    ...(before !== undefined && { recorded: before }),
    ...(after !== undefined && { live: after }),
  };
}

function settingsSteps({ otherSettings, settingsNotes }: SessionDiff): Step[] {
  if (otherSettings === 0) return [];
  const headline = `${otherSettings} with other settings`;
  return [{ title: 'rules and settings', status: 'failed', headline, details: settingsNotes }];
}
