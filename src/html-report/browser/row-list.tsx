import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count } from './format.ts';
import type { PageState } from './page-state.ts';
import { firstWhere } from './sequence/first-where.ts';
import { ROW_HEIGHT } from './sequence/layout.ts';
import { classes } from './text.tsx';

/** Pixels that are drawn above and below what is in sight. */
const OVERSCAN_PX = 200;
/** Paper has at most as many rows. */
const PRINTED_MAX = 3_000;

interface RowListProps {
  state: PageState;
  /** Names the list for screen readers. */
  label: string;
  class: string;
  head: ComponentChildren;
  isPrinted: boolean;
  /** Pixels: where the row at a place begins, and where all end. */
  topOf(place: number): number;
  height: number;
  /** Renders the row at a place. */
  row(place: number, isSelected: boolean): VNode;
  /** Renders what stands behind the rows between two heights. */
  behind?(top: number, bottom: number): VNode;
}

/** A list of rows, of which the document holds those in sight and the selected one. */
export function RowList(props: RowListProps) {
  const { state, label, head, isPrinted, topOf, height, row, behind } = props;
  const root = useRef<HTMLDivElement>(null);
  const sight = useSignal({ top: 0, room: window.innerHeight });
  const rows = state.rows.value;
  const selected = state.place.value;
  const isGrowing = state.isGrowing.value;
  /** Whether the last row is in sight: then it stays there while rows are added. */
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
    // Somebody who scrolls away from it while rows are added is not brought back.
    if (item !== undefined && (!isGrowing || revealed.current !== item)) reveal(root.current!, topOf(selected));
    else if (item === undefined && isGrowing && isAtEnd.current) root.current!.scrollTop = endOf(root.current!, height);
    revealed.current = item;
    look();
  }, [selected, rows, height]);

  // Rows that were added are drawn where they will be seen, and those before them are not drawn again.
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

/** How far to scroll for the last row to be the lowest in sight. Not above 0: all rows fit. */
function endOf(root: HTMLElement, height: number): number {
  return headHeightOf(root) + height - root.clientHeight;
}

function headHeightOf(root: HTMLElement): number {
  return (root.firstElementChild as HTMLElement).offsetHeight;
}

/** Brings a row into sight: in the middle, if it was far away. */
function reveal(root: HTMLElement, top: number): void {
  const { scrollTop, clientHeight } = root;
  const room = clientHeight - headHeightOf(root);
  const isNear = top > scrollTop - ROW_HEIGHT * 2 && top < scrollTop + room + ROW_HEIGHT;
  if (!isNear) root.scrollTop = top - room / 2;
  else if (top < scrollTop) root.scrollTop = top;
  else if (top + ROW_HEIGHT * 2 > scrollTop + room) root.scrollTop = top + ROW_HEIGHT * 2 - room;
}
