import type { Agent } from 'node:http';
import type { Frame, Headers } from '../../../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { CloseKind } from '../proxy/http-traffic.ts';
import type { SseEvent } from '../sse/sse-decoder.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import {
  ask,
  type ClientExchange,
  type ClientExchangeOptions,
  type ExchangeEnd,
  type Head,
} from './client-exchange.ts';
import { frameOfBody, frameOfEvent } from './response-to-frame.ts';

/**
 * Number and delay of the attempts to resume a broken stream, as in SDK clients. The server's `retry` replaces the
 * delay.
 */
const RESUMES_MAX = 2;
const RESUME_AFTER: Milliseconds = 1_000;
const RESUME_GROWTH = 1.5;
/** Minimum delay, for servers that send a `retry` of 0. */
const RESUME_MIN: Milliseconds = 10;

export interface ResumableExchangeOptions {
  upstream: Upstream;
  agent: Agent;
  clock: Clock;
  /** Stream number of the client's frame. Absent: the client's frames do not name this exchange. */
  stream?: number | undefined;
  request: Pick<ClientExchangeOptions, 'method' | 'path' | 'headers' | 'content'>;
  /** Whether closing the stream cancels the request (from 2026-07-28 on). */
  isModern: boolean;
  /** Returns the headers that resume after an event. Absent: the stream is not resumed (2024-11-05, 2026-07-28). */
  resumes?: ((lastEventId: string | undefined) => Headers) | undefined;
  /** Reports whether more frames are expected. */
  isWaiting(line: ResumableExchange): boolean;
  /** Called when the whole request has been sent. */
  sent?: (() => void) | undefined;
  /** Called when the response starts. Undefined: no response will start. */
  head?(head: Head | undefined): void;
  frame(frame: Frame, line: ResumableExchange): void;
  /** Called when the server has ended an event stream, before it is resumed. */
  streamEnded?: ((line: ResumableExchange) => void) | undefined;
  /** Called when an event stream that the server had ended goes on. */
  streamResumed?: (() => void) | undefined;
  /** Called when an exchange ends without being resumed. */
  over(ending: ExchangeEnd, line: ResumableExchange): void;
}

/** Exchange of a client, including the requests that resume it. */
export class ResumableExchange {
  readonly stream: number | undefined;
  readonly isModern: boolean;
  readonly #options: ResumableExchangeOptions;
  #asked: ClientExchange;
  /** Head of the latest response. */
  head: Head | undefined;
  #lastEventId: string | undefined;
  #retry: Milliseconds | undefined;
  #attempts = 0;
  #comesBack = false;
  /** Whether the server has ended the stream that is being resumed. */
  #wasEnded = false;
  #hasHead = false;
  #isLeft = false;
  #stopWaiting: Cancel = () => {};
  /** Resolves when the response starts, or when its start has become impossible. */
  readonly begun: Promise<void>;
  #tellBegun: () => void = () => {};

  constructor(options: ResumableExchangeOptions) {
    this.#options = options;
    this.stream = options.stream;
    this.isModern = options.isModern;
    this.begun = new Promise((resolve) => {
      this.#tellBegun = resolve;
    });
    this.#asked = this.#ask(options.request, options.sent);
  }

  /** Adds the stream number of this exchange, if known, to a frame. */
  named(frame: Frame): Frame {
    return this.stream === undefined ? frame : { ...frame, stream: this.stream };
  }

  /** Ends the exchange from the client's side. */
  close(how: 'end' | CloseKind = 'end'): void {
    this.#stopWaiting();
    this.#asked.close(how);
  }

  /**
   * Closes the stream and resumes it after its last event id. Without an event id, the close is postponed to the next
   * event.
   */
  comeBack(): void {
    this.#comesBack = this.#lastEventId === undefined;
    if (this.#comesBack) return;
    this.close('rst');
    this.#resume();
  }

  /** Keeps the stream from being resumed, because the client ends the session. */
  stopResuming(): void {
    this.#isLeft = true;
  }

  #resume(): void {
    const { resumes, request } = this.#options;
    if (resumes === undefined || this.#isLeft) return;
    this.head = undefined;
    this.#asked = this.#ask({ method: 'GET', path: request.path, headers: resumes(this.#lastEventId) });
  }

  #ask(request: ResumableExchangeOptions['request'], sent?: () => void): ClientExchange {
    const { upstream, agent, clock, frame } = this.#options;
    let head: Head | undefined;
    return ask({
      upstream,
      agent,
      clock,
      ...request,
      ...(sent && { sent }),
      head: (answer) => {
        head = answer;
        this.head = answer;
        if (this.#wasEnded && answer.isStream) this.#options.streamResumed?.();
        this.#wasEnded = false;
        this.#begun();
      },
      event: (event) => this.#hear(event),
      comment: (text) => frame({ kind: 'comment', at: clock.now(), from: 'server', text }, this),
      body: (data, isCut) => {
        if (!isCut && head !== undefined) frame(frameOfBody(head, data, clock.now()), this);
      },
      over: (ending) => this.#over(ending),
    });
  }

  #hear(event: SseEvent): void {
    const { clock, frame, isWaiting } = this.#options;
    const said = frameOfEvent(event, clock.now());
    if (said === undefined) return;
    this.#attempts = 0;
    this.#lastEventId = event.id ?? this.#lastEventId;
    this.#retry = event.retry === undefined ? this.#retry : Number(event.retry);
    frame(said, this);
    if (this.#comesBack && isWaiting(this)) this.comeBack();
  }

  /** Reports the first response head. Heads of resumed streams are ignored. */
  #begun(): void {
    if (this.#hasHead) return;
    this.#hasHead = true;
    this.#tellBegun();
    this.#options.head?.(this.head);
  }

  #over(ending: ExchangeEnd): void {
    const { clock, resumes, request, isWaiting, over, streamEnded } = this.#options;
    this.#begun();
    if (this.head?.isStream === true) streamEnded?.(this);
    const canFollow = this.#lastEventId !== undefined || request.method === 'GET';
    const wasStream = this.head?.isStream === true && canFollow;
    if (resumes === undefined || !wasStream || !isWaiting(this) || this.#attempts >= RESUMES_MAX)
      return over(ending, this);
    const delay = Math.max(RESUME_MIN, this.#retry ?? RESUME_AFTER * RESUME_GROWTH ** this.#attempts);
    this.#attempts++;
    this.#wasEnded = true;
    this.#stopWaiting = clock.after(delay, () => this.#resume());
  }
}
