import { useMemo } from 'preact/hooks';
import type { Item } from '../../data/report-data-types.ts';
import type { TimeSpan } from '../address.ts';
import { duration, fateText, sentence, size } from '../format.ts';
import type { PageState } from '../page-state.ts';
import { RowList } from '../row-list.tsx';
import { isQuestion } from '../search-query.ts';
import { ROW_HEIGHT } from '../sequence/row-positions.ts';
import { Badges, classes, ServerBadge, Sign, stateClasses, Text } from '../text-and-badges.tsx';
import { Overview } from './calls-in-flight-histogram.tsx';
import { axisTicks, changeOfCall, endOf, progressOf } from './filter-call-rows.ts';

/** Width of one tick label of the time axis. */
const TICK_PX = 90;
/** Approximate width of the time axis, as a fraction of the window width, with the details pane open and closed. */
const AXIS_PART = { besideDetails: 0.22, alone: 0.4 };
/** Fraction of the axis at its right end without tick labels, because a label there would be cut off. */
const LAST_TICK_ROOM = 0.06;

/**
 * List of calls, one row each, with one common time axis. A comparison of two sessions shows the first difference in
 * place of the axis.
 */
export function CallsView({ state, isPrinted }: { state: PageState; isPrinted: boolean }) {
  const view = state.current.value;
  const rows = state.rows.value;
  const { items, lasted } = view;
  const isSession = view.kind === 'session';
  const span = state.span.value ?? { from: 0, to: Math.max(1, lasted) };
  const part = state.hasDetails.value ? AXIS_PART.besideDetails : AXIS_PART.alone;
  const ticks = axisTicks(span, Math.max(1, Math.floor((window.innerWidth * part) / TICK_PX)));
  const progress = useMemo(() => progressOf(items), [items]);
  const head = (
    <div class="rows-head">
      {isSession && lasted > 0 && <Overview state={state} />}
      <div class="call" aria-hidden="true">
        <span class="name">call</span>
        <span class="outcome">outcome</span>
        <span class="size">size</span>
        <span class="axis">
          {!isSession && 'what differs'}
          {isSession &&
            ticks
              .filter((at) => at <= span.to - (span.to - span.from) * LAST_TICK_ROOM)
              .map((at) => (
                <span class="tick" style={{ left: share(at, span) }}>
                  {duration(at)}
                </span>
              ))}
        </span>
      </div>
    </div>
  );
  return (
    <RowList
      state={state}
      label={
        isSession ? `Calls of the session${view.sessions ? 's' : ''}` : 'Calls of two sessions, those that differ first'
      }
      class="calls"
      head={head}
      isPrinted={isPrinted}
      topOf={(place) => place * ROW_HEIGHT}
      height={rows.length * ROW_HEIGHT}
      row={(place, isSelected) => {
        const index = rows[place]!;
        const item = items[index]!;
        const answer = items[item.answer ?? -1];
        const change = changeOfCall(item, answer);
        return (
          <div
            key={index}
            id={`row-${index}`}
            role="option"
            class={classes(
              'row call',
              stateClasses(item),
              item.within !== undefined && 'is-nested',
              isSelected && 'is-selected',
            )}
            aria-selected={isSelected}
            aria-setsize={rows.length}
            aria-posinset={place + 1}
            style={isPrinted ? {} : { top: `${place * ROW_HEIGHT}px` }}
            onClick={() => state.select(index)}
          >
            <span class="sentence">{sentence(item, state.isGrowing.value)}</span>
            <div class="cells" aria-hidden="true">
              <span class="name">
                <ServerBadge item={item} />
                <Sign item={{ ...item, ...(change && { change }) }} />
                {isQuestion(item) && <span class="asks">server asks</span>}
                <span class="what">
                  <Text of={item.method === 'tools/call' ? (item.name ?? item.what) : item.what} />
                </span>
                {item.detail !== undefined && (
                  <span class="detail">
                    <Text of={item.detail} />
                  </span>
                )}
                <Badges of={[item, answer]} />
              </span>
              <span class="outcome">{fateText(item, state.isGrowing.value)}</span>
              <span class="size">{answer?.bytes === undefined ? '' : size(answer.bytes)}</span>
              <span class="axis">
                {isSession ? (
                  <Bar item={item} items={items} span={span} progress={progress.get(index) ?? []} />
                ) : (
                  <FirstDifference of={[item, answer]} />
                )}
              </span>
            </div>
          </div>
        );
      }}
    />
  );
}

interface BarProps {
  item: Item;
  items: readonly Item[];
  span: TimeSpan;
  /** Positions of the progress notifications. */
  progress: readonly number[];
}

function Bar({ item, items, span, progress }: BarProps) {
  const end = Math.min(endOf(item, items), span.to);
  const start = Math.max(item.at, span.from);
  const ticks = progress.map((index) => items[index]!.at).filter((at) => at >= span.from && at <= span.to);
  return (
    <>
      <span
        class="bar"
        style={{ left: share(start, span), width: `${Math.max(0, (100 * (end - start)) / (span.to - span.from))}%` }}
      />
      {ticks.slice(0, PROGRESS_MAX).map((at) => (
        <span class="progress" style={{ left: share(at, span) }} />
      ))}
    </>
  );
}

/** Maximum number of progress ticks in one bar. More would merge into a block. */
const PROGRESS_MAX = 100;

function share(at: number, { from, to }: TimeSpan): string {
  return `${(100 * (at - from)) / (to - from)}%`;
}

/** Summary of a changed call in one line: the worst change for callers, else the first differing value with the number of others. */
function FirstDifference({ of }: { of: readonly (Item | undefined)[] }) {
  const callers = of.find((item) => item?.callersInBrief !== undefined)?.callersInBrief;
  if (callers !== undefined) return <Text of={callers} />;
  const [item, answer] = of;
  const change = item && changeOfCall(item, answer);
  if (change?.headline !== undefined) return <Text of={change.headline} />;
  const changes = of.flatMap((one) => one?.change ?? []);
  const [first, ...others] = changes.flatMap(({ differences }) => differences);
  if (first) {
    return (
      <>
        <code>{first.path}</code> {first.before !== undefined && <del>{first.before}</del>}{' '}
        {first.after !== undefined && <ins>{first.after}</ins>}
        {others.length > 0 && ` and ${others.length} more`}
      </>
    );
  }
  if (change === undefined) return null;
  if (change.kind === 'changed') return <>{change.moved ? 'stands elsewhere' : 'has another outcome'}</>;
  return <>{change.kind === 'added' ? 'only in the second session' : 'only in the first session'}</>;
}
