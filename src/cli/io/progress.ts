/** A stream for progress output. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Callback with the completed and the total amount of work. */
export type Progress = (done: number, of: number) => void;

const LINE_START = '\r';
const REST_OF_LINE = '\u001b[K';

/**
 * Returns a function that shows progress in percent on one terminal line, and clears it at the end. Returns `undefined`
 * if the stream is not a terminal.
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
