import { type Signal, signal } from '@preact/signals';
import type { FileProblem, OpenProgress, OpenRequest, WorkerMessage } from '../../data/viewer/viewer-messages.ts';
import { PageState } from '../page-state.ts';
import { droppedFiles } from './dropped-files.ts';
import { startWorker } from './start-worker.ts';

/** State of the page that opens cassettes: progress of reading, problems, and the open report. */
export class ViewerState {
  /** Undefined: nothing is being read. */
  readonly progress: Signal<OpenProgress | undefined> = signal(undefined);
  readonly problems: Signal<readonly FileProblem[]> = signal([]);
  readonly report: Signal<PageState | undefined> = signal(undefined);
  readonly #code: Promise<string>;
  #worker: Worker | undefined;

  /** @param code the script of the worker that reads files */
  constructor(code: Promise<string>) {
    this.#code = code;
  }

  /** Opens what was dropped. */
  async drop(dropped: DataTransfer): Promise<void> {
    const { files, problems } = droppedFiles(dropped);
    if (files.length > 0 || problems.length > 0) await this.open(files, problems);
  }

  /** Reads files in a worker, so that the page stays usable. `problems`: of what else was given. */
  async open(files: readonly File[], problems: readonly FileProblem[] = []): Promise<void> {
    this.cancel();
    this.problems.value = [];
    if (files.length === 0) return this.#show({ kind: 'opened', views: [], problems: [...problems] });
    this.progress.value = { kind: 'progress', doing: 'Starting' };
    const worker = startWorker(await this.#code);
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === 'progress') this.progress.value = data;
      else this.#show({ ...data, problems: [...problems, ...data.problems] });
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#show({ kind: 'opened', views: [], problems: [...problems, failed(files, event.message)] });
    };
    worker.postMessage({ files } satisfies OpenRequest);
  }

  /** Stops reading. An open report stays. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.progress.value = undefined;
  }

  #show({ views, problems }: Extract<WorkerMessage, { kind: 'opened' }>): void {
    this.cancel();
    this.problems.value = problems;
    if (views.length === 0) return;
    this.report.value?.leave();
    const state = new PageState(views);
    // The URL fragment refers to the first report only.
    if (this.report.value !== undefined) history.replaceState(undefined, '', '#');
    this.report.value = state;
    state.follow();
    document.title = `${views[0]!.title} · mcp-record`;
  }
}

function failed(files: readonly File[], why: string): FileProblem {
  return {
    code: 'CASSETTE_UNREADABLE',
    what: `Cannot read ${files.map(({ name }) => name).join(', ')}`,
    why: why || 'the browser ended the worker that read it',
    next: 'Write the page on the command line, which has more memory: mcp-record report -o report.html FILE',
  };
}
