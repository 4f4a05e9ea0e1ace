import { countsText, type GridResult, type GridVerdicts, placeText } from '../../sweep/grid-text.ts';
import { printable } from '../../text-report/printable-text.ts';
import { say } from '../io/output.ts';
import { StatusLine, type StatusTerminal } from './status-line.ts';

export interface SweepProgressOptions<Verdict extends string> {
  /** Terminal for the progress. Other streams show no progress. */
  terminal: StatusTerminal & { isTTY?: boolean };
  /** Name of the cassette. */
  file: string;
  /** Number of points. */
  of: number;
  verdicts: GridVerdicts<Verdict>;
  /** Paints a verdict that fails the sweep. */
  bad(text: string): string;
}

/**
 * Shows the progress of a sweep on a terminal: a status line with counts and the latest point, and above it each point
 * that fails the sweep.
 */
export class SweepProgress<Verdict extends string> {
  readonly #options: SweepProgressOptions<Verdict>;
  readonly #status: StatusLine | undefined;
  readonly #results: GridResult<Verdict>[] = [];
  #leftOut = 0;

  constructor(options: SweepProgressOptions<Verdict>) {
    this.#options = options;
    this.#status = options.terminal.isTTY ? new StatusLine(options.terminal) : undefined;
    this.#status?.show(`0 of ${options.of} points: the first run, without any fault, has not ended yet`);
  }

  /** Prints a permanent text, on any kind of stream. */
  note(text: string): void {
    if (this.#status === undefined) say(text);
    else this.#status.around(() => say(text));
  }

  /** Subtracts skipped points from the total. */
  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  /** Shows the result of a point. */
  done(result: GridResult<Verdict>): void {
    const { file, verdicts, bad } = this.#options;
    const of = this.#options.of - this.#leftOut;
    const { verdict, point } = result;
    this.#results.push(result);
    if (verdicts.bad.has(verdict)) this.#status?.above(`${bad(verdict)} ${printable(placeText(point, file))}`);
    if (this.#status === undefined) return;
    const counts = countsText(this.#results, verdicts);
    this.#status.show(`${this.#results.length} of ${of} points: ${counts} · ${verdict} ${point.name}`);
  }

  /** Removes the status line. */
  finish(): void {
    this.#status?.clear();
  }
}
