import { probeName } from '../../cassette/write/cassette-names.ts';
import type { LineFrame, MessageFrame, OutputStream, Side, WireFrame } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject, isRequest } from '../../protocol/message.ts';
import { LineDecoder, type LineDecoderOptions } from '../../transports/stdio/line-decoder.ts';
import { CassetteWriter, type CassetteWriterOptions } from '../writer/cassette-writer.ts';
import { FastMessageWriter } from '../writer/fast-message-writer.ts';
import { CassetteWriterMutex } from './cassette-writer-mutex.ts';
import { type LongLineOptions, LongLineRecorder } from './long-line-recorder.ts';
import { DEFERRED_LENGTH_MIN, DeferredLongLine } from './write-line-after-forwarding.ts';

export interface RecorderOptions extends Omit<CassetteWriterOptions, 'about'>, LineLimits {}

interface LineLimits extends Pick<LineDecoderOptions, 'holdBytesMax'>, Pick<LongLineOptions, 'behindBytesMax'> {}

/** Recorder of stdio traffic. It writes each event when it is complete. */
export class StdioRecorder {
  readonly #writer: CassetteWriter;
  readonly #clock: Clock;
  readonly #turns = new CassetteWriterMutex();
  readonly #late: DeferredLongLine;
  readonly #decoders: Record<Side, Record<OutputStream, LineDecoder>>;
  #isBlank = true;
  /** Whether the client repeats a cassette. Its requests and notifications are recorded as optional. */
  isClientPlayed = false;
  /** Returns the rules of a repeated cassette for a message. Absent: no cassette is repeated. */
  rulesOf: ((message: MessageFrame) => object | undefined) | undefined;
  /** Kind of the client's requests so far. A probe has only `server/discover`. */
  #talk: 'none' | 'probe' | 'session' = 'none';
  /** Whether the client speaks HTTP/2. Nothing more is recorded then: redaction cannot read compressed header fields. */
  #isHttp2 = false;

  constructor({ holdBytesMax, behindBytesMax, ...cassette }: RecorderOptions) {
    this.#writer = new CassetteWriter({ ...cassette, about: { transport: 'stdio' } });
    this.#clock = cassette.clock;
    this.#late = new DeferredLongLine(this.#writer, this.#turns, cassette.clock);
    const limits = { holdBytesMax, behindBytesMax };
    const decoders = (from: Side) => ({
      protocol: this.#decoder(from, 'protocol', limits),
      stderr: this.#decoder(from, 'stderr', limits),
    });
    this.#decoders = { client: decoders('client'), server: decoders('server') };
  }

  /** Whether no frame has been recorded yet. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** Path of the cassette. Undefined before the first event. */
  get path(): string | undefined {
    return this.#writer.path;
  }

  /**
   * Records a forwarded frame. Pending output of earlier frames is written first.
   * @throws McpRecordError HTTP2_OVER_STDIO
   */
  tap(frame: WireFrame): void {
    if (this.#isHttp2) return;
    this.#isBlank = false;
    this.#turns.hurry();
    if (frame.kind === 'bytes') return this.#decoders[frame.from][frame.on].write(frame.data, frame.at);
    if (frame.kind === 'close') this.#decoders[frame.from].protocol.end(frame.at);
    if (frame.kind === 'exit') {
      this.#decoders.server.stderr.end(frame.at);
      this.#decoders.client.protocol.end(frame.at);
    }
    this.#turns.take(this, () => this.#writer.write(frame));
  }

  /** Writes everything recorded so far to disk, except for an incomplete line. */
  flush(): void {
    this.#turns.hurry();
    this.#writer.flush();
  }

  /** Ends the cassette. An incomplete line becomes partial. */
  end(reason: string): void {
    if (this.#isHttp2) {
      if (this.path !== undefined) this.#writer.end('the client speaks HTTP/2');
      return;
    }
    const at = this.#clock.now();
    for (const side of Object.values(this.#decoders)) for (const decoder of Object.values(side)) decoder.end(at);
    this.#turns.take(this, () => this.#writer.end(reason));
  }

  #decoder(from: Side, on: OutputStream, { holdBytesMax, behindBytesMax }: LineLimits): LineDecoder {
    const line = (frame: LineFrame) => {
      if (this.#talk !== 'session' && from === 'client') this.#follow(frame);
      if (this.isClientPlayed && from === 'client' && hasMethod(frame)) frame.optional = true;
      if (this.rulesOf && on === 'protocol') addRules(frame, this.rulesOf);
      if (frame.data.length >= DEFERRED_LENGTH_MIN) this.#late.write(frame);
      else this.#turns.take(this, () => this.#writer.write(frame));
    };
    const [writer, turns, clock] = [this.#writer, this.#turns, this.#clock];
    const long = new LongLineRecorder({ from, on, writer, turns, clock, behindBytesMax });
    if (on === 'stderr') return new LineDecoder({ from, on, line, long, holdBytesMax });
    const event = new FastMessageWriter(from, writer);
    const plain = (bytes: Uint8Array, start: number, at: Milliseconds) => {
      const isFollowed = from === 'server' || (this.#talk === 'session' && !this.isClientPlayed);
      return isFollowed && !this.rulesOf && this.#turns.isFree(this) ? event.takeAll(bytes, start, at) : -1;
    };
    return new LineDecoder({ from, on, line, long, plain, holdBytesMax });
  }

  /**
   * Follows the client's requests. Real clients start a short-lived process to ask for the server's capabilities: its
   * cassette gets a probe name.
   */
  #follow(frame: LineFrame): void {
    if (frame.data === HTTP2_PREFACE && this.#talk === 'none') {
      this.#isHttp2 = true;
      throw http2OverStdio();
    }
    const said = lineToMessage(frame);
    if (said.kind !== 'message') return;
    const probes = isRequest(said.json.value) && said.json.value.method === 'server/discover';
    if (probes && this.#talk === 'none') this.#writer.rename(probeName);
    if (!probes && this.#talk === 'probe') this.#writer.rename((path) => path);
    this.#talk = probes ? 'probe' : 'session';
  }
}

/** First line of a client that speaks HTTP/2 (RFC 9113, 3.4). */
const HTTP2_PREFACE = 'PRI * HTTP/2.0\r';

function http2OverStdio(): McpRecordError {
  return new McpRecordError({
    code: 'HTTP2_OVER_STDIO',
    what: 'Cannot record this session',
    why: 'the client speaks HTTP/2 over standard input, where mcp-record reads lines of JSON',
    next: 'The session goes on unrecorded. Record a client that sends lines of JSON, or the server over HTTP: record --http URL.',
  });
}

function addRules(line: LineFrame, rulesOf: (message: MessageFrame) => object | undefined): void {
  const said = lineToMessage(line);
  const rules = said.kind === 'message' ? rulesOf(said) : undefined;
  if (rules) line.match = rules;
}

/** Reports whether a line is a request or a notification. */
function hasMethod(line: LineFrame): boolean {
  const said = lineToMessage(line);
  return said.kind === 'message' && isObject(said.json.value) && 'method' in said.json.value;
}
