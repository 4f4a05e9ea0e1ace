import type { CassetteEvent, Header } from '../../cassette/cassette.ts';
import { EntryCorrelator } from '../../cassette/correlate/correlate-entries.ts';
import { isRefusal, RefusalFinder, statusOf } from '../../cassette/correlate/refused-requests.ts';
import {
  eventsToEntries,
  isMessageEntry,
  type MessageEntry,
  type SessionEntry,
} from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import {
  isNotification,
  isRequest,
  isResponse,
  type Notification,
  type Request,
  resultOf,
} from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import { isModern } from '../../protocol/revisions.ts';
import { attributes, KIND, otlpText, type Span } from './otlp-types.ts';
import {
  notificationAttributes,
  peersIn,
  requestAttributes,
  revisionIn,
  serverAttributes,
  targetOf,
  transportAttributes,
} from './span-attributes.ts';
import { FLAGS, SpanIdsAndTimes } from './span-ids-and-times.ts';
import { addAnswer, addCancellation, addNoResponse, addRefusal } from './span-outcomes.ts';
import { type TraceParent, traceParentOf } from './trace-parent.ts';
import { type OpenRequest, UnfinishedRequests } from './unfinished-requests.ts';

export interface SessionSpansOptions {
  header: Header;
  /** Start of the session, in milliseconds since 1970. */
  startedAt: number;
  /** Text from which the ids are derived. Two sessions must not share it. */
  seed: string;
}

/** Maximum number of events of a span: the default of OpenTelemetry's SDKs. */
const EVENTS_MAX = 128;
/** Entry in place of those that no later entry refers to, so that a long session takes little memory. */
const PASSED: Readonly<Record<Side, SessionEntry>> = { client: passedFrom('client'), server: passedFrom('server') };

/** Name of a request whose method is empty. Collectors refuse empty names. */
const UNNAMED = 'request';

/**
 * Creates the spans of a session: a root span, and one span for each request of either side. Accepts events one by one
 * and returns each span when it ends, so that a running recording can be traced. Spans contain no payloads.
 */
export class SessionSpans {
  readonly #header: Header;
  readonly #made: SpanIdsAndTimes;
  readonly #entries: SessionEntry[] = [];
  readonly #correlator: EntryCorrelator;
  readonly #refusals: RefusalFinder;
  readonly #open = new UnfinishedRequests();
  readonly #root: Span;
  #events = 0;
  #last: Milliseconds = 0;
  /** Negotiated revision of MCP. */
  #revision: string | undefined;
  #client: string | undefined;
  #server: string | undefined;

  constructor({ header, startedAt, seed }: SessionSpansOptions) {
    this.#header = header;
    this.#made = new SpanIdsAndTimes(seed, startedAt);
    this.#correlator = new EntryCorrelator(this.#entries);
    this.#refusals = new RefusalFinder(this.#correlator.links);
    const { traceId, rootId } = this.#made;
    const place = { traceId, spanId: rootId, flags: FLAGS.localParent | FLAGS.sampled, links: [] };
    this.#root = this.#span(place, 'MCP session', KIND.internal, 0);
  }

  /** Takes the next events. Returns the spans that they end. */
  add(events: readonly CassetteEvent[]): Span[] {
    const ended: Span[] = [];
    for (const entry of eventsToEntries(events, { entry: this.#entries.length, event: this.#events })) {
      this.#entries.push(entry);
      this.#correlator.pass(entry);
      this.#last = entry.at;
      this.#pass(entry, ended);
      if (!isRequest(entry.message)) this.#entries[entry.index] = PASSED[entry.from];
    }
    this.#events += events.length;
    return ended;
  }

  /** Ends the session. Returns the spans of requests without a response, and the root span. */
  end(): Span[] {
    const unanswered = this.#open.takeAll().map((open) => this.#endUnanswered(open));
    this.#root.endTimeUnixNano = this.#made.nanoseconds(this.#last);
    this.#root.attributes = attributes([
      ['mcp.protocol.version', this.#revision],
      ...transportAttributes(this.#header.transport),
      ...serverAttributes(this.#header),
      ['mcp_record.client.name', this.#client],
      ['mcp_record.server.name', this.#server],
    ]);
    return [...unanswered, this.#root];
  }

  #pass(entry: SessionEntry, ended: Span[]): void {
    const { message, frame, from, at } = entry;
    if (isMessageEntry(entry)) {
      if (isRequest(message)) this.#begin(entry, message);
      else if (isResponse(message)) ended.push(...this.#answer(entry));
      else if (isNotification(message)) this.#note(entry, message);
    }
    for (const index of this.#refusals.pass(entry)) {
      this.#refusals.refusals.delete(index);
      const open = this.#open.take(index);
      if (open === undefined) continue;
      addRefusal(open.span, statusOf(entry));
      ended.push(this.#ended(open.span, at));
    }
    // From 2026-07-28 on, a client cancels by closing the stream of the response.
    const isLeft = frame.kind === 'close' && from === 'client' && frame.stream !== undefined;
    if (isLeft && isModern(this.#revision ?? '')) cancel(this.#open.onStream(frame.stream!), entry);
  }

  #begin(entry: MessageEntry, request: Request): void {
    const parent = traceParentOf(request.params);
    this.#revision = revisionIn(request.params) ?? this.#revision;
    this.#client ??= peersIn(request, undefined).client;
    const target = targetOf(request);
    const name = target === undefined ? request.method : `${request.method} ${target}`;
    // If the sender names its own span, that span has the kind CLIENT, and this span is the server end of the same
    // call.
    const span = this.#span(this.#placeOf(entry, parent), name, parent ? KIND.server : KIND.client, entry.at);
    span.attributes = attributes([
      ...requestAttributes(entry, request),
      ['mcp.protocol.version', request.method === 'initialize' ? undefined : this.#revision],
      ...(entry.from === 'client' && parent === undefined ? serverAttributes(this.#header) : []),
    ]);
    this.#open.add({ entry, request, span });
  }

  /** Returns the position of a request's span: below the span that the request names, or in the trace of the session. */
  #placeOf(entry: MessageEntry, parent: TraceParent | undefined): Place {
    const spanId = this.#made.spanId(entry.index);
    if (parent === undefined) {
      const { traceId, spanId: parentSpanId, flags } = this.#around(entry);
      return { traceId, spanId, parentSpanId, flags: FLAGS.localParent | (flags & FLAGS.trace), links: [] };
    }
    const { traceId, rootId } = this.#made;
    return {
      traceId: parent.traceId,
      spanId,
      parentSpanId: parent.spanId,
      ...(parent.state !== undefined && { traceState: parent.state }),
      flags: FLAGS.remoteParent | parent.flags,
      links: [{ traceId, spanId: rootId, flags: FLAGS.localParent | FLAGS.sampled }],
    };
  }

  /**
   * Returns the span in which the server sends a request or notification: that of the client's request on the same HTTP
   * stream, or of the only open one over stdio. Otherwise the root span.
   */
  #around({ from, frame }: SessionEntry): Span {
    if (from === 'client') return this.#root;
    const open = frame.stream === undefined ? this.#open.only : this.#open.onStream(frame.stream);
    return open?.span ?? this.#root;
  }

  #answer(entry: MessageEntry): Span[] {
    const index = this.#correlator.links.requestOf.get(entry.index);
    const open = this.#open.take(index);
    if (index === undefined || open === undefined) return [];
    this.#entries[index] = PASSED[open.entry.from];
    const { span, request } = open;
    const result = resultOf(entry.message);
    const { client, server } = peersIn(request, result);
    this.#client ??= client;
    this.#server ??= server;
    if (request.method === 'initialize' && typeof result.protocolVersion === 'string') {
      this.#revision = result.protocolVersion;
      span.attributes.push(...attributes([['mcp.protocol.version', this.#revision]]));
    }
    addAnswer(span, entry.message, isRefusal(entry) ? statusOf(entry) : undefined);
    return [this.#ended(span, entry.at)];
  }

  /** Adds a notification to the span of its request. */
  #note(entry: SessionEntry, message: Notification): void {
    const { cancelledRequestOf, progressRequestOf } = this.#correlator.links;
    const named = cancelledRequestOf.get(entry.index) ?? progressRequestOf.get(entry.index);
    const open = this.#open.get(named);
    const isCancel = message.method === 'notifications/cancelled';
    if (isCancel) cancel(open, entry);
    const span = open?.span ?? (named === undefined && !isCancel ? this.#around(entry) : this.#root);
    if (span.events.length >= EVENTS_MAX) {
      span.droppedEventsCount = (span.droppedEventsCount ?? 0) + 1;
      return;
    }
    span.events.push({
      timeUnixNano: this.#made.nanoseconds(entry.at),
      name: otlpText(message.method) || UNNAMED,
      attributes: attributes(notificationAttributes(message)),
    });
  }

  #endUnanswered({ span, request, cancelled }: OpenRequest): Span {
    // A stream without a response is normal until the server ends the stream.
    if (!isStream(request.method)) {
      if (cancelled) addCancellation(span, cancelled.by);
      else addNoResponse(span);
    }
    return this.#ended(span, cancelled?.at ?? this.#last);
  }

  #ended(span: Span, at: Milliseconds): Span {
    span.endTimeUnixNano = this.#made.nanoseconds(at);
    return span;
  }

  #span(place: Place, name: string, kind: Span['kind'], at: Milliseconds): Span {
    const time = this.#made.nanoseconds(at);
    return {
      ...place,
      name: otlpText(name) || UNNAMED,
      kind,
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      attributes: [],
      events: [],
      status: {},
    };
  }
}

/** Position of a span among traces. */
type Place = Pick<Span, 'traceId' | 'spanId' | 'traceState' | 'parentSpanId' | 'flags' | 'links'>;

function cancel(open: OpenRequest | undefined, { at, from }: SessionEntry): void {
  if (open) open.cancelled ??= { at, by: from };
}

function passedFrom(from: Side): SessionEntry {
  return { index: -1, event: -1, line: 0, at: 0, from, frame: { kind: 'close', at: 0, from } };
}
