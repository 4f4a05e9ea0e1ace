import type { YamlField } from './yaml/yaml-field.ts';

/** Conversion of fields from one cassette format to the next, in memory. */
export interface FormatUpgrade {
  /** Format number that this step reads: 1 for `mcp-record/1`. It returns the next one. */
  from: number;
  header(fields: YamlField[]): YamlField[];
  event(fields: YamlField[]): YamlField[];
}

/** Conversion steps. Format 1 is the first format, so no step exists yet. */
export const FORMAT_UPGRADES: readonly FormatUpgrade[] = [];

/** Combines the steps from format `from` to the newest. Without steps, fields pass unchanged. */
export function composeUpgrades(
  from: number,
  steps: readonly FormatUpgrade[] = FORMAT_UPGRADES,
): Omit<FormatUpgrade, 'from'> {
  const due = steps.filter((step) => step.from >= from).sort((a, b) => a.from - b.from);
  return {
    header: (fields) => due.reduce((older, step) => step.header(older), fields),
    event: (fields) => due.reduce((older, step) => step.event(older), fields),
  };
}
