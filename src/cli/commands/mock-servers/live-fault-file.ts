import { MatchCounter } from '../../../faults/engine/match-counter.ts';
import type { Rule } from '../../../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../../faults/rules/unknown-rule-method.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import type { ServedFaults } from '../../../replay/serve-stdio.ts';
import type { MockProcessLog } from '../../io/mock-process-log-writer.ts';
import { CrossProcessFaultCounter } from './cross-process-fault-counter.ts';

/**
 * Returns faults from a JSON file, `{ "set": 1, "seed": 0, "faults": [] }`. The file is read before each frame, so a
 * change applies from the next frame on. With `"matches": FILE`, all processes count the matches of rules in FILE. While the
 * session runs, a file without valid rules changes nothing: `refused` gets the error.
 * @throws McpRecordError USAGE_CANNOT_WRITE, FAULTS_UNREADABLE, and those of `parseFaultRules`, for the file at the start
 */
export function faultsFromLiveFile(
  path: string,
  told: MockProcessLog,
  refused: (error: McpRecordError) => void,
): ServedFaults {
  const sets = new WeakMap<readonly Rule[], number>();
  const counters = new WeakMap<Rule, MatchCounter>();
  let last = '';
  const rulesIn = (text: string) => {
    const { set, matches: file, ...written } = parsed(text, path);
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
  const newText = () => {
    const text = textOf(path);
    if (text === undefined || text === last) return undefined;
    last = text;
    return text;
  };
  const changed = () => {
    const text = newText();
    // A file that is being written is empty at first.
    if (text === undefined || text === '') return undefined;
    try {
      return rulesIn(text);
    } catch (error) {
      if (!(error instanceof McpRecordError)) throw error;
      refused(error);
      return undefined;
    }
  };
  const begun = newText();
  const first = begun === undefined ? { rules: [], seed: 0 } : rulesIn(begun);
  return {
    ...first,
    changed,
    counters,
    fired: (one, of) => told.fired(one, sets.get(of)!),
    unchanged: (one, of) => told.unchanged(one, sets.get(of)!),
  };
}

function parsed(text: string, path: string): { set: number; matches?: string } {
  try {
    return JSON.parse(text) as { set: number; matches?: string };
  } catch (error) {
    throw new McpRecordError({
      code: 'FAULTS_UNREADABLE',
      what: `Cannot use the faults of ${path}`,
      why: `it is no JSON: ${messageOf(error)}`,
      next: 'Write, for example, {"set": 1, "seed": 0, "faults": [{"do": "drop"}]}. Write another file, and rename it.',
    });
  }
}

/** Returns the file's text, or `undefined` for a file deleted at the end of the test. */
function textOf(path: string): string | undefined {
  try {
    return readNamedText(path);
  } catch {
    return undefined;
  }
}
