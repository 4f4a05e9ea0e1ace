/** Output of runtimes after an uncaught error. */
const UNCAUGHT = /^Node\.js v\d|^Traceback \(most recent call last\)|^panic: |^Unhandled exception/m;

/**
 * Reports whether standard error shows that an uncaught error ended the program: the output of Node, Python, Go and
 * other runtimes.
 */
export function isUncaught(stderr: string): boolean {
  return UNCAUGHT.test(stderr);
}
