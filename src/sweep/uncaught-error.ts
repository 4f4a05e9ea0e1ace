/** Output of runtimes after an uncaught error. */
const UNCAUGHT = /^Node\.js v\d|^Traceback \(most recent call last\)|^panic: |^Unhandled exception/m;

/**
 * Whether a program says on standard error that an error ended it which nobody caught: Node, Python, Go and others
 * print it so.
 */
export function isUncaught(stderr: string): boolean {
  return UNCAUGHT.test(stderr);
}
