import type { Outcome, Step } from '../text-report/outcome-model.ts';
import type { Entry, SessionDiff } from './diff-sessions.ts';

/**
 * Returns the differences of two sessions as the outcome of a check: a failed step for each entry, in the same order, and one for other settings. Sessions
 * without a difference have a single step, which passes.
 */
export function diffOutcome(diff: SessionDiff): Outcome {
  const { a, b, entries, notes, otherSettings, same } = diff;
  const steps = [...entries.map((entry) => stepOf(entry, diff)), ...settingsSteps(diff)];
  const passed: Step = { title: `${a} and ${b}`, file: b, status: 'passed', details: [`${same} the same`] };
  const isSame = entries.length === 0 && otherSettings === 0;
  return { title: 'diff', file: b, steps: isSame ? [passed] : steps, notes, duration: 0 };
}

function stepOf(
  { kind, title, headline, changes, hasAllChanges, isAddedByClient, before, after, ...places }: Entry,
  { a, b }: SessionDiff,
): Step {
  const [file, line] = kind === 'gone' ? [a, places.a] : [b, places.b];
  const named = (name: string, at: number | undefined) => (at === undefined ? name : `${name}:${at}`);
  return {
    title,
    status: 'failed',
    headline,
    file,
    ...(line !== undefined && { line }),
    ...(kind === 'gone' && { missingIn: b }),
    changes,
    ...(hasAllChanges && { hasAllChanges }),
    ...(isAddedByClient && { isAddedByClient }),
    ...(before !== undefined && { recorded: before }),
    ...(after !== undefined && { live: after }),
    ...((before ?? after) !== undefined && { sides: { recorded: named(a, places.a), live: named(b, places.b) } }),
  };
}

function settingsSteps({ b, otherSettings, settingsNotes }: SessionDiff): Step[] {
  if (otherSettings === 0) return [];
  const headline = `${otherSettings} with other settings`;
  return [{ title: 'rules and settings', file: b, status: 'failed', headline, details: settingsNotes }];
}
