import { formatCount } from '../kernel/format-count.ts';

/** A line of a stack trace of Node, or an empty line. */
const FRAME = /^\s*(?:at .*)?$/;

/** Maximum length of a line, in UTF-16 code units: a crash in a bundle prints a line of its minified source. */
const LENGTH_MAX = 300;

/** Default number of lines, enough for an error message and the output before. */
const LINES: number = 8;

/**
 * Returns the last lines of a program's standard error. If there are more than `max`, the frames of stack traces are
 * left out first, so that the message above them stays. A long line is cut, and says how much is left out.
 */
export function lastLines(stderr: string, max: number = LINES): readonly string[] {
  const lines = stderr.trim().split('\n');
  const shown = lines.length <= max ? lines : lines.filter((line) => !FRAME.test(line)).slice(-max);
  return shown.map(cut);
}

function cut(line: string): string {
  if (line.length <= LENGTH_MAX) return line;
  // A character outside the basic plane has two code units.
  const kept = line.slice(0, LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${formatCount(line.length - kept.length, 'more character')})`;
}
