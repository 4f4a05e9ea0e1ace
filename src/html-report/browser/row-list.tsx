import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { count } from './format.ts';
import type { PageState } from './page-state.ts';
import { ROW_HEIGHT } from './sequence/row-positions.ts';
import { classes } from './text-and-badges.tsx';

/** Height of the rendered area above and below the visible rows, in pixels. */
const OVERSCAN_PX = 200;
/** Maximum number of printed rows. */
const PRINTED_MAX = 3_000;

interface RowListProps {
  state: PageState;
  /** Names the list for screen readers. */
  label: string;
  class: string;
  head: ComponentChildren;
  isPrinted: boolean;
  /** Returns the top of a row in pixels, by row number. */
  topOf(place: number): number;
  height: number;
  /** Renders a row by its number. */
  row(place: number, isSelected: boolean): VNode;
  /** Renders the background between two heights. */
  behind?(top: number, bottom: number): VNode;
}

/** Virtual list of rows: the document holds only visible rows and the selected row. */
export function RowList(props: RowListProps) {
  const { state, label, head, isPrinted, topOf, height, row, behind } = props;
  const root = useRef<HTMLDivElement>(null);
  const sight = useSignal({ top: 0, room: window.innerHeight });
  const rows = state.rows.value;
  const selected = state.place.value;
  const isGrowing = state.isGrowing.value;
  /** Whether the last row is visible. The list then follows new rows. */
  const isAtEnd = useRef(true);
  const headHeight = useRef(0);
  const revealed = useRef<number | undefined>(undefined);

  const look = () => {
    const { scrollTop, clientHeight } = root.current!;
    headHeight.current = headHeightOf(root.current!);
    isAtEnd.current = scrollTop >= endOf(root.current!, height) - ROW_HEIGHT;
    if (sight.value.top !== scrollTop || sight.value.room !== clientHeight)
      sight.value = { top: scrollTop, room: clientHeight };
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(root.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const item = selected < 0 ? undefined : rows[selected];
    // Does not scroll back to a selected row that the user has scrolled away from.
    if (item !== undefined && (!isGrowing || revealed.current !== item)) reveal(root.current!, topOf(selected));
    else if (item === undefined && isGrowing && isAtEnd.current) root.current!.scrollTop = endOf(root.current!, height);
    revealed.current = item;
    look();
  }, [selected, rows, height]);

  // Renders new rows at their final scroll position at once, instead of rendering the old position first.
  const staysAtEnd = isGrowing && selected < 0 && isAtEnd.current;
  const top = staysAtEnd ? Math.max(0, headHeight.current + height - sight.value.room) : sight.value.top;
  const first = isPrinted ? 0 : firstPlace(top - OVERSCAN_PX);
  const bottom = top + sight.value.room + OVERSCAN_PX;
  const end = isPrinted ? Math.min(PRINTED_MAX, rows.length) : firstPlace(bottom, 0);
  function firstPlace(edge: number, part = ROW_HEIGHT): number {
    return firstWhere(rows.length, (place) => topOf(place) + part > edge);
  }
  const places = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  if (selected >= 0 && !isPrinted && (selected < first || selected >= end)) places.push(selected);
  const left = isPrinted ? rows.length - end : 0;
  const list = rows.length > 0 && ({ role: 'listbox', tabIndex: 0, 'aria-label': label } as const);
  return (
    <div class={classes('rows', props.class)} ref={root} onScroll={look}>
      {head}
      <div
        class="canvas"
        style={isPrinted ? {} : { height: `${height}px` }}
        {...list}
        aria-activedescendant={selected >= 0 ? `row-${rows[selected]}` : undefined}
      >
        {!isPrinted && behind?.(top - OVERSCAN_PX, bottom)}
        {places.map((place) => row(place, place === selected))}
        {rows.length === 0 && (
          <p class="empty">
            {state.current.value.items.length === 0 ? 'There is no event yet.' : 'Nothing here matches.'}
          </p>
        )}
        {left > 0 && <p>{count(left)} more rows are not printed: filter first.</p>}
      </div>
    </div>
  );
}

/** Returns the scroll position that puts the last row at the bottom edge. Zero or less: all rows fit. */
function endOf(root: HTMLElement, height: number): number {
  return headHeightOf(root) + height - root.clientHeight;
}

function headHeightOf(root: HTMLElement): number {
  return (root.firstElementChild as HTMLElement).offsetHeight;
}

/** Scrolls a row into view. A row far away is scrolled to the middle. */
function reveal(root: HTMLElement, top: number): void {
  const { scrollTop, clientHeight } = root;
  const room = clientHeight - headHeightOf(root);
  const isNear = top > scrollTop - ROW_HEIGHT * 2 && top < scrollTop + room + ROW_HEIGHT;
  if (!isNear) root.scrollTop = top - room / 2;
  else if (top < scrollTop) root.scrollTop = top;
  else if (top + ROW_HEIGHT * 2 > scrollTop + room) root.scrollTop = top + ROW_HEIGHT * 2 - room;
}
