import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Frame, Headers, OpenFrame, ResponseFrame, WireFrame } from '../../channel/frame.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import { oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { isModern } from '../../protocol/revisions.ts';
import type { Route } from '../../transports/http/authorization/authorization-proxy.ts';
import { pageAddress } from '../../transports/http/authorization/redirect-to-login-page.ts';
import type { BodyMemory, CutReason } from '../../transports/http/http1/body-memory.ts';
import { closeKindOf } from '../../transports/http/http1/mirror-close.ts';
import { endToEnd, headerOf } from '../../transports/http/http1/raw-headers.ts';
import type { ResponseHead } from '../../transports/http/http1/response-head.ts';
import { badUpstream } from '../../transports/http/proxy/error-response.ts';
import type { CloseKind, RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import {
  allowedOrigin,
  type HostNames,
  toUpstreamHeaders,
  towardsClient,
} from '../../transports/http/proxy/rewrite-host-and-origin.ts';
import { BROWSER_ONLY } from '../../transports/http/proxy/upstream-request-head.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { type HeldResponse, holdAuthorizationResponse } from './authorization-response.ts';
import { ClientResponse, type Head } from './client-response.ts';
import { bodyFrame, type FrameBase } from './frame-codec.ts';
import { isEventStream, ResponseToFrames } from './response-to-frames.ts';
import { ServerRequest, type ServerRequestOptions } from './server-request.ts';
import { answerTooLong, badGateway } from './too-long.ts';

export interface ExchangeOptions extends Pick<ServerRequestOptions, 'copyAnswered'> {
  request: IncomingMessage;
  response: ServerResponse;
  /** Complete body of the request. */
  body: Uint8Array;
  /** Number of the exchange, from 1. */
  stream: number;
  /** Path of the request to the server. */
  path: string;
  upstream: Upstream;
  names: HostNames;
  /** Rewriting of responses, unless the server states the client's own addresses. */
  route?: Pick<Route, 'page' | 'rewriting'>;
  ca?: readonly string[];
  /** Whether this proxy answers CORS requests, so that the server does not need their header fields. */
  servesPages?: boolean;
  clock: Clock;
  /** Maximum length of a body of an answer. Default: 64 MiB. */
  bodyMax?: number;
  /** Memory of everything that the proxy holds of bodies. */
  memory: BodyMemory;
  /** Takes the frames of both sides, before faults. */
  push(frame: WireFrame): void;
  /** Counts a message that needs no fault. True: forward it unchanged, without pushing it. */
  passesOver(message: unknown): boolean;
  /** Called with the header fields of the response, before its first frame. */
  answered(headers: RawHeaders): void;
  /** Called once, when the exchange is over. */
  done(): void;
  /** Called with each error that prevents forwarding. */
  trouble(error: McpRecordError): void;
}

/**
 * HTTP request and its response, as frames of one stream. The exchange pushes the received frames and takes the frames
 * to deliver.
 */
export class FaultyExchange {
  readonly #options: ExchangeOptions;
  readonly #near: ClientResponse;
  readonly #far: ServerRequest;
  readonly #heads = new WeakMap<Frame, Head>();
  readonly #asked: Frame;
  #answer: ResponseToFrames | undefined;
  #held: HeldResponse | undefined;
  /** Number of callers that have paused the response. */
  #pauses = 0;
  #isNearClosed = false;

  constructor(options: ExchangeOptions) {
    const { request, response, path, upstream, names, route, ca, servesPages } = options;
    this.#options = options;
    this.#asked = askedBy(options);
    this.#near = new ClientResponse({
      response,
      isModern: isSelfDescribing(this.#asked),
      headOf: (frame) => this.#heads.get(frame),
      full: (is) => this.pause(is),
    });
    this.#far = new ServerRequest({
      upstream,
      ...(ca && { ca }),
      method: request.method ?? '',
      path,
      headers: servesPages
        ? // The server sees the client's own Host, because a mock server may need to state its address.
          endToEnd(request.rawHeaders, (name, value) => (isOfPage(name) ? undefined : value))
        : toUpstreamHeaders(
            endToEnd(request.rawHeaders, (name, value) => (route?.page && BROWSER_ONLY.has(name) ? undefined : value)),
            names,
          ),
      changed: ({ headers }) => difference('headers' in this.#asked ? this.#asked.headers : undefined, headers),
      head: (head) => {
        this.#held = route && holdAuthorizationResponse(route, head, options.trouble);
        if (this.#held === undefined) this.#answered(head);
      },
      data: (data) => (this.#held ?? this.#answer)?.data(data),
      end: () => this.#ended(),
      lost: (how) => this.#lost(how),
      failed: (error, isGarbage) => this.#failed(error, isGarbage),
      copyAnswered: options.copyAnswered,
      memory: options.memory,
    });
    response.once('close', () => {
      if (!response.writableFinished && !this.#near.isOver)
        this.#push({ kind: 'close', how: closeKindOf(request.socket) }, 'client');
      this.#isNearClosed = true;
      this.#settle();
    });
  }

  /** Pushes the request of the client. */
  begin(): void {
    this.#options.push(this.#asked);
    this.#push({ kind: 'close' }, 'client');
  }

  /** Takes a frame to deliver. */
  take(frame: WireFrame): void {
    if (frame.from === 'server') {
      this.#near.take(frame);
      // A lost connection ends the server's side, too. A closed stream may be resumed.
      if (frame.kind === 'close' && frame.how !== undefined) this.#far.drop();
    } else {
      this.#far.take(frame);
      // A fault that disconnects the client ends its response.
      if (frame.kind === 'close' && frame.how !== undefined && !this.#near.isOver) this.#near.take(frame);
    }
    if (frame.kind === 'close') this.#settle();
  }

  /** Announces the number of bytes that a fault will send for a frame. */
  takenApart(frame: Frame, bytes: number): void {
    if (frame.from === 'server') this.#near.takenApart(bytes);
    else this.#far.takenApart(bytes);
  }

  /** Pauses reading the response. It resumes after as many calls with false. */
  pause(paused: boolean): void {
    this.#pauses = Math.max(0, this.#pauses + (paused ? 1 : -1));
    this.#pause();
  }

  /** Ends the exchange on both sides. */
  drop(): void {
    this.#far.drop();
    if (!this.#near.isOver) this.#near.take({ ...this.#said('server'), kind: 'close', how: 'fin' });
  }

  #pause(): void {
    this.#answer?.pause(this.#pauses > 0);
    // A paused client pauses the server as well.
    this.#far.pause(this.#pauses > 0);
  }

  #said<Side extends 'client' | 'server'>(from: Side): FrameBase & { from: Side } {
    return { at: this.#options.clock.now(), from, stream: this.#options.stream };
  }

  #push(frame: { kind: 'close'; how?: CloseKind }, from: 'client' | 'server'): void {
    this.#options.push({ ...this.#said(from), ...frame });
  }

  #answered({ status, statusMessage: reason, headers: rawHeaders }: ResponseHead): void {
    const { upstream, request, push, names, answered, route } = this.#options;
    answered(rawHeaders);
    const isStream = isEventStream(rawHeaders);
    const { host = '' } = request.headers;
    const rewrite = (uri: string) => towardsClient(uri, upstream, host);
    const headers = endToEnd(rawHeaders, (name, value) => {
      if (name === 'access-control-allow-origin') return allowedOrigin(value, request.rawHeaders, names);
      if (name === 'www-authenticate' && route) return route.rewriting.challenge(value);
      // The browser's redirect is rewritten already.
      if (name !== 'location' || route?.page) return value;
      return route ? route.rewriting.location(value) : rewrite(value);
    });
    const reply: ResponseFrame = {
      ...this.#said('server'),
      kind: 'http-response',
      from: 'server',
      status: isStream ? 'sse' : status,
    };
    // A browser needs only the location of a redirect.
    const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
    if (location !== undefined) reply.headers = { location };
    this.#heads.set(reply, { status, reason, headers });
    this.#answer = new ResponseToFrames({
      isStream,
      said: () => this.#said('server'),
      push,
      rewrite,
      passesOver: (message, event) => this.#passesOver(message, event),
      bodyMax: this.#options.bodyMax,
      memory: this.#options.memory,
      tooLong: (reason) => this.#tooLong(reason),
    });
    push(reply);
    if (this.#pauses > 0) this.#pause();
  }

  #passesOver(message: unknown, event: Uint8Array): boolean {
    if (!this.#near.isStreaming || !this.#options.passesOver(message)) return false;
    this.#near.pass(event);
    return true;
  }

  #ended(how?: CloseKind): void {
    const whole = how === undefined ? this.#held?.end() : undefined;
    if (whole) {
      this.#answered(whole.head);
      this.#answer?.data(whole.body);
    }
    this.#answer?.end(how);
    this.#settle();
  }

  #tooLong(reason: CutReason): void {
    const error = answerTooLong(reason, this.#options);
    this.#options.trouble(error);
    this.#far.drop();
    if (this.#near.isStreaming) this.#ended('fin');
    else this.#answerInPlace(badGateway(error));
  }

  #answerInPlace(answer: Pick<ResponseFrame, 'status' | 'headers' | 'body'>): void {
    this.#near.take({ ...this.#said('server'), kind: 'http-response', from: 'server', ...answer });
    this.#near.take({ ...this.#said('server'), kind: 'close' });
  }

  #lost(how: CloseKind): void {
    if (this.#answer) {
      this.#near.lost();
      this.#ended(how);
    } else if (this.#near.isOver) this.#settle();
    else this.#push({ kind: 'close', how }, 'server');
  }

  #failed(cause: Error, isGarbage: boolean): void {
    if (this.#answer || this.#near.isOver) return this.#lost('fin');
    const { upstream, trouble, route } = this.#options;
    const error = badUpstream(upstream, cause, isGarbage);
    trouble(error);
    // The browser may reach the page without the proxy.
    const page = route?.page && { status: 302, headers: { location: pageAddress(route.page, trouble) } };
    this.#answerInPlace(page ?? badGateway(error));
  }

  #settle(): void {
    if (!this.#isNearClosed || !this.#far.isOver) return;
    this.#answer?.release();
    this.#options.done();
  }
}

function askedBy({ request, body, stream, clock, path, upstream }: ExchangeOptions): Frame {
  const said = { at: clock.now(), from: 'client', stream } as const;
  const headers: Headers = Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  const resumes = headers['last-event-id'];
  const { method = '' } = request;
  const isEndpoint = path.split('?', 1)[0] === upstream.path;
  // A client registration posts JSON, but not a JSON-RPC message.
  const isOfOAuth = !isEndpoint && oauthRequestOf({ method, path, body }) !== undefined;
  const frame = method === 'POST' && !isOfOAuth ? bodyFrame(body, said) : undefined;
  if (frame?.kind === 'message') return { ...frame, headers };
  const open: OpenFrame = { ...said, kind: 'open', method, headers };
  return {
    ...open,
    ...(!isEndpoint && { path }),
    ...(resumes !== undefined && { resumes }),
    ...(body.length > 0 && { body }),
  };
}

/** Returns the changed header fields. Removed fields keep their value. */
function difference(before: Headers = {}, after: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

/** Reports whether a request states its revision (from 2026-07-28 on). */
function isSelfDescribing(frame: Frame): boolean {
  return frame.kind === 'message' && isModern(claimedRevision(frame.json.value) ?? '');
}

/** Reports whether a header field identifies the requesting page. This proxy has already answered the CORS check. */
function isOfPage(name: string): boolean {
  return name === 'origin' || name.startsWith('sec-fetch-');
}
