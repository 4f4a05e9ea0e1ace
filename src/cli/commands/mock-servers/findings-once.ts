import type { Finding } from '../../../replay/findings/finding.ts';
import { say } from '../../io/output.ts';

/** What is known of a session only when it ends, and does not fail it by itself. */
const LATE: ReadonlySet<Finding['kind']> = new Set(['unused', 'unsent', 'unanswered']);

/** Says each finding, and those of the cassette once: they are found again after each reset. */
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
