import { MatchCounter } from '../../../faults/engine/match-counter.ts';
import type { Rule } from '../../../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../../faults/rules/unknown-rule-method.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import type { ServedFaults } from '../../../replay/serve-stdio.ts';
import type { MockProcessLog } from '../../io/mock-process-log-writer.ts';
import { CrossProcessFaultCounter } from './cross-process-fault-counter.ts';

/**
 * Returns faults from a JSON file, `{ "set": 1, "seed": 0, "faults": [] }`. The file is read before each frame, so a
 * change applies from the next frame on. With `"matches": FILE`, all processes count the matches of rules in FILE.
 * @throws McpRecordError USAGE_CANNOT_WRITE, and those of `parseFaultRules`
 */
export function faultsFromLiveFile(path: string, told: MockProcessLog): ServedFaults {
  const sets = new WeakMap<readonly Rule[], number>();
  const counters = new WeakMap<Rule, MatchCounter>();
  let last = '';
  const changed = () => {
    const text = textOf(path);
    if (text === undefined || text === last) return undefined;
    last = text;
    const { set, matches: file, ...written } = JSON.parse(text) as { set: number; matches?: string };
    const read = parseFaultRules(written, { name: path, transport: 'stdio', usesMethod: anyMethod });
    const { rules, seed = 0 } = read;
    sets.set(rules, set);
    if (file === undefined) return { rules, seed };
    const matches = new CrossProcessFaultCounter(String(file));
    for (const [index, rule] of rules.entries()) {
      const number = index + 1;
      const nextMatch = () => matches.next(set, number);
      counters.set(rule, new MatchCounter({ rule, number, seed, nextMatch }));
    }
    return { rules, seed };
  };
  const first = changed() ?? { rules: [], seed: 0 };
  return {
    ...first,
    changed,
    counters,
    fired: (one, of) => told.fired(one, sets.get(of)!),
    unchanged: (one, of) => told.unchanged(one, sets.get(of)!),
  };
}

/** Returns the file's text, or `undefined` for a file deleted at the end of the test. */
function textOf(path: string): string | undefined {
  try {
    return readNamedText(path);
  } catch {
    return undefined;
  }
}
