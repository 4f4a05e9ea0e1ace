import { countsText, type GridResult, type GridVerdicts, placeText } from '../../sweep/grid-text.ts';
import { printable } from '../../text-report/printable-text.ts';
import { say } from '../io/output.ts';
import { StatusLine, type StatusTerminal } from './status-line.ts';

export interface SweepProgressOptions<Verdict extends string> {
  /** Nothing is shown where this is no terminal. */
  terminal: StatusTerminal & { isTTY?: boolean };
  /** Name of the cassette. */
  file: string;
  /** Number of points. */
  of: number;
  verdicts: GridVerdicts<Verdict>;
  /** Paints a verdict that fails the sweep. */
  bad(text: string): string;
}

/** How far a sweep is, on a terminal: its counts and the last point in one line, and above it each point that fails the sweep. */
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

  /** Prints a text that stays, where this is no terminal, too. */
  note(text: string): void {
    if (this.#status === undefined) say(text);
    else this.#status.around(() => say(text));
  }

  /** Takes points away that are not run. */
  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  /** Shows a point, and what it came to. */
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

  /** Removes the line. */
  finish(): void {
    this.#status?.clear();
  }
}
