import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import { IgnoreUsage, type NamedRule } from '../../match/ignore-usage.ts';
import { ignoredExpressionIn } from '../../protocol/ignore-rule-syntax.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { brokenBy } from './session-end-steps.ts';

/**
 * Returns a note for each ignore rule without a match in the cassette or in live messages: rules of `rules`, and rules
 * beside answers and notifications in the cassette. Empty for a session with missing answers, which may have had the
 * matches.
 */
export function unusedIgnores(driven: ServerRun, file: string, rules: readonly NamedRule[] = []): string[] {
  if (driven.isAborted || brokenBy(driven) !== undefined || driven.unanswered.length > 0) return [];
  const { plan, exchanges, notifications } = driven;
  const came = [...exchanges, ...notifications];
  const usage = new IgnoreUsage(rules);
  for (const { json } of plan.entries) usage.see(json?.value);
  for (const { live } of came) usage.see(live.value);
  const own = plan.entries.flatMap((entry) => {
    const rules = ownRules(entry, file);
    const live = rules.length === 0 ? [] : came.filter(({ recorded }) => recorded === entry);
    if (live.length === 0) return [];
    const beside = new IgnoreUsage(rules);
    for (const message of [entry.json, ...live.map((one) => one.live)]) beside.see(message?.value);
    return beside.notes();
  });
  return [...usage.notes(), ...own];
}

function ownRules({ match, from, line }: SessionEntry, file: string): NamedRule[] {
  if (from !== 'server') return [];
  return (match?.ignore ?? []).map((written) => {
    const expression = ignoredExpressionIn(written);
    return {
      name: `match: { ignore: ['${written}'] } (${file}:${line})`,
      rule: expression === undefined ? written : compileLinear(expression),
    };
  });
}
