import type { Cassette } from '../cassette/cassette.ts';
import { correlateMoves, type Links } from '../cassette/correlate/correlate-entries.ts';
import { refusalsOf } from '../cassette/correlate/refused-requests.ts';
import { type Move, movesOf } from '../cassette/correlate/session-entries.ts';
import type { Side } from '../channel/frame.ts';
import {
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
import { isModern } from '../protocol/revisions.ts';

/** A move with the message that it is. */
export type Said<Message> = Move & { message: Message };

/** A session as rules look at it. */
export interface Session {
  moves: readonly Move[];
  links: Links;
  requests: readonly Said<Request>[];
  notifications: readonly Said<Notification>[];
  responses: readonly Said<Response>[];
  /** The revision that was agreed on, or that the requests claim; undefined where nothing says so. */
  revision: string | undefined;
  modern: boolean;
  /** Requests that HTTP refused with a status: what came of them is no matter of the protocol. */
  refusals: ReadonlyMap<number, number>;
  /** The `initialize` request and its result, where there are such: the first that was not refused, where one was not. */
  initialize?: Said<Request> | undefined;
  initialized?: Said<Notification> | undefined;
  /** What each side declared; undefined where nothing is known of it. */
  capabilities: Readonly<Record<Side, Record<string, unknown> | undefined>>;
  /** The request that a response answers. */
  asked(response: Move): Said<Request> | undefined;
  /** The response to a request. */
  answer(request: Move): Said<Response> | undefined;
}

export function sessionOf({ events }: Cassette): Session {
  const moves = movesOf(events);
  const links = correlateMoves(moves);
  const requests = moves.filter((move): move is Said<Request> => isRequest(move.message));
  const notifications = moves.filter((move): move is Said<Notification> => isNotification(move.message));
  const responses = moves.filter((move): move is Said<Response> => isResponse(move.message));
  const answer = (request: Move) =>
    moves[links.answerOf.get(request.index) ?? -1] as Said<Response> | undefined;
  const refusals = refusalsOf(moves, links);
  const opening = requests.filter(
    ({ from, message }) => from === 'client' && message.method === 'initialize',
  );
  const initialize = opening.find(({ index }) => !refusals.has(index)) ?? opening[0];
  const result = resultOf(initialize && answer(initialize)?.message);
  const claimed = requests
    .map(({ message }) => metaOf(message.params)[META.protocolVersion])
    .find((version) => typeof version === 'string');
  const agreed = initialize ? result.protocolVersion : claimed;
  const revision = typeof agreed === 'string' ? agreed : undefined;
  return {
    moves,
    links,
    refusals,
    requests,
    notifications,
    responses,
    revision,
    modern: initialize === undefined && revision !== undefined && isModern(revision),
    initialize,
    initialized: notifications.find(({ message }) => message.method === 'notifications/initialized'),
    capabilities: {
      client: initialize && record(paramsOf(initialize.message).capabilities),
      server: record(result.capabilities),
    },
    asked: (response) => moves[links.requestOf.get(response.index) ?? -1] as Said<Request> | undefined,
    answer,
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}
