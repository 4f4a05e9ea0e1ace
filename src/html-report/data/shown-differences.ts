import { briefJson } from '../../match/canonical-json.ts';
import { differences } from '../../match/json-difference.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { ValueDifference } from './report-data-types.ts';

const DIFFERENCES_MAX = 200;
const VALUE_LENGTH_MAX = 400;

/** Returns the differences between two values as pages show them: the first ones, with long values cut short. */
export function shownDifferences(before: unknown, after: unknown): ValueDifference[] {
  return differences(before, after)
    .slice(0, DIFFERENCES_MAX)
    .map(({ path, recorded, live }) => ({
      path: printable(path || '/'),
      ...(recorded !== undefined && { before: brief(recorded) }),
      ...(live !== undefined && { after: brief(live) }),
    }));
}

function brief(value: unknown): string {
  return printable(briefJson(value, VALUE_LENGTH_MAX));
}
