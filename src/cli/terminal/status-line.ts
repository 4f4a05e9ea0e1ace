import { truncate } from '../../text-report/printable-text.ts';

/** A stream that is a terminal. */
export interface StatusTerminal {
  columns?: number;
  write(text: string): unknown;
}

const LINE_START = '\r';
const REST_OF_LINE = '\u001b[K';
/** Columns of a terminal that does not know its size, and says 0. */
const COLUMNS = 80;

/** The last line of a terminal, which changes in place. */
export class StatusLine {
  readonly #terminal: StatusTerminal;
  #text = '';

  constructor(terminal: StatusTerminal) {
    this.#terminal = terminal;
  }

  /** Replaces the line. It is cut at the width, because a longer line could not be replaced. */
  show(text: string): void {
    const shown = truncate(text, (this.#terminal.columns || COLUMNS) - 1);
    if (shown === this.#text) return;
    this.#text = shown;
    this.#terminal.write(`${LINE_START}${shown}${REST_OF_LINE}`);
  }

  /** Prints lines that stay, above the line. */
  above(lines: string): void {
    this.around(() => this.#terminal.write(`${lines}\n`));
  }

  /** Removes the line while `print` prints, and shows it again. */
  around(print: () => void): void {
    const text = this.#text;
    this.clear();
    print();
    this.show(text);
  }

  clear(): void {
    this.show('');
  }
}
