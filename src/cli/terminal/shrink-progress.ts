import type { Milliseconds } from '../../kernel/clock.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { roundedUpTime } from '../../sweep/expected-duration.ts';
import type { Shrunk } from '../../sweep/shrink/shrink-failure.ts';
import { StatusLine, type StatusTerminal } from './status-line.ts';

/** How far a search for a smaller cassette is: one line on a terminal, or a line for each cassette with fewer messages in a log. */
export class ShrinkProgress {
  readonly #status: StatusLine | undefined;
  readonly #say: (text: string) => void;
  #messages: number | undefined;

  constructor(terminal: StatusTerminal & { isTTY?: boolean }, say: (text: string) => void) {
    this.#status = terminal.isTTY ? new StatusLine(terminal) : undefined;
    this.#say = say;
  }

  /** The search begins, and takes about this time if its budget ends it. */
  expected(time: Milliseconds): void {
    this.#status?.clear();
    this.#say(`the search and its last runs take ${roundedUpTime(time)} at most, about: --budget sets it`);
  }

  /** A run of the program under test begins. */
  running(runs: number, messages: number): void {
    this.#status?.show(`${formatCount(runs, 'run')}: ${formatCount(messages, 'message')} left`);
  }

  /** A smaller cassette fails in the same way. */
  found({ messages, messagesBefore, runs }: Pick<Shrunk, 'messages' | 'messagesBefore' | 'runs'>): void {
    if (this.#status || messages === (this.#messages ?? messagesBefore)) return;
    this.#messages = messages;
    this.#say(`${messages} of ${formatCount(messagesBefore, 'message')} left after ${formatCount(runs, 'run')}`);
  }

  /** Removes the line. */
  finish(): void {
    this.#status?.clear();
  }
}
