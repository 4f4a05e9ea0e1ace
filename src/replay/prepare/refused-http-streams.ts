import type { CassetteEvent } from '../../cassette/cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { isBareRefusal } from '../../channel/error-response-without-id.ts';
import type { Frame } from '../../channel/frame.ts';
import { identityOf } from '../../match/request-identity.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import { isModern } from '../../protocol/revisions.ts';

/**
 * Statuses after which a client may repeat its request with a token (Authorization, "Token Handling"). Replay skips
 * them.
 */
const CHALLENGES: readonly unknown[] = [401, 403];

/**
 * Returns the streams of HTTP exchanges that were challenged for a token, except for the last attempt of each request and notification.
 */
export function challengedStreams(events: readonly CassetteEvent[]): ReadonlySet<number | undefined> {
  const challenged = new Set(events.flatMap(({ frame }) => (isChallenge(frame) ? [frame.stream] : [])));
  if (challenged.size === 0) return challenged;
  const lastAttempts = new Map<string, number | undefined>();
  for (const { frame, from, json, message } of eventsToEntries(events))
    if (from === 'client' && (isRequest(message) || isNotification(message)))
      lastAttempts.set(identityOf(json!).key, frame.stream);
  for (const stream of lastAttempts.values()) challenged.delete(stream);
  return challenged;
}

function isChallenge(frame: Frame): boolean {
  return CHALLENGES.includes(statusOfBare(frame));
}

/**
 * Returns the streams of legacy requests (2025-11-25 or older) refused by a server of 2026-07-28. The matcher must not
 * confuse them with modern requests in the same cassette.
 */
export function refusedLegacyStreams(events: readonly CassetteEvent[]): ReadonlySet<number | undefined> {
  const legacy = new Set<number | undefined>();
  let isModernCassette = false;
  for (const { frame } of events) {
    if (frame.kind !== 'message' || frame.from === 'server') continue;
    const requests = elementsOf(frame.json).filter(({ value }) => isRequest(value));
    const revisions = requests.map(({ value }) => claimedRevision(value) ?? frame.headers?.[VERSION]);
    if (revisions.some((revision) => isModern(revision ?? ''))) isModernCassette = true;
    else if (requests.length > 0) legacy.add(frame.stream);
  }
  if (!isModernCassette) return new Set();
  return new Set(events.flatMap(({ frame }) => (isRefused(frame) && legacy.has(frame.stream) ? [frame.stream] : [])));
}

const VERSION = 'mcp-protocol-version';

function isRefused(frame: Frame): boolean {
  const status = statusOfBare(frame);
  return typeof status === 'number' && status >= 400;
}

/** Returns the HTTP status of a response without a JSON-RPC response. */
function statusOfBare(frame: Frame): number | 'sse' | undefined {
  const isBare = frame.kind === 'http-response' || (frame.kind === 'message' && isBareRefusal(frame));
  return isBare ? frame.status : undefined;
}
