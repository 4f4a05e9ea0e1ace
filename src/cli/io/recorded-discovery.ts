import { existsSync } from 'node:fs';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { probeName } from '../../cassette/write/cassette-names.ts';
import { discoverResponseIn, type ResultOrError } from '../../replay/match/protocol-generation.ts';

/** What the server said to the process that a probing client started before the session, if its cassette lies beside. */
export function recordedDiscovery(file: string): ResultOrError | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoverResponseIn(loadCassette(probe).events) : undefined;
}
