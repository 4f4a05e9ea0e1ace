/** Output of runtimes after an uncaught error. */
const UNCAUGHT = /^Node\.js v\d|^Traceback \(most recent call last\)|^panic: |^Unhandled exception/m;

/**
 * Reports whether standard error shows that an uncaught error ended the program: the output of Node, Python, Go and
 * other runtimes.
 */
export function isUncaught(stderr: string): boolean {
  return UNCAUGHT.test(stderr);
}

/** Errors, as runtimes print them: `TypeError: …`, `json.decoder.JSONDecodeError: …`, `panic: …`. */
const ERROR =
  /^\s*(?:Uncaught )?((?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)|Error|panic)\b(?: \[\w+\])?)(?::\s*(.*))?$/gm;
/** Frames of the program itself, in Node and in Python. */
const NODE_FRAME = /^\s+at (?:.*\()?((?:file:\/\/|[A-Za-z]:\\|\/)[^()]*:\d+):\d+\)?$/m;
const PYTHON_FRAME = /^ {2}File "(.*)", line (\d+)/gm;

/**
 * Returns what identifies an uncaught error: its name, and the line that threw it, or else its message without numbers.
 * Undefined: standard error shows none.
 */
export function uncaughtErrorIdentity(stderr: string): string | undefined {
  if (!isUncaught(stderr)) return undefined;
  const errors = [...stderr.matchAll(ERROR)];
  const python = [...stderr.matchAll(PYTHON_FRAME)].at(-1);
  const [, name = 'an uncaught error', message = ''] = (python ? errors.at(-1) : errors[0]) ?? [];
  const line = python ? `${python[1]}:${python[2]}` : NODE_FRAME.exec(stderr)?.[1];
  return line === undefined ? `${name}: ${message.replaceAll(/\d+/g, 'N')}` : `${name} at ${line}`;
}
