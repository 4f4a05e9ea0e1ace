import type { Cassette } from '../cassette/cassette.ts';
import { correlateOutcomes } from '../cassette/correlate/correlate-outcomes.ts';
import { refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import type { Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { grouped } from '../kernel/format-count.ts';
import { percentile } from './percentile.ts';
import { printable, truncate } from './printable-text.ts';
import { type Fate, timelineOfEntries } from './timeline-rows.ts';

/** Statistics of requests with equal titles, such as all calls of a tool. */
export interface CallStats {
  /** Sender of the requests. */
  from: Side;
  /** Title of the requests: `tools/call "echo"`. */
  what: string;
  calls: number;
  fates: Record<Fate, number>;
  /** Times from a request to its answer, as nearest-rank percentiles. Absent: no request was answered. */
  took?: { p50: Milliseconds; p95: Milliseconds; max: Milliseconds };
  /** Size of all answers, in bytes of UTF-8. */
  answerBytes: number;
}

interface Gathered extends Omit<CallStats, 'took'> {
  times: Milliseconds[];
}

/** Returns the statistics of all requests in cassettes, by title. The slowest come first. */
export function callStatsOf(cassettes: readonly Cassette[]): CallStats[] {
  const byName = new Map<string, Gathered>();
  for (const { events } of cassettes) {
    const entries = eventsToEntries(events);
    const links = correlateOutcomes(entries);
    const { rows } = timelineOfEntries(entries, links, refusedRequests(entries, links));
    for (const [index, { from, what, fate, took }] of rows.entries()) {
      if (fate === undefined) continue;
      const name = `${from} ${what}`;
      const stats = byName.get(name) ?? {
        from,
        what,
        calls: 0,
        fates: { answered: 0, error: 0, cancelled: 0, pending: 0 },
        answerBytes: 0,
        times: [],
      };
      byName.set(name, stats);
      stats.calls++;
      stats.fates[fate]++;
      stats.answerBytes += rows[links.answerOf.get(index) ?? -1]?.bytes ?? 0;
      if (took !== undefined) stats.times.push(took);
    }
  }
  return [...byName.values()]
    .map(({ times, ...stats }) => ({ ...stats, ...(times.length > 0 && { took: percentiles(times) }) }))
    .sort((a, b) => (b.took?.max ?? -1) - (a.took?.max ?? -1));
}

function percentiles(times: Milliseconds[]): NonNullable<CallStats['took']> {
  const sorted = times.sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), max: sorted.at(-1)! };
}

/** Formats statistics as a table, with one line per title. Lines are cut at `width`. Outcomes that no request had take no place. */
export function callStatsText(stats: readonly CallStats[], width: number = Number.POSITIVE_INFINITY): string[] {
  const table = [HEADS, ...stats.map(cellsOf)];
  const isShown = HEADS.map((head, n) => !OUTCOMES.has(head) || table.slice(1).some((cells) => cells[n] !== ''));
  return columnsText(
    table.map((cells) => cells.filter((_, n) => isShown[n])),
    width,
  );
}

/** Formats rows as columns: all to the right, but the last, which is not padded. Lines are cut at `width`. */
export function columnsText(rows: readonly (readonly string[])[], width: number = Number.POSITIVE_INFINITY): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const padded = (cell: string, n: number) => (n === widths.length - 1 ? cell : cell.padStart(widths[n]!));
  return rows.map((cells) => truncate(cells.map(padded).join('  '), width));
}

const HEADS = ['calls', 'errors', 'cancelled', 'pending', 'p50 ms', 'p95 ms', 'max ms', 'bytes', 'what'];
const OUTCOMES: ReadonlySet<string> = new Set(['cancelled', 'pending']);

function cellsOf({ from, what, calls, fates, took, answerBytes }: CallStats): string[] {
  const times =
    took === undefined ? ['', '', ''] : [took.p50, took.p95, took.max].map((time) => grouped(Math.round(time)));
  const counts = [fates.error, fates.cancelled, fates.pending].map((count) => (count === 0 ? '' : grouped(count)));
  const arrow = from === 'client' ? '→' : '←';
  return [grouped(calls), ...counts, ...times, grouped(answerBytes), printable(`${arrow} ${what}`)];
}
