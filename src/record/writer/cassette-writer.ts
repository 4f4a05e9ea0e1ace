import { FORMAT, type Header } from '../../cassette/cassette.ts';
import type { Bytes, TapeFile } from '../../cassette/write/cassette-file.ts';
import { endText, eventPieces, headerText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { packageVersion } from '../../kernel/package-info.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { type Gap, Gaps } from './event-delays.ts';
import { safePieces } from './final-secret-check.ts';
import { keptOf } from './kept.ts';
import { OpenTapes, type Parkable } from './open-file-pool.ts';

export interface TapeWriterOptions {
  /** Creates the tape, when there is something to put on it. */
  open(): TapeFile;
  /** What the tape says of the session; the rest of its header is the same for all. */
  about: Pick<Header, 'transport' | 'url'>;
  clock: Clock;
  gap: Gap;
  /** Takes secrets out of what is kept, one for each tape. Absent: nothing is taken out. */
  redactor?: (() => Redactor) | undefined;
  /** `redactAgain`, or what sees to it that it is done: told of a finished tape that holds what was learnt to be a secret late. */
  redactAgain(path: string, redactor: Redactor): void;
  /** Told of a finished tape: where it lies, and whether anything of it was redacted. */
  finished?(path: string, hasRedacted: boolean): void;
  /** The tapes that are written beside it. */
  openTapes?: OpenTapes;
  /** Told where the tape lies, as soon as it has a name for more than a turn of the event loop, and when it gets another. */
  named?(path: string): void;
  /** Told once, at once, when the tape cannot be written; nothing more is written to it. */
  failed(error: unknown): void;
}

/** Writes events to a tape, an event whole, the events of one turn of the event loop in one write. Never throws. */
export class TapeWriter implements Parkable {
  readonly #options: TapeWriterOptions;
  readonly #gaps: Gaps;
  readonly #openTapes: OpenTapes;
  #tape: TapeFile | undefined;
  /** The name it was opened under. */
  #path = '';
  /** The name that was told. */
  #named: string | undefined;
  #flushing = false;
  #broken = false;
  /** Takes secrets out of what is kept, if that is wanted. */
  readonly redactor: Redactor | undefined;
  /** How many secrets were known before anything was written. */
  readonly #known: number;

  constructor(options: TapeWriterOptions) {
    this.#options = options;
    this.redactor = options.redactor?.();
    this.#known = this.redactor?.learnt().length ?? 0;
    this.#gaps = new Gaps(options.gap);
    this.#openTapes = options.openTapes ?? new OpenTapes();
  }

  /** Where the tape lies; undefined before there is one. */
  get path(): string | undefined {
    return this.#tape?.path;
  }

  write(frame: Frame): void {
    const { redactor } = this;
    this.attempt(() => {
      const pieces =
        redactor === undefined
          ? eventPieces(frame, this.gap(frame.at))
          : safePieces(keptOf(frame, redactor), this.gap(frame.at), redactor);
      for (const piece of pieces) this.add(piece);
    });
  }

  /** The gap to write for an event at `at`; undefined: none. Events ask for theirs in the order of the tape. */
  gap(at: Milliseconds): Milliseconds | undefined {
    return this.#gaps.next(at);
  }

  /** Text of an event, or a part of it. */
  add(text: string): void {
    this.attempt(() => {
      this.#ready().add(text);
      this.#flushLater();
    });
  }

  /** An event that writes itself; says whether it did. */
  addBytes(event: Bytes): boolean {
    if (this.#broken) return false;
    try {
      if (!this.#ready().addBytes(event)) return false;
      this.#flushLater();
      return true;
    } catch (error) {
      this.#break(error);
      return false;
    }
  }

  #flushLater(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#options.clock.endOfTurn(() => {
      this.#flushing = false;
      if (this.#tape?.isBehind) this.attempt(() => this.#ready().flush());
      this.#tell();
    });
  }

  /** Gives the tape the name that `name` makes of the one it was opened under, or the next free one after it. */
  rename(name: (path: string) => string): void {
    this.attempt(() => {
      const tape = this.#ready();
      this.#openTapes.making(() => tape.rename(name(this.#path)));
      this.#flushLater();
    });
  }

  #tell(): void {
    if (this.#broken || this.path === undefined || this.path === this.#named) return;
    this.#named = this.path;
    this.#options.named?.(this.path);
  }

  /** Closes the file until the next event. */
  park(): void {
    this.attempt(() => this.#tape?.park());
  }

  /** Does what is needed to write to the tape. Where it fails the tape is given up, and from then on nothing is done. */
  attempt(task: () => void): void {
    if (this.#broken) return;
    try {
      task();
    } catch (error) {
      this.#break(error);
    }
  }

  /** Ends the tape. What was found to be a secret late is taken out of what was written before. */
  end(reason: string): void {
    this.attempt(() => {
      const tape = this.#ready();
      tape.add(endText(reason));
      tape.close();
      this.#openTapes.forget(this);
      const { redactor } = this;
      if (redactor && redactor.learnt().length > this.#known)
        this.#openTapes.making(() => this.#options.redactAgain(tape.path, redactor));
      this.#options.finished?.(tape.path, redactor?.hasRedacted() ?? false);
    });
    this.#tell();
    this.#broken = true;
  }

  /** The tape, open to be written to. */
  #ready(): TapeFile {
    this.#tape ??= this.#openTapes.making(() => this.#open());
    const tape = this.#tape;
    if (tape.isParked) this.#openTapes.making(() => tape.resume());
    this.#openTapes.use(this);
    return tape;
  }

  #break(error: unknown): void {
    this.#broken = true;
    this.#openTapes.forget(this);
    this.#tape?.abandon();
    this.#options.failed(error);
  }

  #open(): TapeFile {
    const { open, clock, about } = this.#options;
    const recorded = `${clock.date().toISOString().slice(0, -5)}Z`;
    const recorder = `mcp-record ${packageVersion()}`;
    const tape = open();
    this.#path = tape.path;
    tape.add(headerText({ format: FORMAT, recorder, recorded, ...about }));
    // Now, and not as the turn ends: an empty file is no tape, if we are killed meanwhile.
    tape.flush();
    this.#flushLater();
    return tape;
  }
}
