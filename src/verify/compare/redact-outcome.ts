import { differenceWords } from '../../contract/describe-message-difference.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import { variableFor } from '../../redact/replace/placeholder-format.ts';
import type { Outcome, Step } from '../../text-report/outcome-model.ts';

/**
 * Returns the outcome with secrets redacted, because reports are kept and shared. An outcome without secrets is
 * returned unchanged. `redact` learns secrets, so it is applied to all steps once before the result is built.
 */
export function redactOutcome(outcome: Outcome, redact: (json: JsonText) => JsonText): Outcome {
  const safe = <T>(told: T): T => {
    const json = new JsonText(JSON.stringify(told));
    const kept = redact(json);
    return kept.text === json.text ? told : JSON.parse(kept.text);
  };
  for (const step of outcome.steps) safe(step);
  return {
    ...outcome,
    steps: outcome.steps.map((step) => whole(step, safe(step))),
    notes: outcome.notes.map((note) => safe([note])[0]!),
  };
}

/**
 * Writes the headline of a step with secrets anew, from redacted values. Quotes in headlines are truncated: the
 * beginning of a secret may be left, which is not recognized as a secret.
 */
function whole(told: Step, safe: Step): Step {
  if (safe === told || told.headline === undefined) return safe;
  const { recorded, live } = told;
  const isOfValues = recorded !== undefined && live !== undefined;
  if (isOfValues && told.headline === differenceWords(recorded, live)) {
    const words = differenceWords(safe.recorded, safe.live);
    return { ...safe, headline: words === '' ? unshown(safe.recorded) : words };
  }
  if (!told.headline.includes('…')) return safe;
  return { ...safe, headline: told.headline.replace(/\(?["{[].*/s, '… (with a redacted value)') };
}

/** Returns the headline for values that are equal after redaction. Names the variables that may have changed. */
function unshown(recorded: unknown): string {
  const names = new Set(allPlaceholdersIn(JSON.stringify(recorded)).map(variableFor));
  const given = names.size === 0 ? '' : ` (${[...names].join(', ')}): is a variable missing, or has it another value?`;
  return `differs only in values that are redacted, and therefore not shown${given}`;
}

/** Returns a step without secrets. */
export function redactStep(step: Step, redact: (json: JsonText) => JsonText): Step {
  return redactOutcome({ title: '', file: '', steps: [step], notes: [], duration: 0 }, redact).steps[0]!;
}
