import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { itemsOf } from '../../contract/compare-item-lists.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import { type Ignore, type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference, differences } from '../../match/json-difference.ts';
import { areTimes } from '../../match/volatile-text-parts.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isNotification, type Request, resultOf } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import { type LiveRedaction, withRecordedPlaceholders } from '../compare/equal-placeholders.ts';
import { gatherAnswers, recordedPages, withOwnRules } from '../compare/gather-answers.ts';
import { LiveIds } from '../compare/inconsistent-server-ids.ts';
import { replacedBefore, replacedValues, withRecordedValues } from '../compare/server-made-values.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { fewestPatterns, type Patterned, sharedPatterns } from './fewest-patterns.ts';
import { differInSecrets, hidesDifference, proposePatterns } from './propose-patterns.ts';
import type { ProposedPattern } from './text-around-values.ts';

/** Ignore rules for one difference between runs: expressions for parts of texts, or pointers to whole values. */
export interface Proposal {
  /**
   * Events of the cassette to write the rule beside. Used for values that may be ids: a session-wide rule would hide a
   * wrong id in a later message. Absent: a rule for the whole session, for dates, times and durations.
   */
  beside?: EventPlace[];
  /** Expressions that make the texts equal. Empty if only pointers do. */
  patterns: string[];
  /** JSON Pointers that ignore the whole values. */
  pointers: Pointer[];
  /** Message title and difference, such as `tools/call "now"` with both values. */
  seen: string[];
}

/** An event of the cassette: its first line, and the first line of the next event. */
export interface EventPlace {
  line: number;
  /** Absent for the last event. */
  next?: number;
  /** Whether the event already has a `match`. */
  hasMatch?: true;
  /** Ignore rules that the event already has, as written. */
  rules?: readonly string[];
}

export interface ProposeIgnoresOptions {
  ignore?: readonly Ignore[];
  /** Redaction of live values, which keeps secrets out of proposals. */
  redaction?: LiveRedaction;
}

/**
 * Proposes ignore rules for values that differ between two runs of one server, such as times, random ids and ports, and
 * for dates that differ from the cassette. Proposes an expression if that makes the texts equal. Rules for possible ids
 * come first, and apply to a single answer only. Nothing is applied automatically.
 */
export function proposeIgnores(first: ServerRun, second: ServerRun, options: ProposeIgnoresOptions = {}): Proposal[] {
  const { ignore = [], redaction } = options;
  const volatile = [...VOLATILE, ...ignore];
  const [before, after] = [first, second].map((run) => saidBy(run, volatile, new LiveIds(run, ignore, redaction)));
  const found: Found[] = [...before!].flatMap(([entry, { title, recorded, live, placesOf, wrong }]) => {
    const other = after!.get(entry);
    if (other === undefined) return [];
    const isRight = ({ path }: Difference) => ![...wrong, ...other.wrong].includes(path);
    const [one, two] = [live, other.live].map((value) => withRecordedPlaceholders(recorded, value, redaction));
    const placed = (difference: Difference) =>
      [...placesOf(difference.path)].map(({ place, path }) => ({ title, place, path, difference }));
    const varying = differences(one, two)
      .filter((difference) => isNoSecret(difference) && isRight(difference))
      .flatMap((difference) =>
        placed(difference).map((at) => ({ ...at, recorded: valueAt(recorded, difference.path) })),
      );
    const paths = new Set(varying.map(({ difference }) => difference.path));
    const dated = differences(recorded, one)
      .filter((difference) => !paths.has(difference.path) && isNoSecret(difference) && isRight(difference))
      .filter(isDated)
      .flatMap((difference) =>
        placed(difference).map((at) => ({ ...at, recorded: difference.recorded, isRecorded: true })),
      );
    return [...varying, ...dated];
  });
  const patterned = [...groupBy(found, ({ path }) => anyIndex(path))].flatMap(([pattern, group]) => {
    const isWhole = new Set(group.map(({ difference }) => difference.path)).size > PATHS_MAX;
    return group.map((one) => {
      return { ...one, pointer: isWhole ? pattern : one.path, patterns: patternsFor(one) };
    });
  });
  const proposals = fewestPatterns(sharedPatterns(patterned)).flatMap(proposalsFor);
  const all = merged(proposals.map((one) => withoutSecrets(one, redaction)));
  return [...all.filter(({ beside }) => beside), ...all.filter(({ beside }) => !beside)];
}

interface Found extends PlacedValue {
  title: string;
  /** Values of both runs, or of the cassette and the first run. */
  difference: Difference;
  recorded: unknown;
  /** Whether both runs have the same value, which differs from the cassette. */
  isRecorded?: boolean;
}

/** The event for a rule, and the path of the value in its message. A list has an event for each page. */
interface PlacedValue {
  place: EventPlace;
  path: Pointer;
}

function isNoSecret({ recorded, live }: Difference): boolean {
  return !differInSecrets(recorded, live);
}

/** Reports whether a difference from the cassette depends on the current day: a date or a time, alone or in a text. */
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

/** Returns the rules for a difference: for its dates and times, and for its other values. */
function proposalsFor({ pointer, patterns, ...found }: Found & Patterned): Proposal[] {
  const sources = patterns.map(({ source }) => source);
  const one = { pointers: [pointer], seen: [seenWords(found, sources)] };
  if (patterns.length === 0)
    return [{ patterns: [], ...one, ...(!isDated(found.difference) && { beside: [found.place] }) }];
  const passing = patterns.flatMap(({ source, isPassing }) => (isPassing ? [source] : []));
  const others = sources.filter((source) => !passing.includes(source));
  return [
    ...(others.length > 0 ? [{ patterns: others, ...one, beside: [found.place] }] : []),
    ...(passing.length > 0 ? [{ patterns: passing, ...one }] : []),
  ];
}

/** Returns the expressions for a text. Empty: none makes it equal. */
function patternsFor({ difference: { recorded: one, live: two }, recorded, isRecorded }: Found): ProposedPattern[] {
  if (typeof one !== 'string' || typeof two !== 'string') return [];
  const before = typeof recorded === 'string' ? recorded : undefined;
  return proposePatterns({ recorded: before, first: isRecorded ? two : one, second: two }) ?? [];
}

function seenWords({ title, difference, recorded, isRecorded }: Found, patterns: readonly string[]): string {
  const words = `${title} ${describeDifference(difference)}`;
  if (isRecorded) return `${words}: the same in both runs, another one in the cassette`;
  const { live } = difference;
  if (patterns.length === 0 || typeof recorded !== 'string' || typeof live !== 'string') return words;
  return hidesDifference(patterns, [recorded, live]) ? words : `${words}: the cassette also differs in something else`;
}

/** Joins proposals with the same rules, beside events or for the session. */
function merged(proposals: readonly Proposal[]): Proposal[] {
  const joined = new Map<string, Proposal>();
  for (const one of proposals) {
    const rules = one.patterns.length > 0 ? one.patterns : one.pointers;
    // Places and examples are those of one event.
    const key = JSON.stringify([rules, one.beside?.map(({ line }) => line)]);
    const { pointers, seen, beside = [] } = joined.get(key) ?? { pointers: [], seen: [] };
    const places = new Map([...beside, ...(one.beside ?? [])].map((place) => [place.line, place]));
    joined.set(key, {
      ...one,
      pointers: [...new Set([...pointers, ...one.pointers])],
      seen: [...new Set([...seen, ...one.seen])],
      ...(one.beside && { beside: [...places.values()] }),
    });
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
  /** Returns the events for a rule about the value at a path. */
  placesOf(path: Pointer): PlacedValue[];
  recorded: unknown;
  live: unknown;
  /** Places with the id of something else, which no rule may hide. */
  wrong: readonly Pointer[];
}

/** Returns the messages of a server, by their recorded entry. */
function saidBy(driven: ServerRun, ignore: readonly Ignore[], ids: LiveIds): Map<number, Said> {
  const replaced = replacedValues(driven);
  const { entries } = driven.plan;
  const placeOf = ({ event, line, match }: SessionEntry): EventPlace => {
    const next = entries.find((entry) => entry.event > event)?.line;
    const rules = match?.ignore ?? [];
    const own = { ...(match && { hasMatch: true as const }), ...(rules.length > 0 && { rules }) };
    return { line, ...(next !== undefined && { next }), ...own };
  };
  const answers = gatherAnswers(driven, ignore).answers.map(({ request, exchanges, recorded, live }) => {
    const shown = withRecordedValues(recorded, live, replacedBefore(request, replaced));
    const pages = recordedPages(request, driven.plan);
    const { method = '' } = request.message as Partial<Request>;
    const sizesOf = (all: readonly unknown[]) =>
      all.map((message) => itemsOf(resultOf(message), LISTS.get(method)?.field ?? '').length);
    const sizes = sizesOf(pages.map(({ message }) => message));
    const isAlike = sizes.join() === sizesOf(exchanges.map(({ live: page }) => page.value)).join();
    const placesOf = (path: Pointer) =>
      pagesAt(path, { pages, sizes: isAlike ? sizes : undefined }).map(({ page, path: inPage }) => ({
        place: placeOf(page ?? request),
        path: inPage,
      }));
    const wrong = exchanges.flatMap((exchange) => ids.wrongIn(exchange)).map(({ path }) => path);
    return [request.index, { title: messageTitle(request.message), placesOf, recorded, live: shown, wrong }] as const;
  });
  const notifications = driven.notifications.flatMap(({ recorded, live }) => {
    if (recorded === undefined || !isNotification(recorded.message)) return [];
    const rules = withOwnRules(ignore, recorded);
    const said = {
      title: recorded.message.method,
      placesOf: (path: Pointer) => [{ place: placeOf(recorded), path }],
      recorded: valueWithoutIgnored(recorded.json, rules),
      live: valueWithoutIgnored(live, rules),
      wrong: [],
    };
    return [[recorded.index, said] as const];
  });
  return new Map([...answers, ...notifications]);
}

interface Pages {
  pages: readonly SessionEntry[];
  /** Number of items of each page. Undefined: the live server divides its list in another way. */
  sizes: readonly number[] | undefined;
}

/** Returns the pages of a list that need a rule for a value of the joined list, with its path there. */
function pagesAt(path: Pointer, { pages, sizes }: Pages): { page: SessionEntry | undefined; path: Pointer }[] {
  const [, result, field, index, ...rest] = path.split('/');
  if (pages.length < 2 || !/^\d+$/.test(index ?? '')) return [{ page: pages[0], path }];
  if (sizes === undefined) return pages.map((page) => ({ page, path: ['', result, field, '*', ...rest].join('/') }));
  const starts = sizes.map((_, page) => sizes.slice(0, page).reduce((sum, size) => sum + size, 0));
  const at = starts.findLastIndex((start) => start <= Number(index));
  return [{ page: pages[at], path: ['', result, field, Number(index) - starts[at]!, ...rest].join('/') }];
}
