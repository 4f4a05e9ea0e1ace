/** Vitest's data on the running test file, in a global variable of its worker. */
interface Worker {
  filepath?: string;
  config?: { snapshotOptions?: { updateSnapshot?: string } };
}

/** Returns the worker of Vitest. Undefined: another runner runs the tests. */
export function vitestWorker(): Worker | undefined {
  return (globalThis as { __vitest_worker__?: Worker }).__vitest_worker__;
}

/** Reports whether Vitest runs with `-u`. */
export function isVitestUpdate(): boolean {
  return vitestWorker()?.config?.snapshotOptions?.updateSnapshot === 'all';
}
