import { formatCount } from '../kernel/format-count.ts';
import { printable } from '../text-report/printable-text.ts';

/** Point of a sweep: one cell of the grid. */
export interface GridPoint {
  /** A fault and a position: `cut@3`. */
  name: string;
  fault: string;
  /** Name of the row, if a sweep has the fault with several parameters. */
  row?: string;
  /** Position of the message, from 1: the column. */
  message: number;
  /** Line of the cassette. */
  line: number;
  /** Title of the message. */
  title: string;
}

/** Point with its verdict. */
export interface GridResult<Verdict extends string> {
  point: GridPoint;
  verdict: Verdict;
  /** Reason. Absent: the verdict needs no explanation. */
  why?: string;
  /** Command that repeats the point. Absent: none is shown. */
  again?: string;
}

/** Presentation of the verdicts. */
export interface GridVerdicts<Verdict extends string> {
  /** Letter of each verdict, in legend order. */
  letters: Readonly<Record<Verdict, string>>;
  /** Verdicts that fail a sweep. Their letters are coloured, and their points are named below the grid. */
  bad: ReadonlySet<Verdict>;
  /** Verdicts that are neither good nor bad: another point has the finding. They are counted apart. */
  neutral?: ReadonlySet<Verdict>;
  /** Verdicts whose points are named together, one line for each reason. */
  listed?: ReadonlySet<Verdict>;
}

/** Returns the row of a point: its fault, perhaps with parameters. */
export function rowOf({ row, fault }: Pick<GridPoint, 'row' | 'fault'>): string {
  return row ?? fault;
}

/** Colours of the grid. */
export interface GridPaint {
  bad(text: string): string;
  dim(text: string): string;
}

export interface GridOptions<Verdict extends string> {
  results: readonly GridResult<Verdict>[];
  /** Name of the cassette. */
  file: string;
  verdicts: GridVerdicts<Verdict>;
  paint: GridPaint;
  /** Whether to draw a row for each fault. Default: true. */
  hasGrid?: boolean;
}

/** Returns a row for each fault and a column for each message, unless `hasGrid` is false, and details of the failed and listed points. */
export function gridText<Verdict extends string>(options: GridOptions<Verdict>): string[] {
  const { results, file, verdicts, paint, hasGrid = true } = options;
  const { letters, bad, listed = new Set<Verdict>() } = verdicts;
  const faults = [...new Set(results.map(({ point }) => rowOf(point)))];
  const last = Math.max(0, ...results.map(({ point }) => point.message));
  const width = Math.max(0, ...faults.map((fault) => fault.length));
  const rows = faults.map((fault) => {
    const cells = new Map(results.filter(({ point }) => rowOf(point) === fault).map((one) => [one.point.message, one]));
    const row = Array.from({ length: last }, (_, index) => {
      const result = cells.get(index + 1);
      if (result === undefined) return ' ';
      const letter = letters[result.verdict];
      return bad.has(result.verdict) ? paint.bad(letter) : letter;
    });
    return `${fault.padEnd(width)}  ${row.join('')}`;
  });
  const shown = results.filter(({ verdict }) => bad.has(verdict) && !listed.has(verdict));
  const legend = (isBad: boolean): string =>
    (Object.keys(letters) as Verdict[])
      .filter((verdict) => bad.has(verdict) === isBad)
      .map((verdict) => `${letters[verdict]} ${verdict}`)
      .join('  ');
  const grid = [...rows, '', paint.dim(`good: ${legend(false)}`), paint.dim(`bad:  ${legend(true)}`)];
  return [
    ...(hasGrid ? grid : []),
    ...(hasGrid && shown.length > 0 ? [''] : []),
    ...shown.flatMap(({ verdict, point, why, again }, index) => [
      `${paint.bad(verdict)} ${placeText(point, file)}`,
      ...reasonLines(why, shown, index),
      ...(again === undefined ? [] : [`    again: ${again}`]),
    ]),
    ...listedText(results.filter(({ verdict }) => listed.has(verdict))),
    '',
    countsText(results, verdicts),
  ];
}

/** Returns the reason of a point, once for all points with the same reason. */
function reasonLines(why: string | undefined, shown: readonly GridResult<string>[], index: number): string[] {
  if (why === undefined || shown.findIndex((one) => one.why === why) < index) return [];
  const others = shown.filter((one) => one.why === why).length - 1;
  return [`    ${printable(why)}${others > 0 ? ` (also ${formatCount(others, 'point')} below)` : ''}`];
}

/** Returns a point with its message and its place in the cassette. */
export function placeText({ name, title, line }: GridPoint, file: string): string {
  return `${name}: ${printable(title)}  (${printable(file)}:${line})`;
}

/**
 * Returns one line for each verdict, fault and reason, which names the first point and the number of further points.
 */
function listedText<Verdict extends string>(results: readonly GridResult<Verdict>[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { point, verdict, why } of results) {
    const key = `${verdict} ${rowOf(point)}: ${printable(String(why))}`;
    groups.set(key, [...(groups.get(key) ?? []), point.name]);
  }
  const lines = [...groups].map(([key, [first = '', ...more]]) => {
    return `${key}: ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

/** Returns the counts of good and bad verdicts, and of others: `12 good (3 passed, 9 reported), 1 bad (1 hung), 2 single`. */
export function countsText<Verdict extends string>(
  results: readonly Pick<GridResult<Verdict>, 'verdict'>[],
  { letters, bad, neutral = new Set<Verdict>() }: GridVerdicts<Verdict>,
): string {
  const counts = (Object.keys(letters) as Verdict[]).map((verdict) => ({
    verdict,
    count: results.filter((result) => result.verdict === verdict).length,
  }));
  const side = (word: string, isBad: boolean): string => {
    const some = counts.filter(
      ({ verdict, count }) => count > 0 && bad.has(verdict) === isBad && !neutral.has(verdict),
    );
    const total = some.reduce((sum, { count }) => sum + count, 0);
    const each = some.map(({ verdict, count }) => `${count} ${verdict}`).join(', ');
    return `${total} ${word}${total > 0 ? ` (${each})` : ''}`;
  };
  const others = counts.filter(({ verdict, count }) => count > 0 && neutral.has(verdict));
  const apart = others.map(({ verdict, count }) => `, ${count} ${verdict}`).join('');
  return `${side('good', false)}, ${side('bad', true)}${apart}`;
}
