import type { Finding } from '../replay/findings/finding.ts';

/** Words a finding for tests: its advice names the test's `ignore` option instead of the flag of the command line. */
export function rewordForTest(finding: Finding): Finding {
  const { varies, text } = finding;
  if (varies === undefined) return finding;
  const isPattern = text.includes(' --ignore-pattern ');
  const rule = isPattern ? varies : quoted(varies);
  return { ...finding, text: text.replace(flagFor(text, varies), () => `{ ignore: [${rule}] }`) };
}

/** Words a miss for `run`: its advice names the rule beside the recorded request, since scenarios cannot ignore values. */
export function rewordForScenario({ varies, text }: Pick<Finding, 'varies' | 'text'>): string {
  if (varies === undefined) return text;
  const rule = `write beside the recorded request: match: { ignore: ['${varies.replaceAll("'", "''")}'] }`;
  return text.replace(`ignore what varies: ${flagFor(text, varies)}`, () => `if this value may vary, ${rule}`);
}

/** Returns the flag with which a text suggests a rule, as the text has it. */
function flagFor(text: string, varies: string): string {
  const [pattern] = / --ignore-pattern '(?:[^']|'\\'')*'$/m.exec(text) ?? [];
  return pattern?.trimStart() ?? `--ignore ${varies}`;
}

function quoted(pointer: string): string {
  return `'${pointer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
