import { ListMap } from '../../cassette/correlate/list-map.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import { type Ignore, type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference, differences } from '../../match/json-difference.ts';
import { areTimes } from '../../match/volatile-text-parts.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isNotification } from '../../protocol/message.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { withOwnRules } from './entry-ignore-rules.ts';
import { type LiveRedaction, withRecordedPlaceholders } from './equal-placeholders.ts';
import { gatherAnswers } from './gather-answers.ts';
import { hidesDifference, proposePatterns } from './propose-patterns.ts';
import { replacedBefore, replacedValues, withRecordedValues } from './server-made-values.ts';

/** Rules for one difference between runs: regular expressions for parts of texts, or else whole places. */
export interface Proposal {
  /** Expressions that make the texts equal. Empty: only a pointer does. */
  patterns: string[];
  /** JSON Pointers to the places, which leave them out as a whole. */
  pointers: Pointer[];
  /** Message title and difference, such as `tools/call "now"` with both values. */
  seen: string[];
}

export interface ProposeIgnoresOptions {
  ignore?: readonly Ignore[];
  /** Redaction of live values: secrets are in no proposal. */
  redaction?: LiveRedaction;
}

/**
 * Proposes to ignore values that differ between two runs of one server, such as times, random ids and ports, and dates
 * that differ from the cassette. A regular expression is proposed where it makes the texts equal. Proposals are never
 * applied automatically.
 */
export function proposeIgnores(first: ServerRun, second: ServerRun, options: ProposeIgnoresOptions = {}): Proposal[] {
  const { ignore = [], redaction } = options;
  const volatile = [...VOLATILE, ...ignore];
  const [before, after] = [saidBy(first, volatile), saidBy(second, volatile)];
  const found: Found[] = [...before].flatMap(([entry, { title, recorded, live }]) => {
    const other = after.get(entry);
    if (other === undefined) return [];
    const [one, two] = [live, other.live].map((value) => withRecordedPlaceholders(recorded, value, redaction));
    const varying = differences(one, two).map((difference) => ({
      title,
      difference,
      recorded: valueAt(recorded, difference.path),
    }));
    const paths = new Set(varying.map(({ difference }) => difference.path));
    const dated = differences(recorded, one)
      .filter((difference) => !paths.has(difference.path) && isDated(difference))
      .map((difference) => ({ title, difference, recorded: difference.recorded, isRecorded: true }));
    return [...varying, ...dated];
  });
  const proposals = [...groupBy(found, ({ difference }) => anyIndex(difference.path))].flatMap(([pattern, group]) => {
    const paths = [...new Set(group.map(({ difference }) => difference.path))];
    if (paths.length > PATHS_MAX) return [proposal(pattern, group)];
    return paths.map((path) =>
      proposal(
        path,
        group.filter(({ difference }) => difference.path === path),
      ),
    );
  });
  return merged(proposals.map((one) => withoutSecrets(one, redaction)));
}

interface Found {
  title: string;
  /** Values of the two runs, or of the cassette and the first run. */
  difference: Difference;
  recorded: unknown;
  /** Whether both runs have the same value, and the cassette another one. */
  isRecorded?: boolean;
}

/** Reports whether the difference from the cassette depends on the day: a date or a time, alone or inside a text. */
function isDated({ recorded, live }: Difference): boolean {
  if (typeof recorded === 'string' && typeof live === 'string') {
    return proposePatterns({ recorded, first: live, second: live }) !== undefined;
  }
  return typeof recorded === 'number' && typeof live === 'number' && areTimes([String(recorded), String(live)]);
}

function groupBy(found: readonly Found[], keyOf: (one: Found) => string): Map<string, Found[]> {
  const groups = new ListMap<string, Found>();
  for (const one of found) groups.add(keyOf(one), one);
  return groups;
}

/** Maximum number of pointers for one list. Beyond it, the proposal covers every element. */
const PATHS_MAX = 2;

function anyIndex(path: Pointer): Pointer {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function valueAt(value: unknown, path: Pointer): unknown {
  return parsePointer(path).reduce<unknown>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}

function proposal(pointer: Pointer, group: readonly Found[]): Proposal {
  const patterns = patternsFor(group);
  return {
    patterns,
    pointers: [pointer],
    seen: group.map((one) => seenWords(one, patterns)),
  };
}

/** Returns expressions for all texts of a group. Empty: a text has no expression that makes it equal. */
function patternsFor(group: readonly Found[]): string[] {
  const each = group.map(({ difference: { recorded: one, live: two }, recorded, isRecorded }) => {
    if (typeof one !== 'string' || typeof two !== 'string') return undefined;
    const before = typeof recorded === 'string' ? recorded : undefined;
    return proposePatterns({ recorded: before, first: isRecorded ? two : one, second: two });
  });
  return each.includes(undefined) ? [] : [...new Set(each.flatMap((patterns) => patterns ?? []))];
}

function seenWords({ title, difference, recorded, isRecorded }: Found, patterns: readonly string[]): string {
  const words = `${title} ${describeDifference(difference)}`;
  if (isRecorded) return `${words}: the same in both runs, another one in the cassette`;
  const { live } = difference;
  if (patterns.length === 0 || typeof recorded !== 'string' || typeof live !== 'string') return words;
  return hidesDifference(patterns, [recorded, live]) ? words : `${words}: the cassette also differs in something else`;
}

/** Joins proposals with the same expressions. */
function merged(proposals: readonly Proposal[]): Proposal[] {
  const joined = new Map<string, Proposal>();
  for (const one of proposals) {
    const key = JSON.stringify(one.patterns.length > 0 ? one.patterns : one.pointers);
    const { pointers, seen } = joined.get(key) ?? { pointers: [], seen: [] };
    joined.set(key, { ...one, pointers: [...pointers, ...one.pointers], seen: [...seen, ...one.seen] });
  }
  return [...joined.values()];
}

/** Redacts a proposal. An expression with a secret gives way to the pointer. */
function withoutSecrets(proposed: Proposal, redaction: LiveRedaction | undefined): Proposal {
  if (redaction === undefined) return proposed;
  const safe = <T>(value: T): T => JSON.parse(redaction.redact(new JsonText(JSON.stringify(value))).text);
  const patterns = safe(proposed.patterns);
  const isSafe = patterns.every((pattern, index) => pattern === proposed.patterns[index]);
  return { ...proposed, patterns: isSafe ? patterns : [], seen: safe(proposed.seen) };
}

interface Said {
  title: string;
  recorded: unknown;
  live: unknown;
}

/** Returns the messages of a server, by their recorded entry. */
function saidBy(driven: ServerRun, ignore: readonly Ignore[]): Map<number, Said> {
  const replaced = replacedValues(driven);
  const answers = gatherAnswers(driven, ignore).answers.map(({ request, recorded, live }) => {
    const shown = withRecordedValues(recorded, live, replacedBefore(request, replaced));
    return [request.index, { title: messageTitle(request.message), recorded, live: shown }] as const;
  });
  const notifications = driven.notifications.flatMap(({ recorded, live }) => {
    if (recorded === undefined || !isNotification(recorded.message)) return [];
    const rules = withOwnRules(ignore, recorded);
    const said = {
      title: recorded.message.method,
      recorded: valueWithoutIgnored(recorded.json, rules),
      live: valueWithoutIgnored(live, rules),
    };
    return [[recorded.index, said] as const];
  });
  return new Map([...answers, ...notifications]);
}

const SEEN_MAX = 3;

/** Returns the proposals as options to copy, line by line. */
export function proposalText(proposals: readonly Proposal[]): string[] {
  if (proposals.length === 0) return ['Two runs of the server say the same: there is nothing to ignore.'];
  return [
    'Two runs of the server differ here, or a date differs from the cassette. These options leave out what changes:',
    ...proposals.flatMap(({ patterns, pointers, seen }) => [
      `  ${(patterns.length > 0 ? patterns.map(patternOption) : pointers.map(pointerOption)).join(' ')}`,
      ...seen.slice(0, SEEN_MAX).map((example) => `      ${example}`),
      ...(seen.length > SEEN_MAX ? [`      and ${seen.length - SEEN_MAX} more`] : []),
      ...(patterns.length > 0 ? [`      Or the whole text: ${pointers.map(pointerOption).join(' ')}`] : []),
    ]),
    "To ignore it in one answer only, write match: { ignore: ['/PATTERN/'] } or [POINTER] beside this answer in the cassette.",
  ];
}

const patternOption = (pattern: string): string => `--ignore-pattern ${quoted(pattern)}`;
const pointerOption = (pointer: Pointer): string => `--ignore ${quoted(pointer)}`;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
