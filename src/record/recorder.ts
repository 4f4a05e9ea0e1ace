import { bytesClosing, bytesOpening } from '../cassette/emit.ts';
import { probeName } from '../cassette/file-name.ts';
import { classify } from '../channel/classify.ts';
import type { NoiseFrame, Side, Stream, WireFrame } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isRequest } from '../protocol/message.ts';
import { LineDecoder, type LongLine } from '../transports/stdio/lines.ts';
import { Base64Pieces } from './base64-pieces.ts';
import { LongRedaction } from './long-redaction.ts';
import { PlainEvent } from './plain-event.ts';
import { TapeWriter, type TapeWriterOptions } from './tape-writer.ts';
import { Turns } from './turns.ts';

export interface RecorderOptions extends Omit<TapeWriterOptions, 'about'> {
  holdBytesMax?: number;
}

/** Writes what passes over stdio to a tape, an event as it is whole. */
export class Recorder {
  readonly #writer: TapeWriter;
  readonly #turns = new Turns();
  readonly #decoders: Record<Side, Record<Stream, LineDecoder>>;
  /** Whether the client has said anything but `server/discover`. */
  #talk: 'none' | 'probe' | 'session' = 'none';

  constructor({ holdBytesMax, ...tape }: RecorderOptions) {
    this.#writer = new TapeWriter({ ...tape, about: { transport: 'stdio' } });
    const decoders = (from: Side) => ({
      protocol: this.#decoder(from, 'protocol', holdBytesMax),
      stderr: this.#decoder(from, 'stderr', holdBytesMax),
    });
    this.#decoders = { client: decoders('client'), server: decoders('server') };
  }

  /** Where the tape lies; undefined before there is one. */
  get path(): string | undefined {
    return this.#writer.path;
  }

  /** Takes what passed. */
  tap(frame: WireFrame): void {
    if (frame.kind === 'bytes') return this.#decoders[frame.from][frame.on].write(frame.data, frame.at);
    if (frame.kind === 'close') this.#decoders[frame.from].protocol.end(frame.at);
    if (frame.kind === 'exit') {
      this.#decoders.server.stderr.end(frame.at);
      this.#decoders.client.protocol.end(frame.at);
    }
    this.#turns.take(this, () => this.#writer.write(frame));
  }

  /** Ends the tape. */
  end(reason: string): void {
    this.#writer.end(reason);
  }

  #decoder(from: Side, on: Stream, holdBytesMax?: number): LineDecoder {
    const line = (frame: NoiseFrame) => {
      if (this.#talk !== 'session' && from === 'client') this.#follow(frame);
      if (this.#turns.isFree(this)) this.#writer.write(frame);
      else this.#turns.take(this, () => this.#writer.write(frame));
    };
    const long = this.#longLine(from, on);
    const limit = holdBytesMax !== undefined && { holdBytesMax };
    if (on === 'stderr') return new LineDecoder({ from, on, line, long, ...limit });
    const event = new PlainEvent(from, this.#writer);
    const plain = (bytes: Uint8Array, start: number, at: Milliseconds) => {
      const isFollowed = from === 'server' || this.#talk === 'session';
      return isFollowed && this.#turns.isFree(this) ? event.takeAll(bytes, start, at) : -1;
    };
    return new LineDecoder({ from, on, line, long, plain, ...limit });
  }

  /** A line that does not fit in memory goes to the tape as base64, in pieces, as it passes. */
  #longLine(from: Side, on: Stream): LongLine {
    const turns = this.#turns;
    const writer = this.#writer;
    const pieces = new Base64Pieces();
    const { redactor } = writer;
    const kept = redactor && new LongRedaction(redactor);
    const keep = (data: Uint8Array) => pieces.add(kept ? kept.add(data) : data);
    const line: LongLine = {
      open: () =>
        turns.take(line, () => {
          turns.hold(line);
          writer.add(bytesOpening(from, on));
        }),
      piece: (data) => {
        if (turns.isFree(line)) return writer.add(keep(data));
        const copy = Uint8Array.from(data);
        turns.take(line, () => writer.add(keep(copy)));
      },
      close: ({ at, partial }) =>
        turns.take(line, () => {
          const after = writer.gap(at);
          if (kept) writer.add(pieces.add(kept.end()));
          writer.add(
            pieces.end() +
              bytesClosing({ ...(after !== undefined && { after }), ...(partial && { partial }) }),
          );
          turns.release();
        }),
    };
    return line;
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
