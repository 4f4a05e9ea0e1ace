import type { Finding } from '../replay/findings/finding.ts';

/** Words a finding for tests: its advice names the test's `ignore` option instead of the `--ignore` flag. */
export function rewordForTest(finding: Finding): Finding {
  const { varies, text } = finding;
  if (varies === undefined) return finding;
  return { ...finding, text: text.replace(`--ignore ${varies}`, () => `{ ignore: [${quoted(varies)}] }`) };
}

/** Returns a miss worded for `run`. Scenarios cannot ignore varying values, but may allow misses. */
export function rewordForScenario({ varies, text }: Pick<Finding, 'varies' | 'text'>): string {
  if (varies === undefined) return text;
  return text.replace(
    `ignore what varies: --ignore ${varies}`,
    () => `let misses pass, as ${varies} varies: misses: report`,
  );
}

function quoted(pointer: string): string {
  return `'${pointer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
