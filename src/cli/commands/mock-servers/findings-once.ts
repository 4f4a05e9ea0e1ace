import type { Finding } from '../../../replay/findings/finding.ts';
import { say } from '../../io/output.ts';

/** Kinds of findings known only at the end of a session, which do not fail it alone. */
const LATE: ReadonlySet<Finding['kind']> = new Set(['unused', 'unsent', 'unanswered']);

/** Returns a printer of findings. Findings about the cassette itself recur after each reset, and are printed once. */
export function findingsOnce(): { say(finding: Finding): void; said: ReadonlySet<Finding> } {
  const said = new Set<Finding>();
  const ofCassette = new Set<string>();
  return {
    said,
    say(finding) {
      const { kind, text } = finding;
      if (LATE.has(kind)) return;
      said.add(finding);
      if (ofCassette.has(text)) return;
      if (kind === 'unplayable') ofCassette.add(text);
      say(text);
    },
  };
}
