import { formatCount, grouped } from '../kernel/format-count.ts';
import { printable, truncate } from './printable-text.ts';
import type { Fate, Row, RowKind, Timeline } from './timeline-rows.ts';

/** Colours, or another form of emphasis. The text must keep its width. */
export interface Paint {
  dim(text: string): string;
  client(text: string): string;
  server(text: string): string;
  bad(text: string): string;
}

const asIs = (text: string): string => text;
const plain: Paint = { dim: asIs, client: asIs, server: asIs, bad: asIs };

export interface TimelineTextOptions {
  /** Columns of a line. Longer text is cut. Absent: no limit. */
  width?: number;
  /** Absent: no colours. */
  paint?: Paint;
}

interface Column {
  head: string;
  cell(row: Row): string;
}

/** All columns except the last, which takes the remaining width. */
const NUMBERS: readonly Column[] = [
  { head: 'line', cell: ({ line }) => String(line) },
  { head: 'seconds', cell: ({ at }) => seconds(at) },
  { head: 'took', cell: took },
  { head: 'bytes', cell: ({ bytes }) => (bytes === undefined ? '' : grouped(bytes)) },
];

/** Formats the timeline for a terminal: a head, one line per row, and a summary. */
export function timelineText(timeline: Timeline, options: TimelineTextOptions = {}): string[] {
  const { width = Number.POSITIVE_INFINITY, paint = plain } = options;
  const heads = NUMBERS.map(({ head }) => head);
  const cells = timeline.rows.map((row) => NUMBERS.map(({ cell }) => cell(row)));
  const widths = heads.map((head, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), head.length),
  );
  const line = (numbers: readonly string[], what: string) =>
    truncate([...numbers.map((cell, column) => cell.padStart(widths[column]!)), what].join('  '), width);

  return [
    paint.dim(line(heads, 'what')),
    ...timeline.rows.map((row, index) => brush(row, paint)(line(cells[index]!, sentence(row)))),
    '',
    summary(timeline),
  ];
}

/** Column widths of {@link liveRowText}, because later rows are not known yet. */
const LIVE_WIDTHS = [6, 8, 7, 9];

/** Formats one row of a live session. The duration is shown at the answer instead of the request. */
export function liveRowText(
  row: Row,
  { width = Number.POSITIVE_INFINITY, paint = plain }: TimelineTextOptions,
): string {
  const timed = row.kind === 'response' ? { ...row, kind: 'request' as const } : { ...row, took: undefined };
  const cells = NUMBERS.map(({ cell }, column) => cell(timed as Row).padStart(LIVE_WIDTHS[column]!));
  return brush(row, paint)(truncate([...cells, sentence(row)].join('  '), width));
}

/** Maximum length of a detail, beyond any terminal's width. Longer text need not be escaped to be cut. */
const DETAIL_MAX = 1000;

function sentence({ from, kind, what, detail, request }: Row): string {
  const arrow = from === 'client' ? '→' : '←';
  const indent = kind === 'response' ? '  ' : '';
  const of = request === undefined ? '' : ` for ${request}`;
  const said = detail === undefined ? '' : `  ${detail.slice(0, DETAIL_MAX)}`;
  return printable(`${arrow} ${indent}${what}${of}${said}`);
}

function took({ kind, took, fate }: Row): string {
  if (kind !== 'request') return '';
  if (took === undefined) return fate ?? '';
  if (took === 0) return '';
  return took < 10_000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;
}

function seconds(at: number): string {
  return (at / 1000).toFixed(3);
}

const OUTSIDE: readonly RowKind[] = ['line', 'close', 'signal', 'exit'];

function brush({ fate, failed, from, kind }: Row, paint: Paint): (text: string) => string {
  if (failed || fate === 'error' || fate === 'pending') return paint.bad;
  if (OUTSIDE.includes(kind)) return paint.dim;
  return from === 'client' ? paint.client : paint.server;
}

const FATES: readonly Fate[] = ['answered', 'error', 'cancelled', 'pending'];

function summary({ rows, fates, lasted }: Timeline): string {
  const count = (wanted: Partial<Row>) =>
    rows.filter(({ kind, from }) => kind === wanted.kind && from === (wanted.from ?? from)).length;
  const came = FATES.filter((fate) => fates[fate] > 0).map((fate) => `${fates[fate]} ${fate}`);
  const asked = [count({ kind: 'request', from: 'client' }), count({ kind: 'request', from: 'server' })];
  return [
    `${formatCount(asked[0]!, 'request')} of the client and ${asked[1]} of the server${came.length > 0 ? ` (${came.join(', ')})` : ''}`,
    formatCount(count({ kind: 'notification' }), 'notification'),
    `${seconds(lasted)} s`,
  ].join(', ');
}
