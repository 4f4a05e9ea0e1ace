import type { Agent } from 'node:http';
import type { CloseFrame, Frame, Headers, LineFrame, MessageFrame, OpenFrame } from '../../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import { claimedRevision } from '../../../protocol/claimed-revision.ts';
import { elementsOf, type JsonText } from '../../../protocol/json-text.ts';
import { isObject, isRequest } from '../../../protocol/message.ts';
import { isStream } from '../../../protocol/method-table.ts';
import { type PostedMessage, requestHeaders, withRecorded } from '../mcp-headers/request-headers.ts';
import { badUpstream } from '../proxy/error-response.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import { agentFor } from '../upstream/upstream-agent.ts';
import { type ExchangeEnd, LOST } from './client-exchange.ts';
import { ClientSession } from './client-session-state.ts';
import { LegacySseClient } from './legacy-sse-client.ts';
import { hasEventIdBeforeAnswer } from './response-to-frame.ts';
import { ResumableExchange, type ResumableExchangeOptions } from './resumable-exchange.ts';
import { BEGUN_MAX, SendQueue } from './send-queue.ts';
import { refusedOpen, type ServerEvent } from './server-event.ts';
import type { StreamCounter } from './stream-counter.ts';

export interface McpHttpClientOptions {
  upstream: Upstream;
  clock: Clock;
  /** Headers of every request, in lower case. They replace this client's own. */
  headers?: Headers;
  ca?: readonly string[];
  /** Whether HTTP with SSE (2024-11-05) is tried first. Default: after a refused `initialize`. */
  legacyFirst?: boolean;
  /** Whether to open a listening stream after `initialized`, as SDK clients do. */
  opensStream?: boolean;
  /** Maximum wait for the endpoint event of HTTP with SSE. */
  patience: Milliseconds;
  /** Counts the streams that the server ends too early. */
  streams?: StreamCounter;
  /** Called with the ids, as JSON tokens, of open requests on whose stream an event with an id came before the answer. */
  resumable?(ids: readonly string[]): void;
  /** Called if the server is unreachable or does not speak HTTP. */
  failed(error: McpRecordError): void;
}

/** Client for servers of all revisions over HTTP. It connects on the first message. */
export class McpHttpClient {
  readonly #options: McpHttpClientOptions;
  readonly #agent: Agent;
  readonly #order: SendQueue;
  readonly #session = new ClientSession<ResumableExchange>();
  readonly #lines = new Set<ResumableExchange>();
  readonly #byStream = new Map<number, ResumableExchange>();
  #tell: (told: ServerEvent) => void = () => {};
  readonly #legacy: LegacySseClient;
  readonly #connectMax: Milliseconds;
  #isOver = false;

  constructor(options: McpHttpClientOptions) {
    const { upstream, ca, clock, legacyFirst = false, patience } = options;
    this.#options = options;
    this.#agent = agentFor(upstream, ca);
    this.#order = new SendQueue(clock);
    this.#legacy = new LegacySseClient({
      ...options,
      begin: (hooks) => this.#begin({}, { posted: { method: 'GET' }, ...hooks }),
      hear: (frame, line) => this.#hear(frame, line),
    });
    // The legacy client has its own time limit.
    this.#connectMax = 2 * patience;
    if (legacyFirst) this.#order.add((heard) => this.#connect(heard), this.#connectMax);
  }

  /** Starts the delivery of server events. Called once. */
  listen(receive: (told: ServerEvent) => void): void {
    this.#tell = receive;
  }

  /** Sends a message, opens a stream or closes one. A message on an open stream starts a new exchange. */
  send(frame: Frame): void {
    if (frame.kind === 'message' || frame.kind === 'line') {
      this.#order.add((heard) => this.#post(frame, heard));
    } else if (frame.kind === 'open') {
      if (frame.method === 'DELETE') this.#order.add((heard) => this.#whenAllBegun(heard), BEGUN_MAX);
      this.#order.add((heard) => this.#open(frame, heard));
    } else if (frame.kind === 'close' && frame.stream !== undefined) {
      const { stream, how } = frame;
      this.#order.add((heard) => {
        this.#leave(this.#byStream.get(stream), how);
        heard();
      });
    }
  }

  /** Closes a stream and resumes it after its last event (`Last-Event-ID`). */
  resumeStream(stream: number): void {
    this.#order.add((heard) => {
      const line = this.#byStream.get(stream);
      if (line !== undefined && this.#session.open(line).length > 0) line.comeBack();
      heard();
    });
  }

  /** Whether the server has issued a session id and the client has not ended that session. */
  get isInSession(): boolean {
    return this.#session.session !== undefined;
  }

  /** Posted notifications and responses without an HTTP response. `begun`: it began, or cannot come. */
  get unansweredPosts(): { posted: JsonText; begun: Promise<void> }[] {
    return [...this.#lines].flatMap((line) => {
      const { posted } = this.#session.posted(line);
      return posted === undefined || line.head !== undefined ? [] : [{ posted, begun: line.begun }];
    });
  }

  /** Calls back when the server has received everything sent, or after the waiting limit. */
  flush(task: () => void): void {
    this.#order.add((heard) => {
      task();
      heard();
    });
  }

  /** Closes every connection. No callback is called after that. */
  end(): void {
    this.#isOver = true;
    this.#order.end();
    this.#legacy.end();
    for (const line of this.#lines) line.close();
    this.#agent.destroy();
  }

  #post(frame: MessageFrame | LineFrame, heard: () => void): void {
    const json = frame.kind === 'message' ? frame.json : undefined;
    const message = json?.value;
    const cancelled = json && this.#session.cancelledBy(json);
    // From 2026-07-28 on, closing the stream of a request cancels it. Earlier revisions send a notification.
    if (cancelled?.isModern) {
      this.#leave(cancelled);
      return heard();
    }
    const method = isObject(message) ? message.method : undefined;
    const isInitialize = method === 'initialize';
    const asksForAnswer = json !== undefined && elementsOf(json).some(({ value }) => isRequest(value));
    const line = this.#begin(frame, {
      posted: { method: 'POST', message },
      path: this.#legacy.endpoint,
      content: json?.text ?? (frame as LineFrame).data,
      // A subscription has begun only when its response starts. The response to another request may take long.
      sent: asksForAnswer && !isStream(String(method)) ? heard : undefined,
      head: (head) => {
        if (isInitialize && head !== undefined) this.#session.issued(head);
        if (method === 'notifications/initialized') this.#listenBeside();
        heard();
      },
      frame: (said, from) => {
        if (isInitialize && this.#mayBeLegacy(said, from)) this.#fallBack(frame, said, from);
        else this.#hear(said, from);
      },
    });
    if (json) this.#session.ask(json, line);
  }

  #open(frame: Pick<OpenFrame, 'method' | 'path' | 'headers' | 'stream'>, heard: () => void): void {
    const { method, path } = frame;
    const { legacyFirst = false } = this.#options;
    // HTTP with SSE has a single stream. A recorded stream before any session is that stream.
    if (this.#session.isLegacySse || (legacyFirst && method === 'GET')) return heard();
    if (method === 'DELETE') for (const line of this.#lines) line.stopResuming();
    this.#begin(frame, {
      posted: { method },
      path,
      head: () => {
        if (method === 'DELETE') this.#session.session = undefined;
        heard();
      },
    });
  }

  /** Delays the end of the session until the server has received all earlier requests, which use other connections. */
  #whenAllBegun(task: () => void): void {
    const waiting = [...this.#lines].filter((line) => this.#session.open(line).length > 0);
    void Promise.all(waiting.map(({ begun }) => begun)).then(task);
  }

  #listenBeside(): void {
    const { opensStream = false } = this.#options;
    if (!opensStream || this.#session.isLegacySse) return;
    this.#order.addFirst((heard) => void this.#begin({}, { posted: { method: 'GET' }, head: heard }));
  }

  #leave(line: ResumableExchange | undefined, how?: CloseFrame['how']): void {
    if (line === undefined) return;
    line.close(how);
    this.#lines.delete(line);
    if (line.isModern) this.#session.giveUp(this.#session.open(line));
  }

  /** Reports whether a refusal of `initialize` suggests HTTP with SSE (2025-03-26, "Backwards Compatibility"). */
  #mayBeLegacy(said: Frame, { head }: ResumableExchange): boolean {
    if (this.#legacy.hasTried || head === undefined || ![400, 404, 405].includes(head.status)) return false;
    return said.kind !== 'message' || !this.#session.isAnswer(said.json);
  }

  #fallBack(frame: MessageFrame | LineFrame, refusal: Frame, line: ResumableExchange): void {
    const unanswered = this.#session.open(line);
    this.#session.giveUp(unanswered);
    const decided = (isLegacy: boolean) => {
      if (isLegacy) this.#order.addFirst((heard) => this.#post(frame, heard));
      else this.#tell({ frame: line.named(refusal), unanswered });
    };
    this.#order.addFirst((heard) => this.#connect(heard, decided), this.#connectMax);
  }

  #connect(heard: () => void, decided: (isLegacy: boolean) => void = () => {}): void {
    this.#session.isLegacySse = true;
    this.#legacy.connect((isLegacy) => {
      this.#session.isLegacySse = isLegacy;
      decided(isLegacy);
      heard();
    });
  }

  #begin({ stream, headers: recorded = {} }: Pick<OpenFrame, 'stream' | 'headers'>, course: Course): ResumableExchange {
    const { upstream, clock } = this.#options;
    const { posted, path = upstream.path + upstream.search, content, sent, head } = course;
    const isModern = claimedRevision(posted.message) !== undefined;
    const canResume = !isModern && !this.#session.isLegacySse;
    const isFree = stream !== undefined && !this.#byStream.has(stream);
    const line = new ResumableExchange({
      upstream,
      agent: this.#agent,
      clock,
      stream: isFree ? stream : undefined,
      isModern,
      request: { method: posted.method, path, headers: this.#headers(posted, recorded), content },
      resumes: canResume ? (resumes) => this.#headers({ method: 'GET', resumes }) : undefined,
      isWaiting: (one) => (posted.method === 'GET' && this.isInSession) || this.#session.open(one).length > 0,
      sent,
      ...this.#options.streams?.hooks((one) => posted.method === 'GET' || this.#session.open(one).length > 0),
      head: (answer) => {
        if (this.#isOver) return;
        const refused = this.#session.isLegacySse ? undefined : refusedOpen(posted.method, answer, clock.now());
        if (refused) this.#tell({ ...refused, frame: line.named(refused.frame) });
        head?.(answer);
      },
      frame: (frame, from) => {
        if (!this.#isOver) (course.frame ?? this.#hear.bind(this))(frame, from);
      },
      over: (ending, from) => {
        if (this.#isOver) return;
        course.over?.(ending, from);
        this.#over(ending, from);
      },
    });
    this.#lines.add(line);
    if (isFree) this.#byStream.set(stream, line);
    return line;
  }

  #headers(posted: PostedMessage, recorded: Headers = {}): Headers {
    return { ...withRecorded(requestHeaders(posted, this.#session), recorded), ...this.#options.headers };
  }

  #hear(frame: Frame, line: ResumableExchange): void {
    if (hasEventIdBeforeAnswer(frame)) this.#options.resumable?.(this.#session.open(line));
    if (frame.kind === 'message') this.#session.hear(frame.json);
    const isResponse = frame.kind === 'http-response';
    if (isResponse && this.#session.isAccepted(frame, line)) return;
    const isRefusal = isResponse || (frame.kind === 'message' && (frame.status ?? 200) >= 400);
    const unanswered = isRefusal ? this.#session.open(line) : [];
    this.#session.giveUp(unanswered);
    this.#tell({ frame: line.named(frame), unanswered, ...this.#session.posted(line) });
  }

  #over({ how, error }: ExchangeEnd, line: ResumableExchange): void {
    const { clock, upstream, failed } = this.#options;
    this.#lines.delete(line);
    if (error !== undefined && line.head === undefined && !LOST.has(error.code ?? ''))
      return failed(badUpstream(upstream, error, error.code?.startsWith('HPE_') === true));
    const isPost = this.#session.isLegacySse && !this.#legacy.is(line) && how === 'end';
    const unanswered = isPost ? [] : this.#session.open(this.#legacy.is(line) ? undefined : line);
    this.#session.giveUp(unanswered);
    if (how === 'end' && unanswered.length === 0) return;
    const frame = line.named({ kind: 'close', at: clock.now(), from: 'server', ...(how !== 'end' && { how }) });
    this.#tell({ frame, unanswered, ...(line.head === undefined && this.#session.posted(line)) });
  }
}

/** Parameters and handlers of an exchange. */
interface Course extends Pick<ResumableExchangeOptions, 'sent' | 'head'> {
  posted: PostedMessage;
  /** Absent: the server's endpoint. */
  path?: string | undefined;
  content?: ResumableExchangeOptions['request']['content'];
  /** Absent: received frames are delivered. */
  frame?: ResumableExchangeOptions['frame'];
  over?: ResumableExchangeOptions['over'];
}
