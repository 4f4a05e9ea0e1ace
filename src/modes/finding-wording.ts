import type { Finding } from '../replay/findings/finding.ts';

/** A finding as a test reads it: what may be ignored is named as its option is written there, and not as a flag. */
export function wordedForTest(finding: Finding): Finding {
  const { varies, text } = finding;
  if (varies === undefined) return finding;
  return { ...finding, text: text.replace(`--ignore ${varies}`, () => `{ ignore: [${quoted(varies)}] }`) };
}

function quoted(pointer: string): string {
  return `'${pointer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
