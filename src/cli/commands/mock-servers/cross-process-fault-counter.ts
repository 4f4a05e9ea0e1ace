import { LogFile } from '../../../cassette/write/log-file.ts';
import { AppendedLines } from '../../../kernel/appended-lines.ts';
import { attempt } from '../../reports/wrap-thrown-error.ts';

/** Line of a match: the rule set, the rule and the process. */
const MATCH = /^\d+\.\d+ \d/;

/** Numbers the matches of fault rules across all processes that share a file. Each line of the file is a match. */
export class CrossProcessFaultCounter {
  readonly #file: string;
  readonly #log: LogFile;
  readonly #lines: AppendedLines;
  /** Number of matches, by set and rule. */
  readonly #counts = new Map<string, number>();

  /**
   * Opens the file.
   * @throws McpRecordError USAGE_CANNOT_WRITE
   */
  constructor(file: string) {
    this.#file = file;
    this.#lines = new AppendedLines(file);
    this.#log = new LogFile(file, MATCH);
    attempt(() => this.#log.append(''), {
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write the matches of faults to ${file}`,
      next: 'Name a file in a folder that exists and may be written to.',
    });
  }

  /** Returns the next number of a rule, from 1. Each process gets different numbers. */
  next(set: number, rule: number): number {
    const key = `${set}.${rule}`;
    // Reads existing lines before writing: an earlier process may have had the same process id.
    for (const line of this.#lines.next()) this.#count(line);
    const own = `${key} ${process.pid}`;
    this.#log.append(`${own}\n`);
    let number: number | undefined;
    for (const line of this.#lines.next()) {
      const count = this.#count(line);
      if (line === own) number = count;
    }
    if (number === undefined) throw new Error(`the line "${own}" is not in ${this.#file}`);
    return number;
  }

  #count(line: string): number {
    const [key = ''] = line.split(' ', 1);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
