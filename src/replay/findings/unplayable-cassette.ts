import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { planClient } from '../plan/client-plan.ts';
import { planServer } from '../plan/server-plan.ts';
import { stripHttp } from '../prepare/strip-http.ts';
import type { Finding } from './finding.ts';
import { unplayableFindings } from './unplayable-findings.ts';

/**
 * What a person should know of a cassette that will be played on this side, before anything is started.
 * @throws McpRecordError CASSETTE_UNPLAYABLE
 */
export function unplayableIn(cassette: Cassette, side: Side): Finding[] {
  const { file, events, header } = stripHttp(cassette);
  const plan = side === 'server' ? planServer(events) : planClient(events);
  return unplayableFindings({ plan, file, isHandWritten: header.recorder === undefined });
}

/**
 * Checks, before anything is started, what nobody may play.
 * @throws McpRecordError CASSETTE_UNPLAYABLE
 */
export function checkPlayable(cassette: Cassette): void {
  if (cassette.header.recorder === undefined) unplayableIn(cassette, 'server');
}
