import { type UnplayableEntry, unplayableEntries } from '../../cassette/correlate/unplayable-entries.ts';
import { lacksVersion } from '../../cassette/read/json-rpc-version.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { isResponse, type Message } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/methods.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { Finding } from './finding.ts';

const SHOWN_MAX = 10;

/** What a person should know of a cassette before it is played: what is filled in, and entries that no session can play. */
export function unplayableFindings({ plan, file }: { plan: ReplayPlan; file: string }): Finding[] {
  const findings: Finding[] = filledIn(plan, file);
  for (const found of unplayableEntries(plan.entries, plan.links)) {
    if (findings.length >= SHOWN_MAX) {
      findings.push({ kind: 'unplayable', text: `${file} has more entries that cannot be played.` });
      break;
    }
    findings.push(unplayable(found, file));
  }
  return findings;
}

function filledIn({ entries, side }: ReplayPlan, file: string): Finding[] {
  const [first, ...others] = entries.filter((entry) => entry.from === side && lacksVersion(entry));
  if (first === undefined) return [];
  const more = others.length > 0 ? ` (and ${formatCount(others.length, 'message')} after it)` : '';
  const text = `${file}:${first.line} ${titleOf(first.message!)} has no "jsonrpc"${more}: played as "2.0".`;
  return [{ kind: 'default', text, entry: first }];
}

function unplayable({ entry, why, next }: UnplayableEntry, file: string): Finding {
  return {
    kind: 'unplayable',
    text: `${file}:${entry.line} ${titleOf(entry.message)}: ${why}. ${next}`,
    entry,
  };
}

function titleOf(message: Message): string {
  return isResponse(message) ? 'response' : subjectOf(message.method, message.params);
}
