import { parentPort, Worker, workerData } from 'node:worker_threads';
import { McpRecordError } from '../../kernel/errors.ts';
import { LoadStats } from '../../load/load-stats.ts';
import { wholeArrivals } from '../../load/session-arrivals.ts';
import { type FromLoadWorker, type LoadWorkerData, serveLoadWorker, type ToLoadWorker } from './load-worker-thread.ts';
import type { LoadShareOptions, LoadShareResult } from './play-load-share.ts';

export interface LoadWorkersOptions extends Pick<LoadShareOptions, 'task' | 'progress' | 'aborted' | 'answered'> {
  workers: number;
}

type Ended = Extract<FromLoadWorker, { kind: 'ended' }>;

/**
 * Starts the threads of a load. Resolves when all are ready, to the function that starts their sessions at once, and
 * resolves to the results of all together.
 * @throws McpRecordError as `prepareLoadShare` and as its function. Ends the other threads.
 */
export async function prepareLoadWorkers(options: LoadWorkersOptions): Promise<() => Promise<LoadShareResult>> {
  const workers = Array.from({ length: options.workers }, (_, index) => new LoadWorker(index, options));
  const sendAll = (message: ToLoadWorker) => {
    for (const worker of workers) worker.send(message);
  };
  const terminate = () => Promise.all(workers.map((worker) => worker.terminate()));
  options.aborted.addEventListener('abort', () => sendAll('abort'), { once: true });
  try {
    await Promise.all(workers.map(({ ready }) => ready));
  } catch (error) {
    await terminate();
    throw error;
  }
  return async () => {
    try {
      sendAll('start');
      return wholeResult(await Promise.all(workers.map(({ ended }) => ended)));
    } finally {
      await terminate();
    }
  };
}

class LoadWorker {
  readonly ready: Promise<void>;
  readonly ended: Promise<Ended>;
  readonly #thread: Worker;

  constructor(index: number, { task, progress, workers, answered }: LoadWorkersOptions) {
    const data: LoadWorkerData = { isLoadWorker: true, task, share: { index, workers }, progress: progress.memory };
    const thread = new Worker(new URL(import.meta.url), { workerData: data });
    this.#thread = thread;
    const failed = new Promise<never>((_, reject) => {
      thread.on('error', reject);
      thread.on('exit', () => reject(new Error('a worker of the load ended before it had played its share')));
      thread.on('message', (message: FromLoadWorker) => {
        if (message.kind === 'failed') reject(new McpRecordError(message.problem));
        else if (message.kind === 'answered') answered();
      });
    });
    const message = <Kind extends FromLoadWorker['kind']>(kind: Kind) =>
      new Promise<Extract<FromLoadWorker, { kind: Kind }>>((resolve) => {
        thread.on('message', (message: FromLoadWorker) => {
          if (message.kind === kind) resolve(message as Extract<FromLoadWorker, { kind: Kind }>);
        });
      });
    this.ready = Promise.race([message('ready'), failed]).then(() => {});
    this.ended = Promise.race([message('ended'), failed]);
    // Both reject; one is awaited first.
    for (const promise of [this.ready, this.ended]) promise.catch(() => {});
  }

  send(message: ToLoadWorker): void {
    this.#thread.postMessage(message);
  }

  async terminate(): Promise<void> {
    await this.#thread.terminate();
  }
}

function wholeResult(ended: readonly Ended[]): LoadShareResult {
  const stats = new LoadStats();
  for (const { stats: cloned } of ended) stats.addThread(cloned);
  const results = ended.map(({ result }) => result);
  const longest = (times: readonly number[]) => Math.max(...times);
  return {
    stats,
    arrivals: wholeArrivals(results.map(({ arrivals }) => arrivals)),
    duration: longest(results.map(({ duration }) => duration)),
    processDelay: longest(results.map(({ processDelay }) => processDelay)),
  };
}

// A thread starts with this module: an entry of its own would divide the program into more files.
if (parentPort && (workerData as Partial<LoadWorkerData> | null)?.isLoadWorker) {
  void serveLoadWorker(parentPort, workerData as LoadWorkerData);
}
