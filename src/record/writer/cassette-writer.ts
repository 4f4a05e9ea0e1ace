import { FORMAT, type Header } from '../../cassette/cassette.ts';
import type { Bytes, CassetteFile } from '../../cassette/write/cassette-file.ts';
import { endText, eventPieces, headerText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { packageVersion } from '../../kernel/package-info.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { type DelayPrecision, EventDelays } from './event-delays.ts';
import { OpenFilePool, type Suspendable } from './open-file-pool.ts';
import { redactBeforeWriting } from './redact-before-writing.ts';
import { redactedEventPieces } from './redacted-event-text.ts';

export interface CassetteWriterOptions {
  /** Creates the cassette file when the first event is written. */
  open(): CassetteFile;
  /** Header fields of this session; the recorder fills in the others. */
  about: Pick<Header, 'transport' | 'url'>;
  clock: Clock;
  gap: DelayPrecision;
  /** Makes the redactor of each cassette. Absent: no redaction. */
  redactor?: (() => Redactor) | undefined;
  /**
   * Called with a finished cassette that holds secrets which became known late. Runs `redactFinished`, now or later.
   */
  redactAgain(path: string, redactor: Redactor): void;
  /** Told of a finished cassette: where it lies, and whether anything of it was redacted. */
  finished?(path: string, hasRedacted: boolean): void;
  /** The cassettes that are written beside it. */
  openCassettes?: OpenFilePool;
  /**
   * Called with the path once the cassette has held its name for a turn of the event loop, and after each change of the
   * name.
   */
  named?(path: string): void;
  /** Told once, at once, when the cassette cannot be written; nothing more is written to it. */
  failed(error: unknown): void;
}

/** Writes events to a cassette, an event whole, the events of one turn of the event loop in one write. Never throws. */
export class CassetteWriter implements Suspendable {
  readonly #options: CassetteWriterOptions;
  readonly #gaps: EventDelays;
  readonly #openCassettes: OpenFilePool;
  #file: CassetteFile | undefined;
  /** The name it was opened under. */
  #path = '';
  /** The name that was told. */
  #named: string | undefined;
  #flushing = false;
  #broken = false;
  /** Redactor of this cassette; undefined without redaction. */
  readonly redactor: Redactor | undefined;
  /** How many secrets were known before anything was written. */
  #known = 0;

  constructor(options: CassetteWriterOptions) {
    this.#options = options;
    this.redactor = options.redactor?.();
    this.#gaps = new EventDelays(options.gap);
    this.#openCassettes = options.openCassettes ?? new OpenFilePool();
  }

  /** Where the cassette lies; undefined before there is one. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  write(frame: Frame): void {
    const { redactor } = this;
    this.attempt(() => {
      const pieces =
        redactor === undefined
          ? eventPieces(frame, this.gap(frame.at))
          : redactedEventPieces(redactBeforeWriting(frame, redactor), this.gap(frame.at), redactor);
      for (const piece of pieces) this.add(piece);
    });
  }

  /** The gap to write for an event at `at`; undefined: none. Events ask for theirs in the order of the cassette. */
  gap(at: Milliseconds): Milliseconds | undefined {
    return this.#gaps.next(at);
  }

  /** Appends text of an event. */
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
      this.flush();
      this.#tell();
    });
  }

  /** Hands what was added to the disk now, and not at the end of the turn. */
  flush(): void {
    if (this.#file?.isBehind) this.attempt(() => this.#ready().flush());
  }

  /** Gives the cassette the name that `name` makes of the one it was opened under, or the next free one after it. */
  rename(name: (path: string) => string): void {
    this.attempt(() => {
      const cassette = this.#ready();
      this.#openCassettes.making(() => cassette.rename(name(this.#path)));
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
    this.attempt(() => this.#file?.park());
  }

  /** Runs a file operation. After a failure the cassette is closed and later operations do nothing. */
  attempt(task: () => void): void {
    if (this.#broken) return;
    try {
      task();
    } catch (error) {
      this.#break(error);
    }
  }

  /** Ends the cassette. What was found to be a secret late is taken out of what was written before. */
  end(reason: string): void {
    this.attempt(() => {
      const cassette = this.#ready();
      cassette.add(endText(reason));
      cassette.close();
      this.#openCassettes.forget(this);
      const { redactor } = this;
      if (redactor && redactor.learnt().length > this.#known)
        this.#openCassettes.making(() => this.#options.redactAgain(cassette.path, redactor));
      this.#options.finished?.(cassette.path, redactor?.hasRedacted() ?? false);
    });
    this.#tell();
    this.#broken = true;
  }

  /** The cassette, open to be written to. */
  #ready(): CassetteFile {
    this.#file ??= this.#openCassettes.making(() => this.#open());
    const cassette = this.#file;
    if (cassette.isParked) this.#openCassettes.making(() => cassette.resume());
    this.#openCassettes.use(this);
    return cassette;
  }

  #break(error: unknown): void {
    this.#broken = true;
    this.#openCassettes.forget(this);
    this.#file?.abandon();
    this.#options.failed(error);
  }

  #open(): CassetteFile {
    const { open, clock, about } = this.#options;
    const recorded = `${clock.date().toISOString().slice(0, -5)}Z`;
    const recorder = `mcp-record ${packageVersion()}`;
    const cassette = open();
    this.#path = cassette.path;
    const { redactor } = this;
    this.#known = redactor?.learnt().length ?? 0;
    const url = about.url && redactor ? { url: redactor.url(about.url) } : {};
    cassette.add(headerText({ format: FORMAT, recorder, recorded, ...about, ...url }));
    // Now, and not as the turn ends: an empty file is no cassette, if we are killed meanwhile.
    cassette.flush();
    this.#flushLater();
    return cassette;
  }
}
