import { fileURLToPath } from 'node:url';

/** Files of this package are no place of a test. */
const OWN = fileURLToPath(new URL('.', import.meta.url));

/** Returns where a test calls a function of this package, as `FILE:LINE`; empty if that is not known. */
export function callerPlace(): string {
  const [, ...frames] = new Error().stack?.split('\n') ?? [];
  const caller = frames.find((frame) => !frame.includes(OWN) && !frame.includes('node:internal'));
  return /(?:file:\/\/)?(\/[^()\s][^()]*?:\d+):\d+\)?$/.exec(caller ?? '')?.[1] ?? '';
}
