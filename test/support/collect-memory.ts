import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees at once what nobody holds. */
export function collectMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/** The same with what weak references held until the end of this turn. */
export async function collectWeaklyHeld(): Promise<void> {
  await setImmediate();
  collectMemory();
}
