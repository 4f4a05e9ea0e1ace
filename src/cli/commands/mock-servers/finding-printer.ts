import type { Finding } from '../../../replay/findings/finding.ts';
import { say } from '../../io/output.ts';

/** Kinds of findings known only at the end of a session, which do not fail it alone. */
const LATE: ReadonlySet<Finding['kind']> = new Set(['unused', 'unsent', 'unanswered']);

/** Returns a printer of findings, which it redacts. Findings about the cassette itself recur after each reset, and are printed once. */
export function findingPrinter(redact = (text: string): string => text): {
  print(finding: Finding): void;
  printed: ReadonlySet<Finding>;
} {
  const printed = new Set<Finding>();
  const ofCassette = new Set<string>();
  return {
    printed,
    print(finding) {
      const { kind, text } = finding;
      if (LATE.has(kind)) return;
      printed.add(finding);
      if (ofCassette.has(text)) return;
      if (kind === 'unplayable') ofCassette.add(text);
      say(redact(text));
    },
  };
}
