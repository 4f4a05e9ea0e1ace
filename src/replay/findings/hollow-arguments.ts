import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { IGNORED, type Ignore, rulesAsWritten, without } from '../../match/ignore-rules.ts';
import { isObject, isRequest, paramsOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from './finding.ts';

/**
 * Returns a finding for each tool whose calls differ in what ignore rules leave out, and in nothing else: they get the
 * recorded answers in their order, also for a client that calls with other arguments.
 */
export function hollowArgumentFindings(entries: readonly SessionEntry[], ignore: readonly Ignore[]): Finding[] {
  const calls = new ListMap<string, SessionEntry>();
  for (const entry of entries) {
    const { from, message, match } = entry;
    if (from !== 'client' || !isRequest(message) || message.method !== 'tools/call' || match?.arguments) continue;
    calls.add(subjectOf(message.method, message.params), entry);
  }
  return [...calls].flatMap(([subject, all]): Finding[] => {
    const args = new Set(all.map(({ message }) => canonicalJson(paramsOf(message).arguments ?? {})));
    if (args.size < 2 || !all.every((entry) => isHollow(entry, ignore))) return [];
    const text = `Note: ignore rules leave nothing of the arguments of ${subject} to compare. Its ${all.length} calls get the recorded answers in their order, whatever the client asks for. Leave out only the part that varies, with a regular expression: see docs/matching.md, "Paths of your machine".`;
    return [{ kind: 'hollow', text }];
  });
}

function isHollow({ message, match }: SessionEntry, ignore: readonly Ignore[]): boolean {
  const left = without(message, [...ignore, ...rulesAsWritten(match?.ignore ?? [])]);
  const { arguments: rest } = isObject(left) ? paramsOf(left) : {};
  return [...leavesOf(rest ?? {}, [])].every(({ value }) => value === undefined || value === IGNORED);
}
