import type { Side } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { AppendedLines } from '../../kernel/appended-lines.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** A line of the log that processes append to: a message, something found, a fault that happened, or a process that starts or ends. */
export interface ProcessLogLine {
  pid: number;
  state?: 'started' | 'ended';
  kind?: Finding['kind'];
  text?: string;
  varies?: string;
  fired?: Fired;
  /** Of which rules, counted from 1, it is one. */
  set?: number;
  from?: Side;
  message?: unknown;
}

/** Reads the log of the processes that play a mock server: a file to which each appends lines of JSON. */
export class ProcessLogReader {
  readonly #lines: AppendedLines;

  constructor(file: string) {
    this.#lines = new AppendedLines(file);
  }

  /** The lines that are new since the last call. */
  next(): ProcessLogLine[] {
    return this.#lines.next().map((line) => JSON.parse(line) as ProcessLogLine);
  }
}
