import type { MessagePort } from 'node:worker_threads';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { McpRecordError, type Problem } from '../../kernel/errors.ts';
import { LoadProgress } from '../../load/load-progress.ts';
import type { ClonedStats } from '../../load/load-stats.ts';
import type { LoadShare } from '../../load/session-arrivals.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { redactStep } from '../../verify/compare/redact-outcome.ts';
import { rulesFrom } from '../options/redaction-options.ts';
import { type LoadShareResult, type LoadTask, prepareLoadShare } from './play-load-share.ts';

/** Start data of the thread. */
export interface LoadWorkerData {
  /** Distinguishes the thread from threads of others that load this module. */
  isLoadWorker: true;
  task: LoadTask;
  share: LoadShare;
  /** Memory of the `LoadProgress` of all workers. */
  progress: SharedArrayBuffer;
}

/** Message to the thread. */
export type ToLoadWorker = 'start' | 'abort';

/** Message of the thread. `ready` comes first, `answered` with the first answer, and one of the others at the end. */
export type FromLoadWorker =
  | { kind: 'ready' | 'answered' }
  | { kind: 'ended'; result: Omit<LoadShareResult, 'stats'>; stats: ClonedStats }
  | { kind: 'failed'; problem: Omit<Problem, 'cause'> };

/** Plays a share of a load in this thread. */
export async function serveLoadWorker(port: MessagePort, data: LoadWorkerData): Promise<void> {
  try {
    await playShare(port, data);
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    const { cause: _, ...problem } = error.problem;
    port.postMessage({ kind: 'failed', problem } satisfies FromLoadWorker);
  }
}

async function playShare(port: MessagePort, { task, share, progress }: LoadWorkerData): Promise<void> {
  const send = (message: FromLoadWorker) => port.postMessage(message);
  const aborted = new AbortController();
  const started = new Promise<void>((resolve) => {
    port.on('message', (message: ToLoadWorker) => {
      if (message === 'start') resolve();
      else aborted.abort();
    });
  });
  const redactor = createRedactor({ env: process.env, ...task.given, ...(await rulesFrom(task.options)) });
  let isAnswered = false;
  const play = await prepareLoadShare({
    task,
    share,
    redactor,
    cassettes: task.files.map((file) => loadCassette(file)),
    progress: new LoadProgress(progress),
    aborted: aborted.signal,
    answered: () => {
      if (!isAnswered) send({ kind: 'answered' });
      isAnswered = true;
    },
  });
  send({ kind: 'ready' });
  await started;
  const { stats, ...result } = await play();
  // Only this thread's redactor has seen its messages.
  send({ kind: 'ended', result, stats: stats.cloneable((step) => redactStep(step, redactor.json)) });
}
