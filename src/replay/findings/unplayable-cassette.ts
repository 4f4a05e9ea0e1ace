import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { scoreClient } from '../plan/client-plan.ts';
import { scoreServer } from '../plan/server-plan.ts';
import { messagesOnly } from '../prepare/strip-http.ts';
import type { Finding } from './finding.ts';
import { unplayableFindings } from './unplayable-findings.ts';

/** What a person should know of a cassette that another process will play on this side. */
export function unplayableIn(cassette: Cassette, side: Side): Finding[] {
  const { file, events } = messagesOnly(cassette);
  const score = side === 'server' ? scoreServer(events) : scoreClient(events);
  return unplayableFindings({ score, file });
}
