import { JsonText } from '../../protocol/json-text.ts';
import type { Outcome, Step } from '../../text-report/outcome.ts';

/**
 * What is told of a session without the secrets in it, whoever said them: reports are kept, and shown to others. The same
 * outcome where it has none. `redact` is that of one redactor; it learns as it goes, so all is shown to it first.
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

/** What a headline quotes is cut to a length: the beginning of a secret is not known for one. */
function whole(told: Step, safe: Step): Step {
  if (safe === told || !told.headline?.includes('…')) return safe;
  return { ...safe, headline: told.headline.replace(/["{[].*/s, '…') };
}
