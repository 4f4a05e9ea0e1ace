import type { Side } from '../../channel/frame.ts';
import { BodyMemory, type CutReason } from '../../transports/http/http1/body-memory.ts';
import type { HttpTrafficEvent, RawHeaders, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { decodeBody } from '../http/decode-body.ts';
import { RecordedBody } from '../http/recorded-body.ts';
import {
  AuthorizationRequests,
  type CompleteExchange,
  type ObservedAuthorization,
  observedAuthorization,
} from './observed-authorization.ts';

export interface AuthorizationRecorderOptions {
  /** Bodies beyond this many bytes are left out. */
  holdBytesMax: number;
  /** Memory of bodies, shared with other recorders. Absent: this one has its own. */
  memory?: BodyMemory;
  /** Called with the side whose body was left out. */
  cut(from: Side, reason: CutReason): void;
  /** Called with an error of the recorder. The traffic goes on. */
  failed(error: unknown): void;
}

/**
 * Recorder of authorization flows. Their exchanges belong to no session: they wait for the next one, whose client uses
 * the token.
 */
export class AuthorizationRecorder {
  readonly #options: HeldExchangeOptions;
  readonly #requests = new AuthorizationRequests();
  #waiting: ObservedAuthorization[] = [];
  /** Those that a recording has which may not become a session. The next session gets them, too. */
  #tentative: ObservedAuthorization[] = [];

  constructor(options: AuthorizationRecorderOptions) {
    this.#options = { ...options, memory: options.memory ?? new BodyMemory(options.holdBytesMax) };
  }

  /** Starts an exchange with the server at `origin`. Returns a listener for its traffic, in order. It never throws. */
  exchange(origin: string): (piece: HttpTrafficEvent) => void {
    const held = new HeldExchange(origin, this.#requests, this.#options);
    return (piece) => {
      try {
        const complete = held.take(piece);
        if (complete !== undefined) this.#add(complete);
      } catch (error) {
        this.#options.failed(error);
      }
    };
  }

  /** Whether exchanges wait for a session. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Returns the exchanges before those of a session, for its cassette. `isTentative`: they may have to be repeated in
   * the cassette of the next session.
   */
  take(isTentative: boolean): readonly ObservedAuthorization[] {
    const fresh = this.#waiting;
    this.#waiting = [];
    if (isTentative) {
      this.#tentative.push(...fresh);
      return fresh;
    }
    const all = [...this.#tentative, ...fresh];
    this.#tentative = [];
    return all;
  }

  /** Notes that the recording with tentative exchanges became a session. */
  settle(): void {
    this.#tentative = [];
  }

  #add(complete: CompleteExchange): void {
    const exchange = observedAuthorization(complete, this.#requests);
    if (exchange === undefined) return;
    this.#requests.learn(exchange);
    const { at, headers } = complete.request;
    this.#waiting.push({ at, exchange, headers });
  }
}

type HeldExchangeOptions = AuthorizationRecorderOptions & { memory: BodyMemory };

/** HTTP exchange whose bodies are held until it is complete. */
class HeldExchange {
  readonly #origin: string;
  readonly #requests: AuthorizationRequests;
  readonly #options: HeldExchangeOptions;
  readonly #sent: RecordedBody;
  readonly #received: RecordedBody;
  #request: TrafficEvent<'request'> | undefined;
  #response: TrafficEvent<'response'> | undefined;
  #isOther = false;

  constructor(origin: string, requests: AuthorizationRequests, options: HeldExchangeOptions) {
    this.#origin = origin;
    this.#requests = requests;
    this.#options = options;
    this.#sent = new RecordedBody(options.holdBytesMax, options.memory);
    this.#received = new RecordedBody(options.holdBytesMax, options.memory);
  }

  /** Takes the next event. Returns the exchange if it is complete. */
  take(piece: HttpTrafficEvent): CompleteExchange | undefined {
    if (piece.kind === 'request') this.#request = piece;
    if (piece.kind === 'response') this.#begin(piece);
    if (this.#isOther) return undefined;
    if (piece.kind === 'data') (piece.from === 'client' ? this.#sent : this.#received).add(piece.data);
    return piece.kind === 'gone' || (piece.kind === 'end' && piece.from === 'server') ? this.#complete() : undefined;
  }

  /** Drops the bodies of an exchange that is certainly another one: a server accepted it. */
  #begin(response: TrafficEvent<'response'>): void {
    this.#response = response;
    const request = this.#request!;
    const url = this.#origin + request.path;
    const isKnown = URL.canParse(url) && this.#requests.requestOf(url, request) !== undefined;
    if (response.status >= BAD_REQUEST || isKnown) return;
    this.#isOther = true;
    this.#release();
  }

  #release(): void {
    this.#sent.release();
    this.#received.release();
  }

  #complete(): CompleteExchange | undefined {
    const [request, response] = [this.#request, this.#response];
    if (request === undefined) return undefined;
    const sent = this.#textOf('client', this.#sent, request.headers);
    const received = response && this.#textOf('server', this.#received, response.headers);
    this.#release();
    return { origin: this.#origin, request, response, sent, received };
  }

  /** Returns a body as text. A longer one is left out. */
  #textOf(from: Side, body: RecordedBody, headers: RawHeaders): string {
    const { holdBytesMax, cut } = this.#options;
    const decoded = body.isCut ? undefined : decodeBody(headers, Buffer.from(body.take()), holdBytesMax).data;
    if (decoded === undefined) cut(from, body.cutReason ?? 'itself');
    return Buffer.from(decoded ?? '').toString();
  }
}

const BAD_REQUEST = 400;
