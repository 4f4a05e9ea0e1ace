import { type OutcomePaint, stepLine } from '../../text-report/check-outcome-text.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { printable } from '../../text-report/printable-text.ts';
import { StatusLine, type StatusTerminal } from './status-line.ts';

/**
 * Live list of the steps of a check on a terminal: finished steps, and below them a status line with pending requests.
 */
export class LiveSteps {
  readonly #paint: OutcomePaint;
  readonly #status: StatusLine;
  readonly #shown = new Set<string>();
  /** Titles of pending requests, by line. */
  readonly #waiting = new Map<number, string>();

  constructor(terminal: StatusTerminal, paint: OutcomePaint) {
    this.#paint = paint;
    this.#status = new StatusLine(terminal);
  }

  /** Shows that a step has begun. */
  began({ title, line = 0 }: Step): void {
    this.#waiting.set(line, title);
    this.#draw();
  }

  /** Prints a finished step with its result. */
  ended(step: Step): void {
    const line = stepLine(step, this.#paint);
    this.#shown.add(line);
    this.#status.above(line);
  }

  /** Removes the pending request at `line` from the status line. */
  answered(line: number): void {
    this.#waiting.delete(line);
    this.#draw();
  }

  /** Removes the status line and keeps the steps. */
  finish(): void {
    this.#status.clear();
  }

  isShown(line: string): boolean {
    return this.#shown.has(line);
  }

  #draw(): void {
    const titles = [...this.#waiting.values()];
    const more = titles.length > 1 ? ` and ${titles.length - 1} more` : '';
    this.#status.show(titles.length === 0 ? '' : `… ${printable(titles[0]!)}${more}`);
  }
}
