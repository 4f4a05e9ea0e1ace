import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries, type Links } from '../cassette/correlate/correlate-entries.ts';
import { inferHttpSessions } from '../cassette/correlate/infer-http-sessions.ts';
import { refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Side } from '../channel/frame.ts';
import {
  errorOf,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Notification,
  paramsOf,
  type Request,
  type Response,
  resultOf,
} from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { isModern, UNSUPPORTED_VERSION } from '../protocol/revisions.ts';

/** Entry with a message of a known kind. */
export type LintMessage<Message> = SessionEntry & { message: Message };

/** Session as rules see it. */
export interface LintSession {
  entries: readonly SessionEntry[];
  links: Links;
  requests: readonly LintMessage<Request>[];
  notifications: readonly LintMessage<Notification>[];
  responses: readonly LintMessage<Response>[];
  /** Negotiated or stated revision. Undefined: unknown. */
  revision: string | undefined;
  modern: boolean;
  /** Requests that HTTP refused with a status. Protocol rules do not apply to their responses. */
  refusals: ReadonlyMap<number, number>;
  /** First `initialize` that HTTP accepted. If HTTP refused every one: the first. */
  initialize?: LintMessage<Request> | undefined;
  initialized?: LintMessage<Notification> | undefined;
  /** Whether the cassette was written by hand and may therefore lack a handshake. */
  isHandWritten: boolean;
  /** Whether all messages certainly belong to one client. A cassette over HTTP may contain several clients. */
  isOneClient: boolean;
  /** Declared capabilities of each side. Undefined: unknown, as those of clients from 2026-07-28 on. */
  capabilities: Readonly<Record<Side, Record<string, unknown> | undefined>>;
  /** Returns the session number of each event. */
  httpSessions(): readonly number[];
  /** Returns the request that a response answers. */
  requestOf(response: SessionEntry): LintMessage<Request> | undefined;
  /** Returns the response to a request. */
  answer(request: SessionEntry): LintMessage<Response> | undefined;
}

export function sessionForRules(
  { header, events }: Pick<Cassette, 'header' | 'events'>,
  { isOneClient = false }: { isOneClient?: boolean } = {},
): LintSession {
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  const requests = entries.filter((entry): entry is LintMessage<Request> => isRequest(entry.message));
  const notifications = entries.filter((entry): entry is LintMessage<Notification> => isNotification(entry.message));
  const responses = entries.filter((entry): entry is LintMessage<Response> => isResponse(entry.message));
  const answer = (request: SessionEntry) =>
    entries[links.answerOf.get(request.index) ?? -1] as LintMessage<Response> | undefined;
  const refusals = refusedRequests(entries, links);
  const opening = requests.filter(({ from, message }) => from === 'client' && message.method === 'initialize');
  const discover = requests.find(({ message }) => message.method === 'server/discover');
  const discovered = resultOf(discover && answer(discover)?.message);
  // A client that names a revision which the server does not have goes on with another one.
  const isUnsupported = (request: SessionEntry) => errorOf(answer(request)?.message)?.code === UNSUPPORTED_VERSION;
  const claims = requests.filter(({ message }) => typeof metaOf(message.params)[META.protocolVersion] === 'string');
  const claiming = claims.find((request) => !isUnsupported(request)) ?? claims[0];
  const claimed = claiming && metaOf(claiming.message.params)[META.protocolVersion];
  const tried = opening.find(({ index }) => !refusals.has(index)) ?? opening[0];
  // A server without a handshake refuses it, and the session goes on without one.
  const hasNoHandshake = typeof claimed === 'string' && isModern(claimed) && isError(tried && answer(tried));
  const initialize = hasNoHandshake ? undefined : tried;
  const result = resultOf(initialize && answer(initialize)?.message);
  const agreed = initialize ? result.protocolVersion : claimed;
  const revision = typeof agreed === 'string' ? agreed : undefined;
  return {
    entries,
    links,
    refusals,
    requests,
    notifications,
    responses,
    revision,
    modern: initialize === undefined && revision !== undefined && isModern(revision),
    initialize,
    isOneClient,
    isHandWritten: header.recorder === undefined,
    initialized: notifications.find(({ message }) => message.method === 'notifications/initialized'),
    capabilities: {
      client: initialize && record(paramsOf(initialize.message).capabilities),
      server: record((initialize ? result : discovered).capabilities),
    },
    httpSessions: () => inferHttpSessions(events, entries, links),
    requestOf: (response) => entries[links.requestOf.get(response.index) ?? -1] as LintMessage<Request> | undefined,
    answer,
  };
}

function isError(answer: SessionEntry | undefined): boolean {
  return errorOf(answer?.message) !== undefined;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}
