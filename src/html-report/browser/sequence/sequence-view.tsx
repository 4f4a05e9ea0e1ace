import { useMemo } from 'preact/hooks';
import type { Item, StreamSpan, View } from '../../data/report-data-types.ts';
import { duration, fateText, seconds, sentence } from '../format.ts';
import type { PageState } from '../page-state.ts';
import { RowList } from '../row-list.tsx';
import { Badges, classes, ServerBadge, Sign, stateClasses, Text } from '../text-and-badges.tsx';
import { isFolded } from './folded-and-filtered-items.ts';
import { type Layout, layoutOf, ROW_HEIGHT } from './row-positions.ts';
import { type Bar, barsOf, HUES } from './visible-bar-layout.ts';

/** Extra height of real-time spacing, in row heights per row, with a minimum in pixels. */
const REAL_TIME = { perRow: 1, leastPx: 600 };
/** Minimum height of a gap that is labelled with its duration. */
const NAMED_GAP_PX = 26;

/** Sequence diagram: every event as an arrow between client and server. */
export function SequenceView({ state, isPrinted }: { state: PageState; isPrinted: boolean }) {
  const view = state.current.value;
  const { items, lanes, client, server } = view;
  const shown = state.rows.value;
  const scale = pixelsPerMs(state);
  const layout = useMemo(() => layoutOf({ items, shown, pixelsPerMs: scale }), [items, shown, scale]);
  const hasMarks = items.some(({ marks, callers }) => marks !== undefined || callers !== undefined);
  const related = relatedTo(state.selected.value, items);
  const side = (name: string, who: string | undefined) => (
    <span class={`side ${name.toLowerCase()}`}>
      <b>{name}</b> {who}
    </span>
  );
  const head = (
    <div class="rows-head" aria-hidden="true">
      <span class="line">line</span>
      <span class="time">seconds</span>
      <span class="sides">
        {side('Client', client)}
        {side('Server', server)}
      </span>
      <span class="streams">{lanes.stream > 0 && 'streams'}</span>
    </div>
  );
  const style = `--server-lanes: ${lanes.server}; --client-lanes: ${lanes.client}; --stream-lanes: ${lanes.stream}`;
  return (
    <div class="lanes" style={style}>
      <RowList
        state={state}
        label={nameOf(view)}
        class={classes('diagram', hasMarks && 'has-marks')}
        head={head}
        isPrinted={isPrinted}
        topOf={(place) => layout.tops[shown[place]!]!}
        height={layout.height}
        behind={(top, bottom) => <Bars bars={barsOf(view, { ...layout, sight: { top, bottom } })} />}
        row={(place, isSelected) => {
          const index = shown[place]!;
          const classNames = classes(isSelected && 'is-selected', related.has(index) && 'is-related');
          const row = { state, place, layout, isSelected, class: classNames, isPrinted };
          return <Row key={index} {...row} />;
        }}
      />
    </div>
  );
}

function pixelsPerMs({ current, isRealTime, rows }: PageState): number {
  const { kind, lasted } = current.value;
  if (!isRealTime.value || kind !== 'session' || lasted === 0) return 0;
  return Math.max(REAL_TIME.leastPx, rows.value.length * ROW_HEIGHT * REAL_TIME.perRow) / lasted;
}

/** Returns the items of the selected item's call. */
function relatedTo(selected: number | undefined, items: readonly Item[]): Set<number> {
  const request = items[selected ?? -1]?.request ?? selected;
  if (request === undefined || items[request]?.kind !== 'request') return new Set();
  return new Set([...items.keys()].filter((index) => index === request || items[index]!.request === request));
}

interface RowProps {
  state: PageState;
  place: number;
  layout: Layout;
  isSelected: boolean;
  class: string;
  isPrinted: boolean;
}

function Row({ state, place, layout: { shown, tops }, isSelected, class: classNames, isPrinted }: RowProps) {
  const { items, streams } = state.current.value;
  const index = shown[place]!;
  const item = items[index]!;
  const folded = item.kind === 'request' && isFolded({ folded: state.folded.value, turned: state.turned.value }, index);
  const answer = folded ? items[item.answer ?? -1] : undefined;
  const lane = laneOf(item, streams);
  const above = shown[place - 1];
  const gap = above === undefined ? 0 : tops[index]! - tops[above]! - ROW_HEIGHT;
  const hasMore = item.answer !== undefined || item.cancel !== undefined;
  const fate =
    fateText(item, state.isGrowing.value) || (item.kind === 'response' && item.took ? duration(item.took) : '');
  return (
    <div
      id={`row-${index}`}
      role="option"
      class={classes('row', stateClasses(item), classNames)}
      aria-selected={isSelected}
      aria-setsize={shown.length}
      aria-posinset={place + 1}
      style={isPrinted ? {} : { top: `${tops[index]}px` }}
      onClick={({ target }) => (isFold(target) ? state.fold(index) : state.select(index))}
    >
      <span class="sentence">{sentence(item, state.isGrowing.value)}</span>
      <div class="cells" aria-hidden="true">
        <span class="line">{lineOf(item)}</span>
        <span class="time">{seconds(item.at)}</span>
        <span class="arrow">
          <ServerBadge item={item} />
          <Sign item={item} />
          {item.kind === 'request' && <span class="fold">{hasMore && (folded ? '▸' : '▾')}</span>}
          <span class="what">
            <Text of={item.what} />
          </span>
          {item.detail !== undefined && (
            <span class="detail">
              <Text of={item.detail} />
            </span>
          )}
          {answer && (
            <span class="outcome">
              <Text of={[answer.what, answer.detail ?? ''].join(' ')} />
            </span>
          )}
          {fate !== '' && <span class="fate">{fate}</span>}
        </span>
        <Badges of={[item, answer]} />
        {lane !== undefined && (
          <span class={`dot hue-${item.stream! % HUES}`} title={`stream ${item.stream}`} style={`--lane: ${lane}`} />
        )}
        {gap >= NAMED_GAP_PX && !isPrinted && (
          <span class="gap" style={{ height: `${gap}px` }}>
            {duration(item.at - items[above!]!.at)}
          </span>
        )}
      </div>
    </div>
  );
}

function laneOf({ stream, origin }: Item, streams: readonly StreamSpan[]): number | undefined {
  return streams.find((span) => span.stream === stream && span.session === origin?.session)?.lane;
}

function isFold(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('.fold');
}

function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <div class="bars" aria-hidden="true">
      <div class="lifeline client" />
      <div class="lifeline server" />
      {bars.map(({ key, top, bottom, lane, title, label, class: name }) => (
        <div
          key={key}
          class={`bar ${name}`}
          title={title}
          style={`top: ${top}px; height: ${bottom - top}px; --lane: ${lane}`}
        >
          {label && <span>{label}</span>}
        </div>
      ))}
    </div>
  );
}

function lineOf({ line, change }: Item): string {
  const before = change?.beforeLine;
  return before === undefined || before === line ? String(line) : `${before}→${line}`;
}

/** Returns the label of the diagram for screen readers. */
function nameOf({ kind, client, server }: View): string {
  const what = kind === 'differences' ? 'Events of two sessions' : 'Events of the session';
  const sides = [client && `client ${client}`, server && `server ${server}`].filter((side) => side);
  return sides.length === 0 ? what : `${what}: ${sides.join(', ')}`;
}
