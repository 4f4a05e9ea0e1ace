import { type Outcome, placeOfStep } from '../../text-report/outcome-model.ts';
import { isUpdatable } from './advised-verify-command.ts';

/**
 * Returns the outcome after an update of the cassette: a failed step passes if nothing is wrong but values that the
 * cassette now holds. Notes name the breaking changes among them.
 */
export function passUpdatedSteps(outcome: Outcome): Outcome {
  const steps = outcome.steps.map((step) =>
    step.status === 'failed' && isUpdatable(step) ? { ...step, status: 'passed' as const, isTakenOver: true } : step,
  );
  const taken = steps.filter((step) => 'isTakenOver' in step);
  const notes = taken.flatMap((step) => {
    const breaking = (step.changes ?? []).filter(({ severity }) => severity === 'breaking');
    const place = placeOfStep(step, outcome.file);
    return breaking.map(({ reason }) => `A breaking change was taken over: ${step.title}: ${reason} (${place}).`);
  });
  const advice = 'The recorded client is the old one: if clients change with the server, record the session again.';
  return { ...outcome, steps, notes: [...outcome.notes, ...notes, ...(notes.length > 0 ? [advice] : [])] };
}
