import type { CassetteEvent } from '../../cassette/cassette.ts';
import { entriesOf } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { identityOf } from '../../match/request-identity.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { isModern } from '../../protocol/revisions.ts';
import { claimedRevision } from '../../transports/http/mcp-headers/request-headers.ts';
import { isBareRefusal } from './merge-resumed-streams.ts';

/** Authorization, "Token Handling": the client may come again with a token, which is no matter of a replay. */
const CHALLENGES: readonly unknown[] = [401, 403];

/** The streams of what was challenged for a token and, if it was a request, came again: as for the session, it never was. */
export function challengedStreams(events: readonly CassetteEvent[]): ReadonlySet<number | undefined> {
  const challenged = new Set(events.flatMap(({ frame }) => (isChallenge(frame) ? [frame.stream] : [])));
  if (challenged.size === 0) return challenged;
  const lastAsked = new Map<string, number | undefined>();
  for (const { frame, from, json, message } of entriesOf(events))
    if (from === 'client' && isRequest(message)) lastAsked.set(identityOf(json!).key, frame.stream);
  for (const stream of lastAsked.values()) challenged.delete(stream);
  return challenged;
}

function isChallenge(frame: Frame): boolean {
  return CHALLENGES.includes(statusOfBare(frame));
}

/**
 * The streams of requests of 2025-11-25 or before that a server of 2026-07-28 refused, as it had no such session: in a cassette
 * where others are of that revision they would be taken for those, and be no answer to them.
 */
export function strayStreams(events: readonly CassetteEvent[]): ReadonlySet<number | undefined> {
  const older = new Set<number | undefined>();
  let isModernCassette = false;
  for (const { frame } of events) {
    if (frame.kind !== 'message' || frame.from === 'server') continue;
    const requests = elementsOf(frame.json).filter(({ value }) => isRequest(value));
    const revisions = requests.map(({ value }) => claimedRevision(value) ?? frame.headers?.[VERSION]);
    if (revisions.some((revision) => isModern(revision ?? ''))) isModernCassette = true;
    else if (requests.length > 0) older.add(frame.stream);
  }
  if (!isModernCassette) return new Set();
  return new Set(events.flatMap(({ frame }) => (isRefused(frame) && older.has(frame.stream) ? [frame.stream] : [])));
}

const VERSION = 'mcp-protocol-version';

function isRefused(frame: Frame): boolean {
  const status = statusOfBare(frame);
  return typeof status === 'number' && status >= 400;
}

/** The status of a response without an answer to its request. */
function statusOfBare(frame: Frame): number | 'sse' | undefined {
  const isBare = frame.kind === 'http-response' || (frame.kind === 'message' && isBareRefusal(frame));
  return isBare ? frame.status : undefined;
}
