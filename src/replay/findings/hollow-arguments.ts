import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { IGNORED, type Ignore, rulesAsWritten, without } from '../../match/ignore-rules.ts';
import { isObject, isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from './finding.ts';

/**
 * Returns a finding for each tool of which ignore rules leave no argument to compare, and one if they leave out the names
 * of tools: such calls get the recorded answers in their order, whatever the client asks for.
 */
export function hollowArgumentFindings(entries: readonly SessionEntry[], ignore: readonly Ignore[]): Finding[] {
  const calls = new ListMap<string, SessionEntry>();
  for (const entry of entries) {
    const { from, message, match } = entry;
    if (from !== 'client' || !isRequest(message) || message.method !== 'tools/call' || match?.arguments) continue;
    calls.add(subjectOf(message.method, message.params), entry);
  }
  if ([...calls].some(([, all]) => all.some((entry) => isLeftOut(comparedOf(entry, ignore).name))))
    return [hollow('the names of tools', 'A call gets a recorded answer', 'whatever tool the client calls')];
  return [...calls].flatMap(([subject, all]): Finding[] => {
    const hasArguments = all.some(({ message }) => valuesIn(paramsOf(message).arguments).length > 0);
    if (!hasArguments || !all.every((entry) => isHollow(entry, ignore))) return [];
    const answered =
      all.length === 1
        ? 'Its call gets the recorded answer'
        : `Its ${all.length} calls get the recorded answers in their order`;
    return [hollow(`the arguments of ${subject}`, answered, 'whatever the client asks for')];
  });
}

function hollow(what: string, answered: string, whatever: string): Finding {
  const text = `Note: ignore rules leave nothing of ${what} to compare. ${answered}, ${whatever}. Leave out only the part that varies, with a regular expression: see docs/matching.md, "Paths of your machine".`;
  return { kind: 'hollow', text };
}

/** Returns the params of a call without what rules leave out. */
function comparedOf({ message, match }: SessionEntry, ignore: readonly Ignore[]): Params {
  const left = without(message, [...ignore, ...rulesAsWritten(match?.ignore ?? [])]);
  return isObject(left) ? paramsOf(left) : {};
}

function isHollow(entry: SessionEntry, ignore: readonly Ignore[]): boolean {
  const { arguments: rest } = comparedOf(entry, ignore);
  return valuesIn(rest).every(isLeftOut);
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === IGNORED;
}

function valuesIn(args: unknown = {}): unknown[] {
  return [...leavesOf(args, [])].map(({ value }) => value).filter((value) => value !== undefined);
}
