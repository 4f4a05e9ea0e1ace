/** A line of a stack trace of Node, or an empty line. */
const FRAME = /^\s*(?:at .*)?$/;

/** Default number of lines, enough for an error message and the output before. */
const LINES: number = 8;

/**
 * Returns the last lines of a program's standard error. If there are more than `max`, the frames of stack traces are
 * left out first, so that the message above them stays.
 */
export function lastLines(stderr: string, max: number = LINES): readonly string[] {
  const lines = stderr.trim().split('\n');
  if (lines.length <= max) return lines;
  return lines.filter((line) => !FRAME.test(line)).slice(-max);
}
