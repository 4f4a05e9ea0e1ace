/** Where people look while they wait. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Told how much is done, of how much. */
export type Progress = (done: number, of: number) => void;

const LINE_START = '\r';
const REST_OF_LINE = '\u001b[K';

/**
 * Says in one line of a terminal how far `what` is, in percent, and clears the line when it is done. Undefined where nobody looks:
 * progress is no part of the output.
 */
export function progressOn(terminal: Terminal, what: string): Progress | undefined {
  if (terminal.isTTY !== true) return undefined;
  let said = '';
  return (done, of) => {
    const words = done >= of ? '' : `${what} ${Math.floor((done / of) * 100)} %`;
    if (words === said) return;
    said = words;
    terminal.write(`${LINE_START}${words}${REST_OF_LINE}`);
  };
}
