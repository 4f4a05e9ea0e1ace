import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { planClient } from '../plan/client-plan.ts';
import { planServer } from '../plan/server-plan.ts';
import { stripHttp } from '../prepare/strip-http.ts';
import type { Finding } from './finding.ts';
import { unplayableFindings } from './unplayable-findings.ts';

/** What a person should know of a cassette that another process will play on this side. */
export function unplayableIn(cassette: Cassette, side: Side): Finding[] {
  const { file, events } = stripHttp(cassette);
  const plan = side === 'server' ? planServer(events) : planClient(events);
  return unplayableFindings({ plan, file });
}
