import { bytesClosing, bytesOpening, endText, eventText, headerText } from '../cassette/emit.ts';
import { probeName } from '../cassette/file-name.ts';
import type { TapeFile } from '../cassette/tape-file.ts';
import { FORMAT, type Header } from '../cassette/types.ts';
import { classify } from '../channel/classify.ts';
import type { Frame, NoiseFrame, Side, Stream, WireFrame } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import { packageVersion } from '../kernel/version.ts';
import { isRequest } from '../protocol/message.ts';
import { LineDecoder, type LongLine } from '../transports/stdio/lines.ts';
import { Base64Pieces } from './base64-pieces.ts';
import { type Gap, Gaps } from './gaps.ts';
import { Turns } from './turns.ts';

export interface RecorderOptions {
  /** Creates the tape, when there is something to put on it. */
  open(): TapeFile;
  clock: Clock;
  gap: Gap;
  /** Told once, at once, when the tape cannot be written; the session goes on without it. */
  failed(error: unknown): void;
  holdBytesMax?: number;
}

/** Writes what passes to a tape, an event as it is whole, the events of one turn of the event loop in one write. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #gaps: Gaps;
  readonly #turns = new Turns();
  readonly #decoders: Record<Side, Record<Stream, LineDecoder>>;
  #tape: TapeFile | undefined;
  #path = '';
  #flushing = false;
  #broken = false;
  /** Whether the client has said anything but `server/discover`. */
  #talk: 'none' | 'probe' | 'session' = 'none';

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#gaps = new Gaps(options.gap);
    const decoders = (from: Side) => ({
      protocol: this.#decoder(from, 'protocol'),
      stderr: this.#decoder(from, 'stderr'),
    });
    this.#decoders = { client: decoders('client'), server: decoders('server') };
  }

  /** Where the tape lies; undefined before there is one. */
  get path(): string | undefined {
    return this.#tape?.path;
  }

  /** Takes what passed. */
  tap(frame: WireFrame): void {
    if (frame.kind === 'bytes') return this.#decoders[frame.from][frame.on].write(frame.data, frame.at);
    if (frame.kind === 'close') this.#decoders[frame.from].protocol.end(frame.at);
    if (frame.kind === 'exit') {
      this.#decoders.server.stderr.end(frame.at);
      this.#decoders.client.protocol.end(frame.at);
    }
    this.#turns.take(this, () => this.#write(frame));
  }

  /** Ends the tape. */
  end(reason: string): void {
    this.#attempt((tape) => {
      tape.add(endText(reason));
      tape.close();
    });
    this.#broken = true;
  }

  #decoder(from: Side, on: Stream): LineDecoder {
    const { holdBytesMax } = this.#options;
    const line = (frame: NoiseFrame) => {
      if (this.#talk !== 'session' && from === 'client') this.#follow(frame);
      if (this.#turns.isFree(this)) this.#write(frame);
      else this.#turns.take(this, () => this.#write(frame));
    };
    const long = this.#longLine(from, on);
    return new LineDecoder({ from, on, line, long, ...(holdBytesMax !== undefined && { holdBytesMax }) });
  }

  /** A line that does not fit in memory goes to the tape as base64, in pieces, as it passes. */
  #longLine(from: Side, on: Stream): LongLine {
    const turns = this.#turns;
    const pieces = new Base64Pieces();
    const line: LongLine = {
      open: () =>
        turns.take(line, () => {
          turns.hold(line);
          this.#add(bytesOpening(from, on));
        }),
      piece: (data) => {
        if (turns.isFree(line)) return this.#add(pieces.add(data));
        const copy = Uint8Array.from(data);
        turns.take(line, () => this.#add(pieces.add(copy)));
      },
      close: ({ at, partial }) =>
        turns.take(line, () => {
          const after = this.#gaps.next(at);
          this.#add(
            pieces.end() +
              bytesClosing({ ...(after !== undefined && { after }), ...(partial && { partial }) }),
          );
          turns.release();
        }),
    };
    return line;
  }

  #write(frame: Frame): void {
    this.#add(eventText(frame, this.#gaps.next(frame.at)));
  }

  #add(text: string): void {
    this.#attempt((tape) => {
      tape.add(text);
      if (this.#flushing) return;
      this.#flushing = true;
      this.#options.clock.endOfTurn(() => {
        this.#flushing = false;
        if (!this.#broken) this.#attempt((written) => written.flush());
      });
    });
  }

  /** Real clients start a throw-away process to ask what the server can do: that is no session, and named apart. */
  #follow(frame: NoiseFrame): void {
    const said = classify(frame);
    if (said.kind !== 'message') return;
    const probes = isRequest(said.json.value) && said.json.value.method === 'server/discover';
    if (probes && this.#talk === 'none') this.#attempt((tape) => tape.rename(probeName(this.#path)));
    if (!probes && this.#talk === 'probe') this.#attempt((tape) => tape.rename(this.#path));
    this.#talk = probes ? 'probe' : 'session';
  }

  #attempt(task: (tape: TapeFile) => void): void {
    if (this.#broken) return;
    try {
      this.#tape ??= this.#open();
      task(this.#tape);
    } catch (error) {
      this.#broken = true;
      this.#options.failed(error);
    }
  }

  #open(): TapeFile {
    const { open, clock } = this.#options;
    const tape = open();
    this.#path = tape.path;
    const recorded = `${clock.date().toISOString().slice(0, -5)}Z`;
    const header: Header = {
      format: FORMAT,
      recorder: `mcp-record ${packageVersion()}`,
      recorded,
      transport: 'stdio',
    };
    tape.add(headerText(header));
    return tape;
  }
}
