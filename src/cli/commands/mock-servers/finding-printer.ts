import type { Finding } from '../../../replay/findings/finding.ts';
import type { ReplayOutcome } from '../../../replay/findings/replay-outcome.ts';
import { say } from '../../io/output.ts';

/** Kinds of findings known only at the end of a session. */
const LATE: ReadonlySet<Finding['kind']> = new Set(['unused', 'unsent', 'unanswered', 'unauthorized']);

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

/** Returns the findings to print at the end: those of the whole session, and failures that were not printed before. */
export function lateFindings({ findings, failures }: ReplayOutcome, printed: ReadonlySet<Finding>): Finding[] {
  return findings.filter((one) => !printed.has(one) && (LATE.has(one.kind) || failures.includes(one)));
}
