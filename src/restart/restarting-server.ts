import type { Channel } from '../channel/channel.ts';
import type { CloseFrame, LineFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import { asMicrotask, type Cancel, type Clock, type Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isResponse } from '../protocol/message.ts';
import { printableLines } from '../text-report/printable-text.ts';
import { onOneLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';
import { RestartDelays } from './restart-delays.ts';
import { brokenLineWords, downWords, endWords, keepsCrashing, sentence } from './restart-messages.ts';
import { RestartedSession } from './restarted-session.ts';
import { messagesIn, rewriteLine } from './rewrite-line.ts';
import { ServerProcess, type StartServer } from './server-process.ts';

export interface RestartingServerOptions {
  start: StartServer;
  clock: Clock;
  /** Whether a server that crashes is started again at once. Otherwise the next change of a watched file starts it. */
  onCrash: boolean;
  /** Calls back with each file that has changed. Absent: none is watched. */
  watch?: ((changed: (path: string) => void) => Cancel) | undefined;
  /** Called if the first server cannot be started. */
  failed(error: McpRecordError): void;
}

/** Maximum wait for the rest of the output when the server has ended but its child processes hold the pipe open. */
const OUTPUT_PATIENCE: Milliseconds = 500;

/**
 * - `serving`: messages pass.
 * - `stopping`, `pausing`, `opening`: a server ends, the next one is not started yet, or has not the state of the session.
 *   Messages of the client wait.
 * - `down`: there is no server until a file changes. Requests get an error.
 * - `ending`: the client has ended the session. Nothing is started again.
 */
type Phase = 'serving' | 'stopping' | 'pausing' | 'opening' | 'down' | 'ending' | 'over';

/**
 * Channel to a server that is started again when it crashes, or when its files change. Its client keeps the session. What
 * this channel says in place of a server is sent as optional lines, and on standard error.
 */
export class RestartingServer implements Channel {
  readonly #options: RestartingServerOptions;
  readonly #session = new RestartedSession();
  readonly #delays = new RestartDelays();
  readonly #clientLines: LineDecoder;
  #server: ServerProcess | undefined;
  #receive: (frame: WireFrame) => void = () => {};
  #phase: Phase = 'serving';
  /** Lines of the client that wait for the next server. */
  #held: LineFrame[] = [];
  #isInputClosed = false;
  #isOutputClosed = false;
  /** Clause for messages: why the server is restarted or not running. */
  #reason = '';
  /** Status of the latest server that has ended. */
  #status: number | string = 0;
  #isAtLineStart = true;
  /** Whether the server accepted the latest write without backpressure. */
  #isReading = true;
  #startedAt: Milliseconds = 0;
  #cancel: Cancel = () => {};
  readonly #unwatch: Cancel;
  /** Whether the server was given up. */
  hasGivenUp = false;

  constructor(options: RestartingServerOptions) {
    this.#options = options;
    this.#clientLines = new LineDecoder({ from: 'client', on: 'protocol', line: (line) => this.#takeClientLine(line) });
    this.#server = this.#start();
    this.#unwatch = options.watch?.((path) => this.#changed(path)) ?? (() => {});
  }

  listen(receive: (frame: WireFrame) => void): void {
    this.#receive = receive;
    this.#server?.listen();
  }

  send(frame: WireFrame): boolean {
    if (frame.kind === 'bytes') {
      this.#isReading = true;
      this.#clientLines.write(frame.data, frame.at);
      return this.#isReading;
    }
    if (frame.kind === 'close') this.#clientLines.end(frame.at);
    // The caller records this frame after `send` returns. The microtask delays the consequences until then.
    asMicrotask(() => this.#endBy(frame));
    return true;
  }

  drained(stream: OutputStream, resume: () => void): void {
    if (this.#server) this.#server.drained(stream, resume);
    else resume();
  }

  pause(stream: OutputStream): void {
    this.#server?.pause(stream);
  }

  resume(stream: OutputStream): void {
    this.#server?.resume(stream);
  }

  #start(): ServerProcess {
    const { start, clock } = this.#options;
    this.#startedAt = clock.now();
    const server: ServerProcess = new ServerProcess(start, clock, {
      line: (line) => this.#takeServerLine(line),
      stderr: (frame) => {
        this.#isAtLineStart = frame.data.at(-1) === '\n'.charCodeAt(0);
        this.#receive(frame);
      },
      outputClosed: (frame) => this.#outputClosed(frame),
      ended: (status) => this.#serverEnded(status),
      failed: (error) => this.#cannotStart(error),
      exited: () => void clock.after(OUTPUT_PATIENCE, () => this.#phase !== 'ending' && server.kill()),
    });
    return server;
  }

  #takeClientLine(line: LineFrame): void {
    if (this.#phase === 'serving' || this.#phase === 'ending') return this.#pass(line);
    if (this.#phase === 'over') return;
    if (this.#phase === 'down') return asMicrotask(() => this.#fail([line], downWords(this.#reason)));
    // A response belongs to the server that sent the request. That server may be waiting for the response.
    if (messagesIn(line).some(({ value }) => isResponse(value))) return this.#pass(line);
    this.#held.push(line);
  }

  #pass(line: LineFrame): void {
    const data = rewriteLine(line, (json) => this.#session.fromClient(json));
    if (data && this.#server?.write(data) === false) this.#isReading = false;
  }

  #takeServerLine(line: LineFrame): void {
    if (line.partial && this.#phase !== 'ending') return this.#note(brokenLineWords(line));
    let refused: string | undefined;
    const data = rewriteLine(line, (json) => {
      const { client, server = [], note, refused: why } = this.#session.fromServer(json);
      if (note !== undefined) this.#note(note);
      this.#write(server);
      refused ??= why;
      return client;
    });
    if (data && messagesIn(line).some((json) => this.#session.isOfOpening(json))) this.#tell([`${data}`.trimEnd()]);
    else if (data) this.#receive({ kind: 'bytes', at: line.at, from: 'server', on: 'protocol', data });
    if (this.#session.answerCount > 0) this.#delays.reset();
    if (refused !== undefined) this.#refused(refused);
    else if (this.#phase === 'opening' && this.#session.isOpen) this.#opened();
  }

  #write(messages: readonly JsonText[]): void {
    for (const { text } of messages) this.#server?.write(Buffer.from(`${onOneLine(text)}\n`));
  }

  /** Handles the end of standard output: stops the server, which cannot answer without standard output. */
  #outputClosed(frame: CloseFrame): void {
    if (this.#phase === 'ending') {
      this.#isOutputClosed = true;
      return this.#receive(frame);
    }
    if (this.#phase !== 'stopping') this.#server?.stop();
  }

  #serverEnded(status: number | string): void {
    this.#server = undefined;
    this.#status = status;
    if (this.#phase === 'ending') return this.#finish();
    if (this.#phase !== 'stopping') this.#reason = endWords(status);
    if (this.#isInputClosed) return this.#finish();
    if (this.#phase !== 'stopping') return this.#crashed();
    this.#loseServer('was restarted');
    this.#restart();
  }

  #cannotStart(error: McpRecordError): void {
    this.#server = undefined;
    if (!this.#session.isBegun && this.#phase === 'serving') {
      this.#phase = 'over';
      this.#unwatch();
      return this.#options.failed(error);
    }
    this.#note(error.message);
    this.#reason = 'the server cannot be started';
    if (this.#isInputClosed) this.#finish();
    else this.#crashed();
  }

  /** Handles a server that refuses the session: stops it, which counts as a crash. */
  #refused(why: string): void {
    this.#note(`The new server does not take the session: ${why}.`);
    this.#server?.stop();
  }

  #crashed(): void {
    const { onCrash, watch, clock } = this.#options;
    // Without an opening there is no session to keep. The client sees the end of the server directly.
    if (!onCrash && !this.#session.isBegun) return this.#finish();
    const delay = onCrash ? this.#delays.crashed(this.#now() - this.#startedAt) : undefined;
    if (delay !== undefined) {
      this.#phase = 'pausing';
      this.#note(`${sentence(this.#reason)}. It is started again${delay > 0 ? ` in ${delay} ms` : ''}.`);
      this.#loseServer('was restarted');
      this.#cancel = clock.after(delay, () => this.#restart());
    } else if (watch) {
      this.#phase = 'down';
      this.#note(`${sentence(this.#reason)}. It is started again when a watched file changes.`);
      this.#loseServer('has ended');
      this.#fail(this.#held.splice(0), downWords(this.#reason));
    } else {
      this.hasGivenUp = true;
      this.#note(keepsCrashing(this.#reason).message);
      this.#finish();
    }
  }

  /** Answers the server's open requests with errors. */
  #loseServer(how: string): void {
    this.#tell(this.#session.serverEnded(`The server ${how} before it answered: ${this.#reason}.`));
  }

  #changed(path: string): void {
    if (this.#phase === 'ending' || this.#phase === 'over') return;
    this.#delays.reset();
    this.#reason = `${path} has changed`;
    if (this.#phase === 'stopping') return;
    this.#note(`${this.#reason}. The server is started again.`);
    if (this.#server === undefined) {
      this.#cancel();
      return this.#restart();
    }
    this.#phase = 'stopping';
    this.#server?.stop();
  }

  #restart(): void {
    this.#phase = 'opening';
    this.#isOutputClosed = false;
    this.#server = this.#start();
    this.#server.listen();
    this.#write(this.#session.open());
    if (this.#session.isOpen) this.#opened();
  }

  #opened(): void {
    this.#phase = 'serving';
    const { notifications, notes } = this.#session.opened();
    this.#tell(notifications);
    for (const note of notes) this.#note(note);
    for (const line of this.#held.splice(0)) this.#pass(line);
    if (this.#isInputClosed) this.#endBy({ kind: 'close', at: this.#now(), from: 'client' });
  }

  /** Handles the end of the client's input, or a signal. */
  #endBy(frame: WireFrame): void {
    if (this.#phase === 'over') return;
    if (frame.kind === 'close') this.#isInputClosed = true;
    if (this.#server === undefined) return this.#finish();
    const waits = this.#phase === 'opening' || this.#phase === 'stopping';
    if (frame.kind === 'close' && waits) return;
    this.#phase = 'ending';
    this.#server.send(frame);
  }

  /** Answers requests that no server has received with errors. */
  #fail(lines: readonly LineFrame[], why: string): void {
    this.#tell(lines.flatMap(messagesIn).flatMap((json) => this.#session.refuse(json, why)));
  }

  /** Ends the session with the end of the latest server. */
  #finish(): void {
    const at = this.#now();
    const why = `The server has ended: ${this.#reason}.`;
    this.#cancel();
    this.#unwatch();
    this.#fail(this.#held.splice(0), why);
    if (this.#phase !== 'ending') this.#tell(this.#session.end(why));
    this.#phase = 'over';
    if (!this.#isOutputClosed) this.#receive({ kind: 'close', at, from: 'server' });
    this.#receive({ kind: 'exit', at, from: 'server', status: this.#status });
  }

  /** Sends messages to the client in place of a server. */
  #tell(messages: readonly string[]): void {
    for (const data of messages)
      this.#receive({ kind: 'line', at: this.#now(), from: 'server', on: 'protocol', data, optional: true });
  }

  /** Writes a sentence to standard error. */
  #note(text: string): void {
    const data = Buffer.from(`${this.#isAtLineStart ? '' : '\n'}mcp-record: ${printableLines(text)}\n`);
    this.#isAtLineStart = true;
    this.#receive({ kind: 'bytes', at: this.#now(), from: 'server', on: 'stderr', data });
  }

  #now(): Milliseconds {
    return this.#options.clock.now();
  }
}
