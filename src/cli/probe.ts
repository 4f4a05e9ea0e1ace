import { existsSync } from 'node:fs';
import { probeName } from '../cassette/file-name.ts';
import { loadCassette } from '../cassette/load.ts';
import { discoveredOn, type Reply } from '../replay/era.ts';

/** What the server said to the process that a probing client started before the session, if its tape lies beside. */
export function probeOf(file: string): Reply | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoveredOn(loadCassette(probe).events) : undefined;
}
