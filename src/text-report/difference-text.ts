import { diff } from 'jest-diff';
import { describeDifference, differences } from '../match/json-difference.ts';
import { printable, truncate } from './printable-text.ts';

/** Maximum number of lines for a drawn diff. Its time is quadratic: 20,000 different lines would take seconds. */
const DRAWN_LINES_MAX = 2_000;
const SHOWN_LINES_MAX = 200;
const LINE_COLUMNS_MAX = 300;
const LISTED_MAX = 20;

const asIs = (text: string): string => text;
const UNPAINTED = {
  aColor: asIs,
  bColor: asIs,
  changeColor: asIs,
  commonColor: asIs,
  patchColor: asIs,
};

/** Names of the two values. */
export interface DifferenceNames {
  recorded: string;
  live: string;
}

const NAMES: DifferenceNames = { recorded: 'Recorded', live: 'Live' };

/**
 * Returns the differences between two JSON values as lines: `-` for recorded, `+` for live. For values too long to be
 * drawn, the differing places are listed.
 */
export function differenceText(recorded: unknown, live: unknown, names: DifferenceNames = NAMES): string[] {
  if (linesOf(recorded) + linesOf(live) > DRAWN_LINES_MAX) return listed(recorded, live);
  const annotations = { aAnnotation: names.recorded, bAnnotation: names.live };
  const options = { ...annotations, contextLines: 3, expand: false };
  const lines = (diff(recorded, live, { ...options, ...UNPAINTED }) ?? '').split('\n');
  const shown = lines.slice(0, SHOWN_LINES_MAX).map((line) => truncate(printable(line), LINE_COLUMNS_MAX));
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more lines`] : shown;
}

function listed(recorded: unknown, live: unknown): string[] {
  const all = differences(recorded, live);
  const shown = all.slice(0, LISTED_MAX).map((difference) => printable(describeDifference(difference)));
  return all.length > shown.length ? [...shown, `… and ${all.length - shown.length} more places`] : shown;
}

/** Returns the approximate number of lines of a drawn value. */
function linesOf(value: unknown): number {
  if (typeof value === 'string') return value.split('\n', DRAWN_LINES_MAX + 1).length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + linesOf(item), 2);
}
