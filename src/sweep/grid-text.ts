import type { Result } from './sweep.ts';
import { BAD, type Verdict } from './verdict.ts';

const LETTERS: Readonly<Record<Verdict, string>> = {
  passed: '·',
  failed: 'f',
  hung: 'H',
  crashed: 'C',
  leaked: 'L',
  lied: '!',
  unreached: ' ',
};

/** How the grid is coloured. */
export interface GridPaint {
  bad(text: string): string;
  dim(text: string): string;
}

/** Returns a row for each fault, a column for each server message, and details of failed cases. */
export function gridText(results: readonly Result[], file: string, paint: GridPaint): string[] {
  const faults = [...new Set(results.map(({ point }) => point.fault))];
  const last = Math.max(0, ...results.map(({ point }) => point.message));
  const width = Math.max(0, ...faults.map((fault) => fault.length));
  const rows = faults.map((fault) => {
    const cells = new Map(results.filter(({ point }) => point.fault === fault).map((one) => [one.point.message, one]));
    const letters = Array.from({ length: last }, (_, index) => {
      const result = cells.get(index + 1);
      if (result === undefined) return ' ';
      const letter = LETTERS[result.verdict];
      return BAD.has(result.verdict) ? paint.bad(letter) : letter;
    });
    return `${fault.padEnd(width)}  ${letters.join('')}`;
  });
  const bad = results.filter(({ verdict }) => BAD.has(verdict));
  const legend = Object.entries(LETTERS).map(
    ([verdict, letter]) => `${letter === ' ' ? '(blank)' : letter} ${verdict}`,
  );
  return [
    ...rows,
    '',
    paint.dim(legend.join('  ')),
    ...(bad.length > 0 ? [''] : []),
    ...bad.map(({ verdict, point }) => {
      return `${paint.bad(verdict)} ${point.name}: ${point.title}  (${file}:${point.line})`;
    }),
    '',
    countsOf(results),
  ];
}

function countsOf(results: readonly Result[]): string {
  const verdicts = Object.keys(LETTERS) as Verdict[];
  return verdicts
    .map((verdict) => [verdict, results.filter((result) => result.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');
}
