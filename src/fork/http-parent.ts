import type { Cassette } from '../cassette/cassette.ts';
import type { Frame, OutputStream, WireFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import { elementsOf, JsonText } from '../protocol/json-text.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import { isStream } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { PlaybackContext, SessionPlayer } from '../replay/http/create-session-player.ts';
import { httpCassettes } from '../replay/http/http-cassette.ts';
import { type HttpHandler, HttpMockHandler } from '../replay/http/http-mock-handler.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';

export interface HttpParentOptions {
  /** Shows what the server requires of requests, and whether it has sessions. */
  cassette: Cassette;
  /** Parent process. It gets standard error. */
  own: Parent;
  clock: Clock;
  /** Makes an unguessable session id. */
  newSession(): string;
  report(finding: Finding): void;
}

/** An open request of the client. */
interface OpenRequest {
  /** Exchange on which its messages are sent. */
  stream: number;
  /** Progress token, as a JSON token. */
  token: string | undefined;
  isSubscription: boolean;
}

type Send = PlaybackContext['send'];

/** Delay between the end of a server's input and SIGTERM, as in the SDK clients. */
const GRACE: Milliseconds = 2_000;
const TOKEN = ['params', '_meta', 'progressToken'];
const PROGRESS = ['params', 'progressToken'];
const SUBSCRIPTION = ['params', '_meta', META.subscriptionId];
/** Implementation-defined error code (JSON-RPC 2.0, "Error object"). */
const REFUSED = -32000;

/**
 * One client over HTTP in place of a parent process over stdio. The server has one session: other clients are refused.
 * What the server sends on its own is sent on the latest open request, and without one on the listening stream.
 */
export class HttpParent implements Parent {
  /** Serves one HTTP request. */
  readonly serve: HttpHandler;
  readonly #options: HttpParentOptions;
  readonly #handler: HttpMockHandler;
  readonly #lines: LineDecoder;
  readonly #open = new Map<string, OpenRequest>();
  #owner: SessionPlayer | undefined;
  #send: Send = () => {};
  /** Frames of a client that begins before the server is started. */
  readonly #early: WireFrame[] = [];
  #receive: (frame: WireFrame) => void = (frame) => void this.#early.push(frame);
  #stopEnding: Cancel = () => {};
  #hasLeft = false;
  #isOver = false;

  constructor(options: HttpParentOptions) {
    const { cassette, clock, newSession, report } = options;
    this.#options = options;
    this.#handler = new HttpMockHandler({
      cassettes: httpCassettes(cassette),
      clock,
      report,
      newSession,
      intercept: () => (context) => this.#playerOf(context),
    });
    this.serve = this.#handler.serve;
    this.#lines = new LineDecoder({
      from: 'server',
      on: 'protocol',
      line: (line) => this.#fromServer(lineToMessage(line)),
    });
  }

  listen(receive: (frame: WireFrame) => void): void {
    this.#receive = receive;
    for (const frame of this.#early.splice(0)) receive(frame);
  }

  send(frame: WireFrame): boolean {
    if (frame.kind === 'bytes' && frame.on === 'protocol') this.#lines.write(frame.data, frame.at);
    else if (frame.kind === 'bytes') return this.#options.own.send(frame);
    else if (frame.kind === 'close' || frame.kind === 'exit') this.#end();
    return true;
  }

  drained(stream: OutputStream, resume: () => void): void {
    this.#options.own.drained(stream, resume);
  }

  pause(): void {}

  resume(): void {}

  flushed(done: () => void): void {
    this.#options.own.flushed(done);
  }

  /** Ends the client's side, and then the server's process if it stays. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const { clock } = this.#options;
    this.#receive({ kind: 'close', at: clock.now(), from: 'client' });
    if (this.#isOver) return;
    this.#stopEnding = clock.after(GRACE, () =>
      this.#receive({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGTERM' }),
    );
  }

  #playerOf({ send }: Pick<PlaybackContext, 'send'>): SessionPlayer {
    const player: SessionPlayer = {
      runs: [],
      receive: (json, stream) => {
        this.#owner ??= player;
        if (this.#owner === player) this.#fromClient(json, stream, send);
        else this.#refuse(json, stream, send, 'A fork has one client, and another one has begun.');
      },
      done: (stream) => {
        for (const [id, one] of this.#open) if (one.stream === stream) this.#open.delete(id);
      },
      faulted() {},
      finish: () => void (this.#owner === player && this.leave()),
    };
    return player;
  }

  #fromClient(json: JsonText, stream: number, send: Send): void {
    if (this.#isOver) return this.#refuse(json, stream, send, 'The server has ended.');
    this.#send = send;
    for (const one of elementsOf(json)) {
      const { value } = one;
      if (!isRequest(value)) continue;
      const isSubscription = isStream(value.method);
      this.#open.set(scalarKeyAt(one, ['id'])!, { stream, token: scalarKeyAt(one, TOKEN), isSubscription });
    }
    const at = this.#options.clock.now();
    const data = encodeLine({ kind: 'message', at, from: 'client', json })!;
    this.#receive({ kind: 'bytes', at, from: 'client', on: 'protocol', data });
  }

  #fromServer(frame: Frame): void {
    if (frame.kind !== 'message') return;
    for (const json of elementsOf(frame.json)) {
      const stream = this.#streamOf(json);
      this.#send({ kind: 'message', at: frame.at, from: 'server', json, ...(stream !== undefined && { stream }) });
    }
  }

  #streamOf(json: JsonText): number | undefined {
    const id = scalarKeyAt(json, ['id']) ?? '';
    if (isResponse(json.value)) {
      const answered = this.#open.get(id);
      this.#open.delete(id);
      return answered?.stream;
    }
    const subscription = scalarKeyAt(json, SUBSCRIPTION);
    if (subscription !== undefined) return this.#open.get(subscription)?.stream;
    const token = scalarKeyAt(json, PROGRESS);
    const requests = [...this.#open.values()];
    const reported = token === undefined ? undefined : requests.find((one) => one.token === token);
    return (reported ?? requests.findLast(({ isSubscription }) => !isSubscription))?.stream;
  }

  /** Answers requests with an error. */
  #refuse(json: JsonText, stream: number, send: Send, message: string): void {
    for (const one of elementsOf(json))
      if (isRequest(one.value)) this.#fail(scalarKeyAt(one, ['id'])!, { stream, send, message });
  }

  #fail(id: string, { stream, send, message }: { stream: number; send: Send; message: string }): void {
    const error = JSON.stringify({ code: REFUSED, message: `mcp-record: ${message}` });
    const json = new JsonText(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
    send({ kind: 'message', at: this.#options.clock.now(), from: 'server', json, stream });
  }

  /** Takes the end of the server. Its clients get errors from now on. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopEnding();
    const open = [...this.#open];
    this.#open.clear();
    for (const [id, { stream }] of open) this.#fail(id, { stream, send: this.#send, message: 'The server has ended.' });
    this.#hasLeft = true;
    this.#handler.end();
  }
}
