import type { Side } from '../../channel/frame.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import { AppendedLines } from '../../kernel/appended-lines.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** A line of the processes' log: a message, a finding, a fired fault, or the start or end of a process. */
export interface ProcessLogLine {
  pid: number;
  state?: 'started' | 'ended';
  kind?: Finding['kind'];
  text?: string;
  varies?: string;
  breaksProtocol?: boolean;
  differsAt?: readonly string[];
  fired?: Fired;
  /** Match of a rule whose fault changed nothing. */
  unchanged?: Unchanged;
  /** Number of the rule's set, counted from 1. */
  set?: number;
  from?: Side;
  message?: unknown;
}

/** Reads the log of processes that play a mock server: a file to which each process appends JSON lines. */
export class ProcessLogReader {
  readonly #lines: AppendedLines;

  constructor(file: string) {
    this.#lines = new AppendedLines(file);
  }

  /** Returns the lines added since the last call. */
  next(): ProcessLogLine[] {
    return this.#lines.next().map((line) => JSON.parse(line) as ProcessLogLine);
  }
}
