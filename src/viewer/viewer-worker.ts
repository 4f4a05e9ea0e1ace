import type { OpenRequest, WorkerMessage } from '../html-report/data/viewer/viewer-messages.ts';
import { openCassettes } from './open-cassettes.ts';

/** Members of a web worker's global scope. */
interface WorkerScope {
  onmessage: ((event: { data: OpenRequest }) => void) | null;
  postMessage(message: WorkerMessage): void;
}

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = async ({ data: { files } }) => {
  scope.postMessage(await openCassettes(files, (progress) => scope.postMessage(progress)));
};
