import type { Finding } from '../replay/findings/finding.ts';

/** Words a finding for tests: its advice names the test's `ignore` option instead of the `--ignore` flag. */
export function rewordForTest(finding: Finding): Finding {
  const { varies, text } = finding;
  if (varies === undefined) return finding;
  return { ...finding, text: text.replace(`--ignore ${varies}`, () => `{ ignore: [${quoted(varies)}] }`) };
}

/** Words a miss for `run`: its advice names the rule beside the recorded request, since scenarios cannot ignore values. */
export function rewordForScenario({ varies, text }: Pick<Finding, 'varies' | 'text'>): string {
  if (varies === undefined) return text;
  const rule = `write beside the recorded request: match: { ignore: ['${varies.replaceAll("'", "''")}'] }`;
  return text.replace(`ignore what varies: --ignore ${varies}`, () => `if this value may vary, ${rule}`);
}

function quoted(pointer: string): string {
  return `'${pointer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
