import { useMemo, useRef } from 'preact/hooks';
import type { Item } from '../../data/report-data-types.ts';
import type { PageState } from '../page-state.ts';
import { endOf } from './filter-call-rows.ts';

const COLUMNS = 160;
/** Minimum length of a drag. A shorter one is a click. */
const DRAG_MIN_PX = 4;

interface Column {
  inFlight: number;
  /** Number of calls that failed. */
  failed: number;
}

/** Histogram of the calls in flight over the whole session. A drag zooms in, a click resets the zoom. */
export function Overview({ state }: { state: PageState }) {
  const strip = useRef<HTMLDivElement>(null);
  const drag = useRef<number | undefined>(undefined);
  const { items, lasted } = state.current.value;
  const columns = useMemo(() => columnsOf(items, lasted), [items, lasted]);
  const most = Math.max(1, ...columns.map(({ inFlight }) => inFlight));
  const span = state.span.value;
  const at = ({ clientX }: PointerEvent) => {
    const { left, width } = strip.current!.getBoundingClientRect();
    return lasted * Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const move = (event: PointerEvent) => {
    if (drag.current === undefined) return;
    const [from, to] = [drag.current, at(event)].sort((a, b) => a - b) as [number, number];
    const isClick = ((to - from) / lasted) * strip.current!.clientWidth < DRAG_MIN_PX;
    state.span.value = isClick ? undefined : { from, to };
  };
  return (
    <div
      class="overview"
      aria-hidden="true"
      ref={strip}
      title="Drag to zoom, click to see all"
      onPointerDown={(event) => {
        strip.current!.setPointerCapture(event.pointerId);
        drag.current = at(event);
      }}
      onPointerMove={move}
      onPointerUp={(event) => {
        move(event);
        drag.current = undefined;
      }}
    >
      {columns.map(({ inFlight, failed }) => (
        <span
          class={failed > 0 ? 'has-failed' : ''}
          style={`height: ${(100 * inFlight) / most}%; --failed: ${(100 * failed) / inFlight}%`}
        />
      ))}
      {span && (
        <b
          style={{
            left: `${(100 * span.from) / lasted}%`,
            right: `${100 - (100 * Math.min(lasted, span.to)) / lasted}%`,
          }}
        />
      )}
    </div>
  );
}

function columnsOf(items: readonly Item[], lasted: number): Column[] {
  /** Change in the number of calls in flight from the previous column, by column. */
  const more = new Array<number>(COLUMNS + 1).fill(0);
  const failed = new Array<number>(COLUMNS).fill(0);
  const columnAt = (at: number) => Math.min(COLUMNS - 1, Math.max(0, Math.floor((COLUMNS * at) / lasted)));
  for (const item of items) {
    if (item.kind !== 'request') continue;
    const last = columnAt(Math.min(lasted, endOf(item, items)));
    more[columnAt(item.at)]! += 1;
    more[last + 1]! -= 1;
    if (item.fate === 'error') failed[last]! += 1;
  }
  let inFlight = 0;
  return more.slice(0, COLUMNS).map((change, column) => {
    inFlight += change;
    return { inFlight, failed: failed[column]! };
  });
}
