import { type CheckResult, verdictOf } from './check-verdicts-and-summary.ts';

/**
 * Returns the hint how to leave out values that differ in each run, if the comparison with a revision fails: the rules
 * that the server's check proposes for the cassette do not help there. Undefined if nothing indicates such values.
 */
export function hintForBase(results: readonly CheckResult[]): string | undefined {
  const changes = results.find(({ name }) => name === 'changes');
  if (changes === undefined || verdictOf(changes) !== 'failed') return undefined;
  const says = (some: CheckResult, form: RegExp) => some.runs.some(({ output }) => form.test(output));
  const areRulesNew = says(changes, /^ *✗ The settings of .* match\.ignore: none → /m);
  const areProposed = results.some((one) => one.name === 'server' && says(one, /^hint: .* --propose-ignores /m));
  return areRulesNew || areProposed ? HINT : undefined;
}

const HINT =
  "For --base, leave out what differs in each run with an option: --ignore-pattern 'PATTERN'. A rule (match) that only " +
  'the newer cassette has leaves out nothing in this comparison, because it could hide a breaking change.';
