import { fileURLToPath } from 'node:url';

/** Folder of this package, whose stack frames are skipped. */
const OWN = fileURLToPath(new URL('.', import.meta.url));

/** Returns the file and line of the test that called this package, as `FILE:LINE`, or an empty string if unknown. */
export function callerPlace(): string {
  const [, ...frames] = new Error().stack?.split('\n') ?? [];
  const caller = frames.find((frame) => !frame.includes(OWN) && !frame.includes('node:internal'));
  return /(?:file:\/\/)?(\/[^()\s][^()]*?:\d+):\d+\)?$/.exec(caller ?? '')?.[1] ?? '';
}
