import { base64Runs, base64Secrets } from './base64.ts';
import type { Find } from './find.ts';
import { hexSecrets } from './hex.ts';

/** What is written in letters that stand for bytes, of which `isSecret` says so. */
export function encodedSecrets(text: string, isSecret: (inner: string) => boolean): Find[] {
  const runs = base64Runs(text);
  return [
    ...base64Secrets(text, isSecret, runs).map((run) => ({ name: 'base64', ...run })),
    ...hexSecrets(text, isSecret, runs).map((run) => ({ name: 'hex', ...run })),
  ].sort((a, b) => a.start - b.start);
}
