import { FORMAT, type Header } from '../../cassette/cassette.ts';
import type { Bytes, CassetteFile } from '../../cassette/write/cassette-file.ts';
import { endText, eventPieces, headerText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import { type Clock, laterDate, type Milliseconds } from '../../kernel/clock.ts';
import { packageVersion } from '../../kernel/installed-package.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { type DelayPrecision, EventDelays } from './event-delays.ts';
import { OpenFilePool, type Suspendable } from './open-file-pool.ts';
import { redactBeforeWriting } from './redact-before-writing.ts';
import { redactedEventPieces } from './redacted-event-text.ts';

export interface CassetteWriterOptions {
  /** Creates the cassette file when the first event is written. */
  open(): CassetteFile;
  /** Header fields of this session. The writer adds the others. */
  about: Pick<Header, 'transport' | 'url'>;
  clock: Clock;
  gap: DelayPrecision;
  /** Creates the redactor of a cassette. Absent: no redaction. */
  redactor?: (() => Redactor) | undefined;
  /**
   * Called with a finished cassette that contains secrets which became known late. It has to run `redactFinished`, now
   * or later.
   */
  redactAgain(path: string, redactor: Redactor): void;
  /** Called with the path of a finished cassette, and its redactor, which knows whether it has redacted anything. */
  finished?(path: string, redactor: Redactor | undefined): void;
  /** Pool of open files, shared with other cassettes. */
  openCassettes?: OpenFilePool;
  /** Called with the path after a new name has lasted one turn of the event loop, and after each later rename. */
  named?(path: string): void;
  /** Called once, immediately, when writing fails. The cassette then stays as it is. */
  failed(error: unknown): void;
}

/**
 * Writer of events to a cassette. The events of one turn of the event loop are written in one call. It never throws.
 */
export class CassetteWriter implements Suspendable {
  readonly #options: CassetteWriterOptions;
  readonly #gaps: EventDelays;
  readonly #openCassettes: OpenFilePool;
  #file: CassetteFile | undefined;
  /** Path at the time of opening. */
  #path = '';
  /** Path last passed to `named`. */
  #named: string | undefined;
  #flushing = false;
  #broken = false;
  /** Redactor of this cassette. Undefined: no redaction. */
  readonly redactor: Redactor | undefined;
  /** Number of secrets known before the first write. */
  #known = 0;
  /** Time of the first event. Undefined before it. */
  #first: Milliseconds | undefined;

  constructor(options: CassetteWriterOptions) {
    this.#options = options;
    this.redactor = options.redactor?.();
    this.#gaps = new EventDelays(options.gap);
    this.#openCassettes = options.openCassettes ?? new OpenFilePool();
  }

  /** Path of the cassette. Undefined before the first event. */
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

  /**
   * Returns the delay to write for an event at `at`. Undefined: none. Events must call it in the order of the cassette.
   */
  gap(at: Milliseconds): Milliseconds | undefined {
    this.#first ??= at;
    return this.#gaps.next(at);
  }

  /** Appends text of an event. */
  add(text: string): void {
    this.attempt(() => {
      this.#ready().add(text);
      this.#flushLater();
    });
  }

  /** Adds an event at `at` that writes its bytes itself. False: it could not. */
  addBytes(event: Bytes, at: Milliseconds): boolean {
    if (this.#broken) return false;
    this.#first ??= at;
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

  /** Writes pending text to disk now instead of at the end of the turn. */
  flush(): void {
    if (this.#file?.isBehind) this.attempt(() => this.#ready().flush());
  }

  /**
   * Renames the cassette. `name` maps its original path to the new one. If that is taken, the next free name is used.
   */
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

  /** Ends the cassette. Secrets that became known late are removed from earlier events. */
  end(reason: string): void {
    this.attempt(() => {
      const cassette = this.#ready();
      cassette.add(endText(reason));
      cassette.close();
      this.#openCassettes.forget(this);
      const { redactor } = this;
      if (redactor && redactor.knownCount() > this.#known)
        this.#openCassettes.making(() => this.#options.redactAgain(cassette.path, redactor));
      this.#tell();
      this.#options.finished?.(cassette.path, redactor);
    });
    this.#tell();
    this.#broken = true;
  }

  /** Returns the cassette file, opened for writing. */
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
    // The first event may be written later than it passed: over HTTP, when the response names its session.
    const waited = this.#first === undefined ? 0 : clock.now() - this.#first;
    const recorded = laterDate(clock.date(), -waited).toISOString();
    const recorder = `mcp-record ${packageVersion()}`;
    const cassette = open();
    this.#path = cassette.path;
    const { redactor } = this;
    this.#known = redactor?.knownCount() ?? 0;
    const url = about.url && redactor ? { url: redactor.url(about.url) } : {};
    const redactRules = redactor?.listedRules();
    const rules = redactRules && { redactRules };
    cassette.add(headerText({ format: FORMAT, recorder, recorded, ...about, ...url, ...rules }));
    // Flushes immediately. A process killed before the end of the turn would leave an empty file, which is not a
    // cassette.
    cassette.flush();
    this.#flushLater();
    return cassette;
  }
}
