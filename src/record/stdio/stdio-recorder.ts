import { probeName } from '../../cassette/write/cassette-names.ts';
import { classify } from '../../channel/classify-line.ts';
import type { NoiseFrame, Side, Stream, WireFrame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import { LineDecoder, type LineDecoderOptions } from '../../transports/stdio/line-decoder.ts';
import { TapeWriter, type TapeWriterOptions } from '../writer/cassette-writer.ts';
import { PlainEvent } from '../writer/fast-message-writer.ts';
import { LATE_LENGTH_MIN, LateEvent } from './deferred-event.ts';
import { LongLineEvent, type LongLineOptions } from './long-line-recorder.ts';
import { Turns } from './write-lock.ts';

export interface RecorderOptions extends Omit<TapeWriterOptions, 'about'>, LineLimits {}

interface LineLimits
  extends Pick<LineDecoderOptions, 'holdBytesMax'>,
    Pick<LongLineOptions, 'behindBytesMax'> {}

/** Writes what passes over stdio to a tape, an event as it is whole. */
export class Recorder {
  readonly #writer: TapeWriter;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  readonly #late: LateEvent;
  readonly #decoders: Record<Side, Record<Stream, LineDecoder>>;
  #isBlank = true;
  /** Whether the client has said anything but `server/discover`. */
  #talk: 'none' | 'probe' | 'session' = 'none';

  constructor({ holdBytesMax, behindBytesMax, ...tape }: RecorderOptions) {
    this.#writer = new TapeWriter({ ...tape, about: { transport: 'stdio' } });
    this.#clock = tape.clock;
    this.#late = new LateEvent(this.#writer, this.#turns, tape.clock);
    const limits = { holdBytesMax, behindBytesMax };
    const decoders = (from: Side) => ({
      protocol: this.#decoder(from, 'protocol', limits),
      stderr: this.#decoder(from, 'stderr', limits),
    });
    this.#decoders = { client: decoders('client'), server: decoders('server') };
  }

  /** Whether nothing has passed yet. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** Where the tape lies; undefined before there is one. */
  get path(): string | undefined {
    return this.#writer.path;
  }

  /** Takes what passed. What is still to be written of what passed before comes first. */
  tap(frame: WireFrame): void {
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

  /** Ends the tape. A line that has not ended is partial. */
  end(reason: string): void {
    const at = this.#clock.now();
    for (const side of Object.values(this.#decoders))
      for (const decoder of Object.values(side)) decoder.end(at);
    this.#turns.take(this, () => this.#writer.end(reason));
  }

  #decoder(from: Side, on: Stream, { holdBytesMax, behindBytesMax }: LineLimits): LineDecoder {
    const line = (frame: NoiseFrame) => {
      if (this.#talk !== 'session' && from === 'client') this.#follow(frame);
      if (frame.data.length >= LATE_LENGTH_MIN) this.#late.write(frame);
      else this.#turns.take(this, () => this.#writer.write(frame));
    };
    const [writer, turns, clock] = [this.#writer, this.#turns, this.#clock];
    const long = new LongLineEvent({ from, on, writer, turns, clock, behindBytesMax });
    if (on === 'stderr') return new LineDecoder({ from, on, line, long, holdBytesMax });
    const event = new PlainEvent(from, writer);
    const plain = (bytes: Uint8Array, start: number, at: Milliseconds) => {
      const isFollowed = from === 'server' || this.#talk === 'session';
      return isFollowed && this.#turns.isFree(this) ? event.takeAll(bytes, start, at) : -1;
    };
    return new LineDecoder({ from, on, line, long, plain, holdBytesMax });
  }

  /** Real clients start a throw-away process to ask what the server can do: that is no session, and named apart. */
  #follow(frame: NoiseFrame): void {
    const said = classify(frame);
    if (said.kind !== 'message') return;
    const probes = isRequest(said.json.value) && said.json.value.method === 'server/discover';
    if (probes && this.#talk === 'none') this.#writer.rename(probeName);
    if (!probes && this.#talk === 'probe') this.#writer.rename((path) => path);
    this.#talk = probes ? 'probe' : 'session';
  }
}
