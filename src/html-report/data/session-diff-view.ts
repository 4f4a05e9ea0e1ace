import { ListMap } from '../../cassette/correlate/list-map.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import { type Ignore, without } from '../../match/ignore-rules.ts';
import { pointerRemover } from '../../match/pointer-remover.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { BreakingChanges } from './add-breaking-changes-to-view.ts';
import { alignSequences, type Pair } from './align-sequences.ts';
import { assignLanes } from './lanes/assign-lanes.ts';
import type { Change, Item, View } from './report-data-types.ts';
import { shownDifferences } from './shown-differences.ts';

/** Fields whose values differ in every run. */
const withoutVolatile = pointerRemover([
  '/id',
  '/jsonrpc',
  '/params/_meta/progressToken',
  '/params/progressToken',
  '/params/requestId',
]);

/** Difference between two sessions, as `diff` reports it. */
export interface SessionDifference extends BreakingChanges {
  kind: 'changed' | 'moved' | 'gone' | 'new';
  /** Line in the first session. */
  a?: number;
  /** What differs in one line. */
  headline?: string;
  /** Values that differ, without what is not compared: a message, or a request (`asked`) with its outcome (`came`). */
  before?: unknown;
  after?: unknown;
}

/** Result of `diff` for two sessions. */
export interface FoundDifferences {
  found: readonly SessionDifference[];
  /** Rules for what is not compared. */
  ignore: readonly Ignore[];
}

const KINDS = ['changed', 'moved', 'gone', 'new'] as const;

/**
 * Shows two sessions as one diagram: aligned items in the order of the second. With `found`, its differences decide
 * which rows are marked and counted.
 */
export function sessionDiffView(before: View, after: View, compared?: FoundDifferences): View {
  const found = compared?.found;
  const isFound = found && finder(before, after, found);
  const comparedIn = (item: Item) => without(comparedOf(item), compared?.ignore ?? []);
  const values = { before: before.items.map(comparedIn), after: after.items.map(comparedIn) };
  const byMessage = foundAt(found ?? [], before, after);
  const pairs = alignSequences(
    keysOf(before.items, values.before, byMessage.before),
    keysOf(after.items, values.after, byMessage.after),
  );
  const items = pairs.map((pair): Item => {
    const { before: first, after: second } = pair;
    const item = second === undefined ? before.items[first!]! : after.items[second]!;
    const one = byMessage.before.get(first ?? -1);
    const judged = one !== undefined && one === byMessage.after.get(second ?? -1) ? valuesIn(one, item) : undefined;
    const seen = changeOf(
      pair,
      before.items[first ?? -1],
      judged ?? [values.before[first ?? -1], values.after[second ?? -1]],
    );
    const change = seen?.kind === 'changed' && isFound?.(first!, second!) === false ? undefined : seen;
    return {
      ...lessLinks(item),
      id: second === undefined ? `before-${item.id}` : item.id,
      ...(change && { change }),
    };
  });
  const place = {
    before: new Map(pairs.map(({ before: index }, position) => [index, position])),
    after: new Map(pairs.map(({ after: index }, position) => [index, position])),
  };
  for (const [position, { before: first, after: second }] of pairs.entries()) {
    const [item, places] =
      second === undefined ? [before.items[first!]!, place.before] : [after.items[second]!, place.after];
    Object.assign(items[position]!, linksTo(item, places));
  }
  for (const [position, { before: first, after: second }] of pairs.entries()) {
    if (first === undefined || second === undefined || items[position]!.kind !== 'request') continue;
    const one = byMessage.before.get(first);
    const headline = one === byMessage.after.get(second) ? one?.headline : undefined;
    const isOther = endsOtherwise([before, first], [after, second]) && isFound?.(first, second) !== false;
    if (isOther || (headline !== undefined && showsNoChange(items, position)))
      items[position]!.change = withOutcome(items[position]!.change, before.items[first]!.line, headline);
  }
  const differences = found?.length ?? items.filter(({ change }) => change !== undefined).length;
  return {
    ...after,
    title: `${before.title} → ${after.title}`,
    kind: 'differences',
    facts: factsOf(found, differences),
    differences,
    warnings: [...before.warnings, ...after.warnings],
    items,
    lanes: { client: assignLanes(items, 'client'), server: assignLanes(items, 'server'), stream: 0 },
    streams: [],
  };
}

/** Returns the number of differences, in total and by kind, in the words of `diff`. */
function factsOf(found: readonly SessionDifference[] = [], count: number): string[] {
  const kinds = KINDS.map((kind) => [found.filter((one) => one.kind === kind).length, kind] as const);
  return [formatCount(count, 'difference'), ...kinds.filter(([n]) => n > 0).map(([n, kind]) => `${n} ${kind}`)];
}

/**
 * Returns a predicate: whether `diff` reports a difference between two items, by position. `diff` treats the pages of a
 * list and repeated requests as one call. Such calls have no name, so the method identifies them.
 */
function finder(
  before: View,
  after: View,
  found: readonly SessionDifference[],
): (first: number, second: number) => boolean {
  const [a, b] = [new Set(found.map((one) => one.a)), new Set(found.map((one) => one.b))];
  const methods = new Set(found.map(({ title }) => title.split(' ', 1)[0]));
  const isWhole = found.some((one) => one.a === undefined && one.b === undefined);
  const lineOf = ({ items }: View, index: number) => items[items[index]!.request ?? index]!.line;
  return (first, second) => {
    const { kind, method, name } = after.items[second]!;
    if (kind === 'exit') return isWhole;
    if (a.has(lineOf(before, first)) || b.has(lineOf(after, second))) return true;
    return method !== undefined && name === undefined && methods.has(method);
  };
}

/** Differences of single messages, by item position. */
interface FoundByItem {
  before: ReadonlyMap<number, SessionDifference>;
  after: ReadonlyMap<number, SessionDifference>;
}

/**
 * Maps differences with values to items. The pages of a list have no values, because `diff` compares all pages as one
 * call.
 */
function foundAt(found: readonly SessionDifference[], before: View, after: View): FoundByItem {
  const changed = found.filter(({ kind, before, after }) => kind === 'changed' && (before ?? after) !== undefined);
  const of = (view: View, lineOf: (one: SessionDifference) => number | undefined) => {
    const waiting = new ListMap<number | undefined, SessionDifference>();
    for (const one of changed) waiting.add(lineOf(one), one);
    const at = new Map<number, SessionDifference>();
    for (const [index, { line, method, request, kind, answer }] of view.items.entries()) {
      if (request !== undefined || (kind !== 'request' && kind !== 'notification')) continue;
      const queue = waiting.get(line) ?? [];
      const place = queue.findIndex(({ title }) => title.split(' ', 1)[0] === method);
      const [one] = place < 0 ? [] : queue.splice(place, 1);
      if (one === undefined) continue;
      at.set(index, one);
      if (answer !== undefined) at.set(answer, one);
    }
    return at;
  };
  const maps = { before: of(before, (one) => one.a), after: of(after, (one) => one.b) };
  // A list of several pages has a single difference.
  const isPaged = (view: View, { title }: SessionDifference) =>
    !title.includes(' ') && view.items.filter(({ method, kind }) => kind === 'request' && method === title).length > 1;
  const kept = (map: Map<number, SessionDifference>) =>
    new Map([...map].filter(([, one]) => !isPaged(before, one) && !isPaged(after, one)));
  return { before: kept(maps.before), after: kept(maps.after) };
}

/** Returns the compared values of an item: request values or outcome values. */
function valuesIn({ before, after }: SessionDifference, { kind }: Item): [unknown, unknown] {
  const [one, other] = [before, after].map((value) =>
    isObject(value) && Object.hasOwn(value, 'asked') && Object.hasOwn(value, 'came') ? value : undefined,
  );
  if (one === undefined || other === undefined) return kind === 'request' ? [undefined, undefined] : [before, after];
  return kind === 'request' ? [one.asked, other.asked] : [one.came, other.came];
}

/** Returns the compared value of an item: its JSON without fields that differ in every run, or its text. */
function comparedOf({ content, what, detail }: Item): unknown {
  if (content === undefined) return [what, detail ?? ''].join(' ');
  if (content.language === 'text') return content.text;
  return withoutVolatile(exactValue(new JsonText(content.text)));
}

/** Returns alignment keys: the same difference first, then equal content, then equal subject. */
function keysOf(
  items: readonly Item[],
  values: readonly unknown[],
  found: ReadonlyMap<number, SessionDifference>,
): string[][] {
  const subjects = items.map(({ from, kind, method, name, what }) =>
    [from, kind, method ?? what, name ?? ''].join('\n'),
  );
  return items.map(({ request }, index) => {
    const subject = subjects[index]!;
    // Keys include the request: two different calls must not swap equal responses.
    const asked = request === undefined ? '' : canonicalJson(values[request]);
    const content = `${subject}\n${asked}\n${canonicalJson(values[index])}`;
    const { a, b, title } = found.get(index) ?? {};
    const difference = title === undefined ? content : [items[index]!.kind, title, a, b].join('\n');
    return [difference, content, `${subject}\n${asked}`, subject];
  });
}

function changeOf(
  { before, after, moved }: Pair,
  item: Item | undefined,
  [was, is]: [unknown, unknown],
): Change | undefined {
  if (before === undefined) return { kind: 'added', differences: [] };
  if (after === undefined) return { kind: 'removed', differences: [] };
  const found = shownDifferences(was, is);
  if (found.length === 0 && !moved) return undefined;
  return {
    kind: 'changed',
    ...(moved && { moved }),
    differences: found,
    beforeLine: item!.line,
    ...(item!.content && { before: item!.content }),
  };
}

/** Reports whether a request has another kind of outcome in the second session: an answer, a refusal, a cancellation. */
function endsOtherwise(...both: readonly [before: readonly [View, number], after: readonly [View, number]]): boolean {
  const [was, is] = both.map(([{ items }, index]) => {
    const { answer, cancel } = items[index]!;
    return `${items[answer ?? -1]?.kind} ${cancel !== undefined}`;
  });
  return was !== is;
}

/** Reports whether neither a request nor its answer shows a difference. */
function showsNoChange(items: readonly Item[], request: number): boolean {
  const { change, answer } = items[request]!;
  return change === undefined && items[answer ?? -1]?.change?.kind !== 'changed';
}

function withOutcome(change: Change | undefined, beforeLine: number, headline: string | undefined): Change {
  return {
    ...(change ?? { kind: 'changed', differences: [], beforeLine }),
    ...(headline !== undefined && { headline: printable(headline) }),
  };
}

function lessLinks({ answer, request, cancel, lane, stream, ...item }: Item): Item {
  return item;
}

function linksTo(
  { answer, request, cancel }: Item,
  places: ReadonlyMap<number | undefined, number>,
): Pick<Item, 'answer' | 'request' | 'cancel'> {
  const linked = Object.entries({ answer, request, cancel }).filter(([, index]) => index !== undefined);
  return Object.fromEntries(linked.map(([name, index]) => [name, places.get(index)!]));
}
