/**
 * How many random cases a property is tried with: `cases` in every run, `FUZZ` times as many where that variable is set, as
 * `npm run fuzz` does.
 */
export function fuzzed(cases = 100): { numRuns: number } {
  return { numRuns: cases * Number(process.env.FUZZ ?? 1) };
}
