import { Worker } from 'node:worker_threads';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { packageVersion } from '../kernel/installed-package.ts';
import { unguessable } from '../kernel/random.ts';
import type { OtlpTarget } from './otlp-target.ts';
import { END_MS_MAX, type ExportTotals } from './trace-exporter.ts';
import type { FromThread, ThreadData, ToThread } from './trace-thread.ts';

/** File that a recorder writes. Its path changes when it is renamed. */
interface WrittenFile {
  readonly path: string;
}

export interface LiveTracesOptions {
  target: OtlpTarget;
  clock: Clock;
  /** Called at most once, with the reason, when spans cannot be sent. */
  failed(why: string): void;
}

/** Extra time for the thread to answer after its own time limit. */
const GRACE: Milliseconds = 500;

/**
 * Traces the cassettes that this process writes. A thread reads the files and sends the spans, so recording a message
 * costs nothing extra, and only recorded content is sent.
 */
export class LiveTraces {
  readonly #options: LiveTracesOptions;
  readonly #thread: Worker;
  /** Files in progress, by the path that the thread knows. */
  readonly #files = new Map<string, { id: number; file: WrittenFile }>();
  #opened = 0;
  #isBroken = false;
  #ended: (totals: ExportTotals | undefined) => void = () => {};

  constructor(options: LiveTracesOptions) {
    this.#options = options;
    const creator = { name: 'mcp-record', version: packageVersion() };
    const workerData: ThreadData = { target: options.target, creator };
    this.#thread = new Worker(new URL(`./trace-thread${EXTENSION}`, import.meta.url), { workerData });
    this.#thread.unref();
    this.#thread.on('message', (message: FromThread) => {
      if (message.kind === 'failed') options.failed(message.why);
      else this.#ended(message.totals);
    });
    this.#thread.on('error', (error) => this.#break(messageOf(error)));
  }

  /** Follows a file from now on, when its recording begins. */
  follow(file: WrittenFile): void {
    const id = this.#opened++;
    const { path } = file;
    this.#files.set(path, { id, file });
    const startedAt = this.#options.clock.date().getTime();
    this.#tell({ kind: 'open', id, cassette: { path, startedAt, seed: unguessable() } });
  }

  /** Takes note that a file is at this path, perhaps under a new name. */
  named(path: string): void {
    if (this.#files.has(path)) return;
    for (const [known, { id, file }] of this.#files) {
      if (file.path === known) continue;
      this.#files.delete(known);
      this.#files.set(file.path, { id, file });
      this.#tell({ kind: 'rename', id, path: file.path });
    }
  }

  /** Takes note that a file is complete. */
  finished(path: string): void {
    this.named(path);
    this.#files.delete(path);
  }

  /** Sends the remaining spans within a bounded time. Undefined: the number of sent spans is unknown. */
  async end(): Promise<ExportTotals | undefined> {
    if (this.#isBroken) return undefined;
    const totals = await new Promise<ExportTotals | undefined>((resolve) => {
      this.#ended = resolve;
      this.#options.clock.after(END_MS_MAX + GRACE, () => resolve(undefined));
      this.#tell({ kind: 'end' });
    });
    await this.#thread.terminate();
    return totals;
  }

  #tell(message: ToThread): void {
    if (!this.#isBroken) this.#thread.postMessage(message);
  }

  #break(why: string): void {
    this.#isBroken = true;
    this.#options.failed(`the thread that sends them has ended: ${why}`);
    this.#ended(undefined);
  }
}

/** The thread's file has the extension of this file: `.ts` in development, `.js` when built. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
