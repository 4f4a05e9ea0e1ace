import type { CassetteEvent } from '../../cassette/cassette.ts';
import { addJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import { isStream, mintsCursor, repeatOf } from '../../protocol/method-table.ts';
import { addMissingHandshake } from '../prepare/add-missing-handshake.ts';
import { causesOf } from './causes.ts';
import type { Cause } from './requests-in-flight.ts';
import { OrderedSteps, type SendOrder } from './send-order.ts';
import type { ReplayPlan } from './server-plan.ts';
import { type PlanStep, StepsByTrigger, type TriggeredSteps } from './steps-by-trigger.ts';
import { StreamOutcomes } from './stream-outcomes.ts';

/**
 * Returns the plan for a mock client. docs/replay-client.md explains the rules.
 * @param options.opening adds the `initialize` handshake to a cassette without one.
 * @param options.order messages of the client that keep their order, beyond what the server's messages ask for.
 */
export function planClient(
  events: readonly CassetteEvent[],
  { opening = false, order }: { opening?: boolean; order?: SendOrder | undefined } = {},
): ReplayPlan {
  const recorded = addJsonRpcVersion(eventsToEntries(events), 'client');
  const entries = withClose(opening ? addMissingHandshake(recorded) : recorded);
  const links = correlateEntries(entries);
  const streams = new StreamOutcomes(entries, links);
  streams.linkFailedRequests();
  const context: Context = {
    entries,
    links,
    streams,
    framesOf: framesByRequest(causesOf(entries, links)),
  };
  const main: TriggeredSteps = { trigger: undefined, steps: [] };
  const sequences = new StepsByTrigger(entries.length);
  sequences.add(main);
  const reads = new Reads();
  const positions = new EventPositions();
  const idleRequests = new IdleRequests(links);
  const ordered = new OrderedSteps(order);
  let answers: number[] = [];
  const serverFrames: number[] = [];

  for (const entry of entries) {
    const { index, from, message, match } = entry;
    // An optional message of the server may never arrive, so no step waits for it.
    if (from === 'server' && match?.optional) {
      idleRequests.passOptional(entry);
      continue;
    }
    reads.pass(entry);
    positions.pass(entry);
    idleRequests.pass(entry);
    if (belongsToServerPing(entry, context) || streams.isReconnection(entry)) continue;
    if (from === 'server') {
      if (links.requestOf.has(index)) answers.push(...unlessCancelled(index, links));
      else if (isRequest(message) || isNotification(message)) serverFrames.push(index);
      continue;
    }
    const separateSequence = separateSequenceOf(entry, context);
    if (separateSequence) {
      const { trigger, steps } = separateSequence;
      sequences.add({ trigger, steps: steps.map((step) => ordered.next(step, entry)) });
      if (isResponse(message) && !entries[links.requestOf.get(index) ?? -1]?.match?.optional) serverFrames.push(index);
      if (idleRequests.asked(links.requestOf.get(index))) answers.push(links.requestOf.get(index)!, index);
      continue;
    }
    const change = reads.changeBefore(entry);
    const previous = main.steps.at(-1)?.entry;
    if (change !== undefined && previous !== undefined) {
      const why = 'reads again what the server said had changed';
      sequences.add({ trigger: previous, steps: [ordered.next(stepOf(entry, [...answers, change], why), entry)] });
      continue;
    }
    const closing = endsSession(entry);
    const needs = closing
      ? [...answers, ...serverFrames]
      : [
          ...answers,
          ...framesBeforeClose(entry, context),
          ...frameBeforeUnsubscribing(entry, context),
          ...positions.before(entry),
        ];
    const why = closing ? 'followed all of the session' : 'keeps the order of the cassette';
    main.steps.push(ordered.next(stepOf(entry, needs, why), entry));
    answers = [];
  }
  return { side: 'client', entries, links, sequences, ambientBefore: new Map(), rejections: new Map() };
}

interface Context {
  entries: readonly SessionEntry[];
  links: Links;
  streams: StreamOutcomes;
  /** Server frames caused by a client request. Ambient frames are left out. */
  framesOf: ReadonlyMap<number, readonly number[]>;
}

function framesByRequest(owners: readonly (Cause | undefined)[]): Map<number, number[]> {
  const frames = new ListMap<number, number>();
  owners.forEach((owner, frame) => {
    if (owner?.entry !== undefined && !owner.ambient) frames.add(owner.entry, frame);
  });
  return frames;
}

function stepOf({ index }: SessionEntry, needs: number[], why: string): PlanStep {
  return { entry: index, needs, ambient: false, guess: false, why };
}

/**
 * Returns the separate sequence of an entry triggered by the server: a response, its progress, a cancellation, or the
 * close of a request's stream. The end of a subscription is none. `undefined`: the entry belongs to the client's main sequence.
 */
function separateSequenceOf(entry: SessionEntry, context: Context): TriggeredSteps | undefined {
  const { entries, links, framesOf, streams } = context;
  const { index, message } = entry;
  const left = streams.requestLeftBy(entry);
  if (left !== undefined) {
    const heard = streams.framesBefore(entry);
    const why = `leaves its stream after ${heard.length} of its frames`;
    return { trigger: left.index, steps: [stepOf(entry, heard.slice(-1), why)] };
  }
  const asked = links.requestOf.get(index) ?? links.progressRequestOf.get(index);
  if (asked !== undefined) return { trigger: asked, steps: [stepOf(entry, [], 'answers it')] };
  const request = links.cancelledRequestOf.get(index);
  if (request === undefined || !isNotification(message) || isSubscription(entries[request]!)) return undefined;
  const frames = (framesOf.get(request) ?? []).filter((frame) => frame < index);
  const replies = frames.flatMap((frame) => links.answerOf.get(frame) ?? []).filter((reply) => reply < index);
  const why = `cancels it after ${frames.length} of its frames`;
  return { trigger: request, steps: [stepOf(entry, [...frames.slice(-1), ...replies], why)] };
}

/**
 * Reports whether a request is a subscription. Its client ends it when its other work is done, so the end keeps its
 * place in the session. A server that ends the subscription by itself is then found.
 */
function isSubscription({ message }: SessionEntry): boolean {
  return isRequest(message) && isStream(message.method);
}

/** Returns the last frame of a subscription before the client's cancel of it. */
function frameBeforeUnsubscribing({ index }: SessionEntry, { links, framesOf }: Context): number[] {
  const frames = framesOf.get(links.cancelledRequestOf.get(index) ?? -1) ?? [];
  return frames.filter((frame) => frame < index).slice(-1);
}

/** Reports whether the entry ends the session: the end of input, or DELETE over HTTP. */
function endsSession({ frame }: SessionEntry): boolean {
  return frame.kind === 'open' ? frame.method === 'DELETE' : frame.kind === 'close' && frame.stream === undefined;
}

/** Returns the server frames on the same stream that a close waits for. */
function framesBeforeClose(entry: SessionEntry, { streams }: Context): number[] {
  return entry.frame.kind === 'close' ? streams.framesBefore(entry) : [];
}

/**
 * Returns the response, unless its request was cancelled earlier. Such a response may never arrive, so no step waits
 * for it.
 */
function unlessCancelled(answer: number, { requestOf, cancelOf }: Links): number[] {
  const cancel = cancelOf.get(requestOf.get(answer)!);
  return cancel !== undefined && cancel < answer ? [] : [answer];
}

/** Reports whether the entry is a server ping or its response. The player answers live pings itself. */
function belongsToServerPing({ index, from, message }: SessionEntry, { links, entries }: Context): boolean {
  const request = from === 'server' ? message : entries[links.requestOf.get(index) ?? -1]?.message;
  return isRequest(request) && request.method === 'ping';
}

/** Returns the entries. Appends a final `close` of the client if the cassette lacks one. */
function withClose(entries: SessionEntry[]): SessionEntry[] {
  const isClose = ({ frame, from }: SessionEntry) => frame.kind === 'close' && from === 'client';
  if (entries.some((entry) => isClose(entry) && entry.frame.stream === undefined)) return entries;
  const last = entries.at(-1);
  const [at, line, event] = [last?.at ?? 0, last?.line ?? 1, last?.event ?? 0];
  const frame = { kind: 'close', at, from: 'client' } as const;
  return [...entries, { index: entries.length, event, line, at, from: 'client', frame }];
}

/**
 * Finds server requests sent while the client had no open request. The client's next entries then wait for the response
 * to such a request, see docs/decisions/0007-idle-server-requests.md.
 */
class IdleRequests {
  readonly #links: Links;
  readonly #open = new Set<number>();
  readonly #asked = new Set<number>();

  constructor(links: Links) {
    this.#links = links;
  }

  pass({ index, from, message }: SessionEntry): void {
    const { requestOf, answerOf, cancelOf } = this.#links;
    if (from === 'client') {
      // Clients never wait for cancelled or unanswered requests.
      if (isRequest(message) && answerOf.has(index) && !cancelOf.has(index)) this.#open.add(index);
      return;
    }
    this.#open.delete(requestOf.get(index) ?? -1);
    if (isRequest(message) && this.#open.size === 0) this.#asked.add(index);
  }

  /** Marks an optional entry of the server as passed. */
  passOptional({ index }: SessionEntry): void {
    this.#open.delete(this.#links.requestOf.get(index) ?? -1);
  }

  asked(request: number | undefined): boolean {
    return request !== undefined && this.#asked.has(request);
  }
}

/** Tracks lists and resources read by the client, and the server's change notifications for them. */
class Reads {
  /** Change notification since the last read, by list method or resource URI. */
  readonly #changes = new Map<string, number | undefined>();

  pass({ index, from, message }: SessionEntry): void {
    if (from === 'client' && isRequest(message)) return;
    if (from !== 'server' || !isNotification(message)) return;
    for (const subject of subjectsOf(message.method, paramsOf(message).uri)) {
      if (this.#changes.has(subject)) this.#changes.set(subject, index);
    }
  }

  /** Returns the change notification that made the client repeat a read, or `undefined` for other entries. */
  changeBefore({ from, message }: SessionEntry): number | undefined {
    if (from !== 'client' || !isRequest(message)) return undefined;
    const { method } = message;
    const { cursor, uri } = paramsOf(message);
    const isRead = method === 'resources/read' || (repeatOf(method) === 'last' && method.endsWith('/list'));
    if (!isRead || cursor !== undefined) return undefined;
    const subject = method === 'resources/read' ? String(uri) : method;
    const change = this.#changes.get(subject);
    this.#changes.set(subject, undefined);
    return change;
  }
}

/** Tracks the event notifications that announced stream positions. */
class EventPositions {
  /** The latest notification that named a position, by position. */
  readonly #named = new Map<unknown, number>();

  pass({ index, from, message }: SessionEntry): void {
    if (from !== 'server' || !isNotification(message) || !message.method.startsWith('notifications/events/')) return;
    const { cursor } = paramsOf(message);
    if (typeof cursor === 'string') this.#named.set(cursor, index);
  }

  /** Returns the notification that named the position in a client request. */
  before({ message }: SessionEntry): number[] {
    if (!isRequest(message) || !mintsCursor(message.method)) return [];
    const named = this.#named.get(paramsOf(message).cursor);
    return named === undefined ? [] : [named];
  }
}

function subjectsOf(method: string, uri: unknown): string[] {
  if (method === 'notifications/resources/updated') return [String(uri)];
  const kind = /^notifications\/(.+)\/list_changed$/.exec(method)?.[1];
  if (kind === undefined) return [];
  return kind === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${kind}/list`];
}
