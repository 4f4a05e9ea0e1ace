import { messageTitle } from '../../contract/message-title.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import type { Ignore, Pointer } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference, differences } from '../../match/json-difference.ts';
import { isNotification } from '../../protocol/message.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { gatherAnswers } from './gather-answers.ts';

/** A JSON Pointer to ignore, with the differing values. */
export interface Proposal {
  pointer: Pointer;
  /** Message title and difference, such as `tools/call "now"` with both values. */
  seen: string[];
}

/**
 * Proposes to ignore values that differ between two runs of one server: times, random ids, ports. Proposals are never
 * applied automatically.
 */
export function proposeIgnores(first: ServerRun, second: ServerRun, ignore: readonly Ignore[] = []): Proposal[] {
  const volatile = [...VOLATILE, ...ignore];
  const [before, after] = [saidBy(first, volatile), saidBy(second, volatile)];
  const found: Found[] = [...before].flatMap(([entry, { title, value }]) => {
    const other = after.get(entry);
    return other === undefined ? [] : differences(value, other.value).map((difference) => ({ title, difference }));
  });
  return [...groupBy(found, ({ difference }) => anyIndex(difference.path))].flatMap(([pattern, group]) => {
    const paths = [...new Set(group.map(({ difference }) => difference.path))];
    if (paths.length > PATHS_MAX) return [proposal(pattern, group)];
    return paths.map((path) =>
      proposal(
        path,
        group.filter(({ difference }) => difference.path === path),
      ),
    );
  });
}

interface Found {
  title: string;
  difference: Difference;
}

function groupBy(found: readonly Found[], keyOf: (one: Found) => string): Map<string, Found[]> {
  const groups = new Map<string, Found[]>();
  for (const one of found) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Maximum number of pointers for one list. Beyond it, the proposal covers every element. */
const PATHS_MAX = 2;

function anyIndex(path: Pointer): Pointer {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function proposal(pointer: Pointer, group: readonly Found[]): Proposal {
  return {
    pointer,
    seen: group.map(({ title, difference }) => `${title} ${describeDifference(difference)}`),
  };
}

/** Returns the messages of a server, by their recorded entry. */
function saidBy(driven: ServerRun, ignore: readonly Ignore[]): Map<number, { title: string; value: unknown }> {
  const answers = gatherAnswers(driven, ignore).answers.map(
    ({ request, live }) => [request.index, { title: messageTitle(request.message), value: live }] as const,
  );
  const notifications = driven.notifications.flatMap(({ recorded, live }) => {
    if (recorded === undefined || !isNotification(recorded.message)) return [];
    return [[recorded.index, { title: recorded.message.method, value: valueWithoutIgnored(live, ignore) }] as const];
  });
  return new Map([...answers, ...notifications]);
}

const SEEN_MAX = 3;

/** Returns the proposals as options to copy, line by line. */
export function proposalText(proposals: readonly Proposal[]): string[] {
  if (proposals.length === 0) return ['Two runs of the server say the same: there is nothing to ignore.'];
  return [
    'Two runs of the server differ here. Each of these options leaves its place out of every comparison:',
    ...proposals.flatMap(({ pointer, seen }) => [
      `  --ignore '${pointer.replaceAll("'", "'\\''")}'`,
      ...seen.slice(0, SEEN_MAX).map((example) => `      ${example}`),
      ...(seen.length > SEEN_MAX ? [`      and ${seen.length - SEEN_MAX} more`] : []),
    ]),
    'To ignore it in one answer only, write "match: { ignore: [POINTER] }" beside this answer in the cassette.',
    "To ignore only a date or an id inside a text, give its form: --ignore-pattern '20\\d\\d-\\d\\d-\\d\\d'.",
  ];
}
