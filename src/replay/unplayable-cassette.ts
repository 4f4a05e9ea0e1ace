import type { Cassette } from '../cassette/types.ts';
import type { Side } from '../channel/frame.ts';
import type { Finding } from './finding.ts';
import { messagesOnly } from './messages-only.ts';
import { scoreServer } from './score.ts';
import { scoreClient } from './score-client.ts';
import { unplayableFindings } from './unplayable-findings.ts';

/** What a person should know of a cassette that another process will play on this side. */
export function unplayableIn(cassette: Cassette, side: Side): Finding[] {
  const { file, events } = messagesOnly(cassette);
  const score = side === 'server' ? scoreServer(events) : scoreClient(events);
  return unplayableFindings({ score, file });
}
