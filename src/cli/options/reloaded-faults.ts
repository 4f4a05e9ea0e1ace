import type { Rule } from '../../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../../faults/rules/parse-fault-rules.ts';
import { readNamedText } from '../../kernel/read-file.ts';
import type { ServedFaults } from '../../replay/serve-stdio.ts';
import type { MockServerLog } from '../io/mock-server-log.ts';

/**
 * Faults of a file of JSON, `{ "set": 1, "seed": 0, "faults": [] }`, which is looked at before each frame: whoever has
 * written it knows that they hold for what is said next.
 * @throws McpRecordError those of `parseFaultRules`
 */
export function reloadedFaults(path: string, told: MockServerLog): ServedFaults {
  const sets = new WeakMap<readonly Rule[], number>();
  let last = '';
  let seed = 0;
  const changed = () => {
    const text = textOf(path);
    if (text === undefined || text === last) return undefined;
    last = text;
    const { set, ...written } = JSON.parse(text) as { set: number };
    const read = parseFaultRules(written, { name: path, ground: 'stdio' });
    seed = read.seed ?? 0;
    sets.set(read.rules, set);
    return read.rules;
  };
  const rules = changed() ?? [];
  return { rules, seed, changed, fired: (one, of) => told.fired(one, sets.get(of)!) };
}

/** Undefined where it is gone: nobody has anything more to say. */
function textOf(path: string): string | undefined {
  try {
    return readNamedText(path);
  } catch {
    return undefined;
  }
}
