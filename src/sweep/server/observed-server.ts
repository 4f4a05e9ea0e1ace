import type { Frame, LineFrame, MessageFrame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { HttpFailure } from '../../verify/compare/classify-http-failure.ts';
import type { LiveEvents, LiveServer } from '../../verify/run/live-server-types.ts';

/** A response of the server. `id` is the JSON text of its id. */
export interface HeardResponse {
  id: string;
  json: JsonText;
  /** The server sent it after the misbehaviour. */
  isAfter: boolean;
  /** Time since the misbehaviour. Before it: 0. */
  delay: Milliseconds;
}

/** The messages of a session as they crossed the wire, responses that the player ignores included. */
export interface Observations {
  responses: HeardResponse[];
  /** Ids of messages with an id, and with neither method, result nor error, as JSON text. */
  incomplete: Set<string>;
  /** Request id → number of requests with this id. */
  requestCounts: Map<string, number>;
  /**
   * Ids of requests whose answer followed another server message, while no other request was pending.
   */
  precededAnswers: Set<string>;
  /** Ids of requests on whose stream an event with an id came before the answer, as JSON text. */
  resumable: ReadonlySet<string>;
  /** Id of a request → the HTTP failure in place of its answer. */
  refusals: Map<string, HttpFailure>;
}

export interface ObservedServer {
  server: LiveServer;
  seen: Observations;
  /** Marks all later responses as sent after the misbehaviour. */
  misbehaved(): void;
  /**
   * Gives up one request, or all pending requests, unless an answer arrives within `patience`. The player continues as
   * if the client had cancelled, and ignores late answers.
   */
  giveUp(patience: Milliseconds, id?: string): void;
  /**
   * Holds the responses with these ids until `count` of them have arrived, or `patience` has passed. The player
   * therefore does not send its next message while the server still works on one of the requests.
   */
  awaitAll(ids: readonly string[], count: number, patience: Milliseconds): void;
  /**
   * Takes an answer to a copy of a request, after `patience` if the request has no answer of its own by then. No client may
   * have two requests with one id at once, so one answer is enough for both (JSON-RPC 2.0, 4 "Request object").
   */
  hearCopy(answer: MessageFrame, patience: Milliseconds): void;
  /** Ends the session on the client's side. Later steps are not sent. */
  leave(): void;
}

/** Responses withheld from the player until the last one arrives. */
interface HeldResponses {
  ids: ReadonlySet<string>;
  missing: number;
  frames: MessageFrame[];
}

const GIVEN_UP: HttpFailure = { code: 'HTTP_ANSWER_CUT', words: 'the client gave up', next: '' };

/** Reports whether a refusal comes from {@link ObservedServer.giveUp}. */
export function isGivenUp(refusal: HttpFailure | undefined): boolean {
  return refusal === GIVEN_UP;
}

/** Wraps a live server and observes its responses and requests. */
export function observeServer(server: LiveServer, clock: Clock): ObservedServer {
  const seen: Observations = {
    responses: [],
    incomplete: new Set(),
    requestCounts: new Map(),
    precededAnswers: new Set(),
    resumable: server.resumableRequests ?? new Set(),
    refusals: new Map(),
  };
  const open = new Set<string>();
  let events: LiveEvents;
  let isAfter = false;
  let misbehavedAt = Number.POSITIVE_INFINITY;
  const held = new Set<HeldResponses>();

  const release = (responses: HeldResponses): void => {
    if (!held.delete(responses)) return;
    for (const frame of mostTellingFirst(responses.frames)) pass(frame);
  };
  const pass = (frame: MessageFrame | LineFrame): void => {
    if (frame.kind === 'message') for (const id of responseIds(frame)) open.delete(id);
    events.receive(frame);
  };
  const hear = (frame: MessageFrame | LineFrame): void => {
    if (frame.kind === 'message') {
      for (const json of elementsOf(frame.json)) {
        const id = scalarKeyAt(json, ['id']) ?? 'null';
        if (isObject(json.value) && !('method' in json.value) && !isResponse(json.value)) seen.incomplete.add(id);
        if (!isResponse(json.value)) {
          if (open.size === 1) for (const one of open) seen.precededAnswers.add(one);
          continue;
        }
        seen.responses.push({ id, json, isAfter, delay: Math.max(0, clock.now() - misbehavedAt) });
      }
      const ids = responseIds(frame);
      const responses = [...held].find((one) => ids.some((id) => one.ids.has(id)));
      if (responses) {
        responses.frames.push(frame);
        responses.missing -= ids.filter((id) => responses.ids.has(id)).length;
        if (responses.missing <= 0) release(responses);
        return;
      }
    }
    pass(frame);
  };
  const ask = (frame: Frame): void => {
    if (frame.kind !== 'message') return;
    for (const json of elementsOf(frame.json)) {
      if (!isObject(json.value) || !isRequest(json.value)) continue;
      const id = scalarKeyAt(json, ['id'])!;
      seen.requestCounts.set(id, (seen.requestCounts.get(id) ?? 0) + 1);
      open.add(id);
    }
  };
  return {
    seen,
    misbehaved() {
      isAfter = true;
      misbehavedAt = clock.now();
    },
    giveUp(patience, id) {
      const ids = id === undefined ? [...open] : [id];
      clock.after(patience, () => {
        for (const one of ids) {
          if (!open.delete(one)) continue;
          seen.refusals.set(one, GIVEN_UP);
          events.refuse(one, GIVEN_UP);
        }
      });
    },
    awaitAll(ids, count, patience) {
      const responses: HeldResponses = { ids: new Set(ids), missing: count, frames: [] };
      held.add(responses);
      clock.after(patience, () => release(responses));
    },
    hearCopy(answer, patience) {
      clock.after(patience, () => {
        if (responseIds(answer).some((id) => open.has(id))) hear(answer);
      });
    },
    leave: () => events.stop('the client has left'),
    server: {
      isProcess: server.isProcess,
      begin(plan, told) {
        events = told;
        server.begin(plan, {
          ...told,
          receive: hear,
          closed() {
            for (const responses of held) release(responses);
            told.closed();
          },
          refuse(id, refusal) {
            open.delete(id);
            seen.refusals.set(id, refusal);
            told.refuse(id, refusal);
          },
        });
      },
      send(frame) {
        ask(frame);
        server.send(frame);
      },
      close: () => server.close(),
    },
  };
}

/** Returns the ids of the responses in a frame, as JSON text. */
function responseIds(frame: MessageFrame): string[] {
  return elementsOf(frame.json).flatMap((json) =>
    isResponse(json.value) ? [scalarKeyAt(json, ['id']) ?? 'null'] : [],
  );
}

/**
 * Sorts responses with the same id, because the player uses the first response. A result with members answers the
 * recorded request; an empty result may answer a ping.
 */
function mostTellingFirst(frames: readonly MessageFrame[]): MessageFrame[] {
  const rank = ({ json: { value } }: MessageFrame) => {
    if (!isObject(value) || !('result' in value)) return 1;
    return isObject(value.result) && Object.keys(value.result).length === 0 ? 2 : 0;
  };
  return [...frames].sort((a, b) => rank(a) - rank(b));
}
