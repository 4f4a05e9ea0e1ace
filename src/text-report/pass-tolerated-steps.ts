import { type FailOn, failsOn } from '../match/contract-change-types.ts';
import { changeLines } from './change-lines.ts';
import { type Outcome, placeOfStep, type Step } from './outcome-model.ts';

/**
 * Returns a failed step as a passed one if `failOn` lets everything pass that differs. Its details tell the changes.
 * `option` is the option as the user wrote it.
 */
export function toleratedStep(step: Step, failOn: FailOn, option = `--fail-on ${failOn}`): Step {
  if (step.status !== 'failed' || failsOn(failOn, step)) return step;
  const { changes = [], headline = '' } = step;
  const passing = changes.length > 0 ? changeLines(changes) : [headline];
  return { ...step, status: 'passed', details: [`${option} does not fail this:`, ...passing] };
}

/** Returns an outcome in which the steps pass that `failOn` lets pass, with a note about each. */
export function toleratedOutcome(outcome: Outcome, failOn: FailOn, option = `--fail-on ${failOn}`): Outcome {
  const steps = outcome.steps.map((step) => toleratedStep(step, failOn, option));
  const tolerated = steps.filter((step, n) => step !== outcome.steps[n]);
  const notes = tolerated.map((step) => {
    return `${option} does not fail ${step.title}: ${step.headline} (${placeOfStep(step, outcome.file)})`;
  });
  return { ...outcome, steps, notes: [...outcome.notes, ...notes] };
}
