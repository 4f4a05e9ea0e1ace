import { existsSync } from 'node:fs';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { probeName } from '../../cassette/write/cassette-names.ts';
import { discoverResponseIn, type ResultOrError } from '../match/protocol-generation.ts';

/** Returns the recorded response to a separate `server/discover`, if the probe's cassette exists. */
export function discoverResponseFromProbe(file: string): ResultOrError | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoverResponseIn(loadCassette(probe).events) : undefined;
}
