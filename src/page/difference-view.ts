import { counted } from '../kernel/counted.ts';
import { canonical } from '../match/canonical.ts';
import { differences } from '../match/difference.ts';
import { exactValue } from '../match/exact-number.ts';
import { type Pointer, without } from '../match/ignore.ts';
import { JsonText } from '../protocol/json-text.ts';
import { printable } from '../report/printable.ts';
import { align, type Pair } from './align.ts';
import { giveLanes } from './lanes.ts';
import type { Change, Item, View } from './page-data.ts';

/** What each run makes up anew, so that it tells nothing. */
const NOT_COMPARED: readonly Pointer[] = [
  '/id',
  '/jsonrpc',
  '/params/_meta/progressToken',
  '/params/progressToken',
  '/params/requestId',
];

const DIFFERENCES_MAX = 200;
const VALUE_LENGTH_MAX = 400;

/** Two sessions as one diagram: items of both, aligned by what they mean, in the order of the second. */
export function differenceView(before: View, after: View): View {
  const values = { before: before.items.map(comparedOf), after: after.items.map(comparedOf) };
  const pairs = align(keysOf(before.items, values.before), keysOf(after.items, values.after));
  const items = pairs.map((pair): Item => {
    const { before: first, after: second } = pair;
    const item = second === undefined ? before.items[first!]! : after.items[second]!;
    const change = changeOf(pair, before.items[first ?? -1], [
      values.before[first ?? -1],
      values.after[second ?? -1],
    ]);
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
  return {
    ...after,
    title: `${before.title} → ${after.title}`,
    kind: 'differences',
    facts: [counted(items.filter(({ change }) => change !== undefined).length, 'difference')],
    warnings: [...before.warnings, ...after.warnings],
    items,
    lanes: { client: giveLanes(items, 'client'), server: giveLanes(items, 'server'), stream: 0 },
    streams: [],
  };
}

/** What an item says, less what tells nothing. JSON that cannot be read is compared as text. */
function comparedOf({ content, what, detail }: Item): unknown {
  if (content === undefined) return [what, detail ?? ''].join(' ');
  if (content.language === 'text') return content.text;
  return without(exactValue(new JsonText(content.text)), NOT_COMPARED);
}

/** The same content of the same thing; then, the same thing. */
function keysOf(items: readonly Item[], values: readonly unknown[]): string[][] {
  const subjects = items.map(({ from, kind, method, name, what }) =>
    [from, kind, method ?? what, name ?? ''].join('\n'),
  );
  return items.map(({ request }, index) => {
    const subject = subjects[index]!;
    // An answer belongs to its call: two calls that differ do not swap answers which happen to be equal.
    const asked = request === undefined ? '' : canonical(values[request]);
    return [`${subject}\n${asked}\n${canonical(values[index])}`, `${subject}\n${asked}`, subject];
  });
}

function changeOf(
  { before, after, moved }: Pair,
  item: Item | undefined,
  [was, is]: [unknown, unknown],
): Change | undefined {
  if (before === undefined) return { kind: 'added', differences: [] };
  if (after === undefined) return { kind: 'removed', differences: [] };
  const found = differences(was, is);
  if (found.length === 0 && !moved) return undefined;
  return {
    kind: 'changed',
    ...(moved && { moved }),
    differences: found.slice(0, DIFFERENCES_MAX).map(({ path, recorded, live }) => ({
      path: printable(path || '/'),
      ...(recorded !== undefined && { before: brief(recorded) }),
      ...(live !== undefined && { after: brief(live) }),
    })),
    beforeLine: item!.line,
    ...(item!.content && { before: item!.content }),
  };
}

function brief(value: unknown): string {
  const text = canonical(value);
  return printable(text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text);
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
