import type { Problem } from '../../../kernel/errors.ts';
import type { View } from '../report-data-types.ts';

/** File as browsers hand it over. */
export interface OpenedFile {
  name: string;
  size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Request to the worker: read these files and create a report. */
export interface OpenRequest {
  files: readonly OpenedFile[];
}

/** Message of the worker: progress first, then the result. */
export type WorkerMessage = OpenProgress | OpenedCassettes;

export interface OpenProgress {
  kind: 'progress';
  /** Name of the file being read, or of a later step. */
  doing: string;
  /** Part that is done, from 0 to 1. Absent: unknown. */
  done?: number;
}

/** Views of a report page, with the problems of unreadable files. */
export interface OpenedCassettes {
  kind: 'opened';
  views: View[];
  problems: FileProblem[];
}

/** Reason why a file is not opened, without values that only programs read. */
export type FileProblem = Pick<Problem, 'code' | 'what' | 'why' | 'next' | 'place'>;
