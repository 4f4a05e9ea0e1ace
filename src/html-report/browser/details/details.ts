import type { Change as CallerChange } from '../../../match/change-severity.ts';
import type { Change, Item, Mark, View } from '../../data/report-data-types.ts';
import { button, element } from '../element.ts';
import { duration, fateText, seconds } from '../format.ts';
import { copyButton, jsonView } from './json-view.ts';

export interface DetailsOptions {
  view: View;
  index: number;
  /** Returns a link to the item, for sharing. */
  link(): string;
  go(index: number): void;
  close(): void;
}

/** All there is to know of one event. */
export function details({ view, index, link, go, close }: DetailsOptions): Node[] {
  const item = view.items[index]!;
  return [
    element(
      'header',
      {},
      element('h2', {}, item.what),
      button('×', close, { class: 'close', 'aria-label': 'Close the details' }),
    ),
    element('p', { class: 'direction' }, directionOf(item)),
    facts(item),
    element('p', { class: 'ways' }, ...ways(item, view, go), copyButton('Copy link', link)),
    ...(item.marks ?? []).map(markCard),
    ...(item.change ? [changeCard(item.change)] : []),
    ...(item.callers ? [callersCard(item.callers)] : []),
    ...(item.content ? [jsonView(titleOf(item), item.content)] : []),
    ...(item.change?.before ? [jsonView('Before', item.change.before)] : []),
    ...(item.carried === undefined ? [] : [jsonView('HTTP', { text: item.carried, language: 'json' })]),
  ];
}

function directionOf({ from, kind }: Item): string {
  return `${kind} · ${from === 'client' ? 'client → server' : 'server → client'}`;
}

function titleOf({ change, content }: Item): string {
  if (change?.kind === 'removed') return 'Before';
  if (change?.kind === 'changed') return 'After';
  return content?.language === 'json' ? 'Message' : 'Text';
}

function facts(item: Item): HTMLElement {
  const { line, at, bytes, rpcId, stream, took } = item;
  const told: [string, string | undefined][] = [
    ['line', String(line)],
    ['at', `${seconds(at)} s`],
    ['outcome', fateText(item) || undefined],
    ['took', item.fate === undefined && took !== undefined ? duration(took) : undefined],
    ['id', rpcId],
    ['stream', stream === undefined ? undefined : String(stream)],
    ['size', bytes === undefined ? undefined : `${bytes.toLocaleString('en')} bytes`],
  ];
  return element(
    'dl',
    {},
    ...told.flatMap(([name, value]) =>
      value === undefined ? [] : [element('div', {}, element('dt', {}, name), element('dd', {}, value))],
    ),
  );
}

/** What belongs to it, one click away. */
function ways({ answer, request, cancel }: Item, view: View, go: (index: number) => void): Node[] {
  const way = (name: string, index: number | undefined) =>
    index === undefined ? [] : [button(`${name}, line ${view.items[index]!.line}`, () => go(index))];
  return [...way('Answer', answer), ...way('Request', request), ...way('Cancel', cancel)];
}

function markCard({ kind, title, text, source }: Mark): HTMLElement {
  const name = kind === 'fault' ? 'Fault' : kind === 'lint-error' ? 'Lint, error' : 'Lint, warning';
  return element(
    'section',
    { class: `card ${kind}` },
    element('h3', {}, `${name}: ${title}`),
    element('p', {}, text),
    ...(source === undefined ? [] : [element('p', { class: 'note' }, source)]),
  );
}

function changeCard({ kind, moved, differences, beforeLine }: Change): HTMLElement {
  const words = {
    added: 'Only the other session has this',
    removed: 'Only the first session has this',
    changed: `Differs from line ${beforeLine} of the first session`,
  };
  return element(
    'section',
    { class: `card change is-${kind}` },
    element('h3', {}, words[kind]),
    ...(moved ? [element('p', {}, 'It stands elsewhere among the others.')] : []),
    ...differences.map(({ path, before, after }) =>
      element(
        'div',
        { class: 'difference' },
        element('code', { class: 'path' }, path),
        ...(before === undefined ? [] : [element('del', {}, before)]),
        ...(after === undefined ? [] : [element('ins', {}, after)]),
      ),
    ),
  );
}

/** In the words of `diff` and `verify`. */
function callersCard(callers: readonly CallerChange[]): HTMLElement {
  return element(
    'section',
    { class: 'card callers' },
    element('h3', {}, 'What changed for callers'),
    ...callers.map(({ severity, reason, path }) =>
      element(
        'p',
        {},
        element('span', { class: `badge ${severity}` }, severity),
        ` ${reason} `,
        element('code', { class: 'path' }, path),
      ),
    ),
  );
}
