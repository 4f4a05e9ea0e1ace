import type { Side } from '../../src/channel/frame.ts';
import { VOLATILE } from '../../src/match/default-ignore-pointers.ts';
import { without } from '../../src/match/ignore-rules.ts';
import { identityOf } from '../../src/match/request-identity.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { errorOf, isNotification, isRequest, isResponse, paramsOf, resultOf } from '../../src/protocol/message.ts';
import { META, metaOf } from '../../src/protocol/meta.ts';
import { repeatOf } from '../../src/protocol/method-table.ts';
import { hasNoEvents } from '../../src/replay/player/empty-event-poll.ts';
import type { Mutation } from '../support/session-mutations.ts';

/**
 * The row of docs/guarantees.md that says that this difference is not compared; undefined: there is none, so that a run
 * that passes with it would be a false green.
 */
export function uncomparedRow(mutation: Mutation, side: Side): string | undefined {
  const { how, message } = mutation;
  if (how === 'swap' || how === 'late') return side === 'client' ? 'request-order' : 'order';
  if (isOfPing(mutation)) return 'ping';
  if (side === 'client') return ofClient(mutation);
  if (isNotification(message) && message.method === 'notifications/cancelled') return 'server-cancel';
  if (isRequest(message) && message.method === 'roots/list' && how !== 'change') return 'server-cancel';
  if (isResponse(message) && (message.id === null || message.id === undefined)) return 'error-without-id';
  if (isResponse(message) && isCancelled(mutation, message.id)) return 'cancelled-answer';
  if (isNotification(message) && message.method === 'notifications/progress')
    return how === 'change' || isOfCancelled(mutation) ? 'progress-values' : undefined;
  if (how !== 'change') return undefined;
  if (isRequest(message) && isSameIdentity(mutation)) return 'server-request-meta';
  if (isOfLaterPage(mutation)) return 'later-pages';
  return isVolatile(mutation) ? 'version' : undefined;
}

function ofClient(mutation: Mutation): string | undefined {
  const { how, message, path = [] } = mutation;
  if (isResponse(message)) return how === 'change' && isVolatile(mutation) ? 'answer-meta' : undefined;
  if (isNotification(message)) {
    if (message.method === 'notifications/cancelled')
      return how !== 'drop' || isIdle(mutation) ? 'cancel-reason' : undefined;
    if (message.method === 'notifications/progress' && how === 'change') return 'progress-values';
    return how === 'change' && isSameIdentity(mutation) ? 'request-meta' : undefined;
  }
  if (!isRequest(message)) return undefined;
  if (how === 'drop' && isTimed(mutation)) return 'list-count';
  if (how === 'add' || how === 'twice')
    return repeatOf(message.method) === 'last' || isRefused(mutation) ? 'list-count' : undefined;
  if (how !== 'change' || !isSameIdentity(mutation)) return undefined;
  if (path.includes('clientInfo') || path.includes(META.clientInfo)) return 'client-info';
  return isSameEnvelope(mutation) ? 'request-meta' : undefined;
}

/** A ping, or the answer to one. */
function isOfPing(mutation: Mutation): boolean {
  const { message } = mutation;
  if (isRequest(message)) return message.method === 'ping';
  if (!isResponse(message)) return false;
  const { id } = message;
  const asked = said(mutation).filter((one) => isRequest(one) && one.id === id);
  return asked.length > 0 && asked.some((one) => isRequest(one) && one.method === 'ping');
}

/** A timer of the client decides whether it is made: a poll that brought no events, or one of several subscriptions to the same. */
function isTimed(mutation: Mutation): boolean {
  const { message } = mutation;
  if (!isRequest(message)) return false;
  const all = said(mutation);
  if (message.method === 'events/poll')
    return all.some((one) => isResponse(one) && one.id === message.id && hasNoEvents(resultOf(one)));
  const key = identityOf(text(message)).key;
  const made = all.filter(
    (one) => isRequest(one) && one.method === message.method && identityOf(text(one)).key === key,
  );
  return message.method === 'events/subscribe' && made.length > 1;
}

/** It was refused for what its `_meta` says: each request that says the same is refused so. */
function isRefused({ before }: Mutation): boolean {
  return before.events.some(
    ({ frame }) =>
      frame.kind === 'message' &&
      isResponse(frame.json.value) &&
      [-32021, -32022].includes(Number(errorOf(frame.json.value)?.code)),
  );
}

/** The request `id` of the client was cancelled before its answer. */
function isCancelled(mutation: Mutation, id: unknown): boolean {
  const all = said(mutation);
  const answer = all.findIndex((one) => isResponse(one) && one.id === id);
  return all.slice(0, answer).some((one) => cancels(one, id));
}

function cancels(message: unknown, id: unknown): boolean {
  const isCancel = isNotification(message) && message.method === 'notifications/cancelled';
  return isCancel && paramsOf(message).requestId === id;
}

/** A member of the second or a later page of a list, beside its items. */
function isOfLaterPage(mutation: Mutation): boolean {
  const { message, path = [] } = mutation;
  if (!isResponse(message) || path[0] !== 'result' || path.length !== 2) return false;
  return said(mutation).some((one) => isRequest(one) && one.id === message.id && paramsOf(one).cursor !== undefined);
}

const text = (message: unknown) => new JsonText(JSON.stringify(message));

/** The message stands for the same recorded one as before. */
function isSameIdentity({ message, now }: Mutation): boolean {
  return identityOf(text(message)).key === identityOf(text(now)).key;
}

/** What a request says of its client is the same, and it asks for progress as before. */
function isSameEnvelope({ message, now }: Mutation): boolean {
  const said = (one: unknown) => {
    const params = paramsOf(one);
    const { progressToken, [META.protocolVersion]: version, [META.clientCapabilities]: capabilities } = metaOf(params);
    return JSON.stringify([
      progressToken === undefined,
      version,
      capabilities,
      params.protocolVersion,
      params.capabilities,
    ]);
  };
  return said(message) === said(now);
}

function isVolatile({ message, now }: Mutation): boolean {
  const ignore = [...VOLATILE, '/result/_meta'];
  return JSON.stringify(without(message, ignore)) === JSON.stringify(without(now, ignore));
}

/** Messages of the cassette as they were before. */
function said({ before }: Mutation): unknown[] {
  return before.events.flatMap(({ frame }) => (frame.kind === 'message' ? [frame.json.value] : []));
}

/** Progress of a call that its client cancelled. */
function isOfCancelled(mutation: Mutation): boolean {
  const { progressToken } = paramsOf(mutation.message);
  const all = said(mutation);
  const calls = all.filter((one) => isRequest(one) && metaOf(one.params).progressToken === progressToken);
  return calls.some((call) => isRequest(call) && all.some((one) => cancels(one, call.id)));
}

/** A cancel of what was answered already, or of nothing. */
function isIdle(mutation: Mutation): boolean {
  const { requestId } = paramsOf(mutation.message);
  const all = said(mutation);
  const cancel = all.findIndex((one) => JSON.stringify(one) === JSON.stringify(mutation.message));
  const isOpen = all.slice(0, cancel).reduce<boolean>((open, one) => {
    if (isRequest(one) && one.id === requestId) return true;
    return isResponse(one) && one.id === requestId ? false : open;
  }, false);
  return !isOpen;
}
