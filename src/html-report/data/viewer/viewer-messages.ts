import type { Problem } from '../../../kernel/errors.ts';
import type { View } from '../report-data-types.ts';

/** File as browsers hand it over. */
export interface OpenedFile {
  name: string;
  size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What the page that opens cassettes asks of its worker: to read these files, and to make a report of them. */
export interface OpenRequest {
  files: readonly OpenedFile[];
}

/** What a worker sends: where it is, then what it has made. */
export type WorkerMessage = OpenProgress | OpenedCassettes;

export interface OpenProgress {
  kind: 'progress';
  /** Name of the file that is being read, or a step after it. */
  doing: string;
  /** Part that is done, from 0 to 1. Absent: unknown. */
  done?: number;
}

/** Views of a report page, and why files could not be opened. */
export interface OpenedCassettes {
  kind: 'opened';
  views: View[];
  problems: FileProblem[];
}

/** Reason why a file is not opened, without values that only programs read. */
export type FileProblem = Pick<Problem, 'code' | 'what' | 'why' | 'next' | 'place'>;
