import { failedSteps, type Outcome, placeOfStep, type Step } from '../../text-report/outcome-model.ts';
import { isUpdatable } from './advised-verify-command.ts';
import type { CassetteUpdate } from './update-cassette.ts';

/** Returns the lines of the failed steps that an update of the cassette can make pass. */
export function updatableLines(outcome: Outcome): Set<number> {
  return new Set(failedSteps(outcome).flatMap((step) => (isUpdatable(step) ? (step.line ?? []) : [])));
}

/**
 * Returns the outcome after an update of the cassette: a failed step passes if nothing is wrong but values that the
 * cassette now holds, at the lines that were written. Notes name the breaking changes among them.
 */
export function passUpdatedSteps(outcome: Outcome, { lines, notes: kept }: Omit<CassetteUpdate, 'count'>): Outcome {
  const isTaken = (step: Step) => isUpdatable(step) && step.line !== undefined && lines.has(step.line);
  const steps = outcome.steps.map((step) =>
    step.status === 'failed' && isTaken(step) ? { ...step, status: 'passed' as const, isTakenOver: true } : step,
  );
  const taken = steps.filter((step) => 'isTakenOver' in step);
  const notes = taken.flatMap((step) => {
    const breaking = (step.changes ?? []).filter(({ severity }) => severity === 'breaking');
    const place = placeOfStep(step, outcome.file);
    return breaking.map(({ reason }) => `A breaking change was taken over: ${step.title}: ${reason} (${place}).`);
  });
  const advice = 'The recorded client is the old one: if clients change with the server, record the session again.';
  return { ...outcome, steps, notes: [...outcome.notes, ...kept, ...notes, ...(notes.length > 0 ? [advice] : [])] };
}
