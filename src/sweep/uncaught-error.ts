/** Standard error of a runtime after an uncaught error. */
interface UncaughtOutput {
  /** Output that shows that nobody caught the error. */
  shows: RegExp;
  /** Returns what identifies the error: its name, and the line that threw it or its message. Undefined: it is not known. */
  identify(shown: RegExpExecArray, stderr: string): string | undefined;
}

/** Errors, as runtimes print them: `TypeError: …`, `json.decoder.JSONDecodeError: …`, `panic: …`. */
const ERROR =
  /^\s*(?:Uncaught )?((?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)|Error|panic)\b(?: \[\w+\])?)(?::\s*(.*))?$/gm;
/** Frames of the program itself, in Node, Python and Java. */
const NODE_FRAME = /^\s+at (?:.*\()?((?:file:\/\/|[A-Za-z]:\\|\/)[^()]*:\d+):\d+\)?$/m;
const PYTHON_FRAME = /^ {2}File "(.*)", line (\d+)/gm;
const JAVA_FRAME = /^\s+at (?!java[./]|javax\.|jdk\.|sun\.|java\.base\/)[^(]*\(([^():]+:\d+)\)/m;

const byFirstError = (_shown: RegExpExecArray, stderr: string) => {
  const [first] = stderr.matchAll(ERROR);
  return first && named(first[1]!, NODE_FRAME.exec(stderr)?.[1], first[2]);
};

/** Output of each runtime. A program that prints several is known by the first of these. */
const OUTPUTS: readonly UncaughtOutput[] = [
  // Python
  {
    shows: /^Traceback \(most recent call last\)/m,
    identify(_shown, stderr) {
      const frame = [...stderr.matchAll(PYTHON_FRAME)].at(-1);
      const error = [...stderr.matchAll(ERROR)].at(-1);
      return frame && named(error?.[1] ?? 'an uncaught error', `${frame[1]}:${frame[2]}`);
    },
  },
  // Rust: `thread 'main' (17) panicked at src/main.rs:4:5:`, and before 1.73 `panicked at 'message', src/main.rs:4:5`
  {
    shows: /^thread '.*' (?:\(\d+\) )?panicked at (?:'.*', )?(\S.*?:\d+):\d+:?$/m,
    identify: ([, place]) => named('panic', place),
  },
  // Java and Kotlin
  {
    shows: /^Exception in thread ".*" ([\w.$]+)(?:: (.*))?$/m,
    identify: ([, name = '', message], stderr) => named(name, JAVA_FRAME.exec(stderr)?.[1], message),
  },
  // Ruby: `app.rb:3:in 'Integer#/': divided by 0 (ZeroDivisionError)`, and before 3.4 with a backtick
  {
    shows: /^(\S.*?:\d+):in [`'].*': .* \(((?:[A-Z]\w*(?:::)?)+)\)$/m,
    identify: ([, place, name = '']) => named(name, place),
  },
  // Node
  { shows: /^Node\.js v\d/m, identify: byFirstError },
  // Go
  { shows: /^(panic): (.*)/m, identify: ([, name = '', message]) => named(name, undefined, message) },
  {
    shows: /^(fatal error): (.*)\n\n(?:goroutine \d|runtime stack)/m,
    identify: ([, name = '', message]) => named(name, undefined, message),
  },
  // .NET, and others that say so
  { shows: /^Unhandled exception/m, identify: byFirstError },
];

/** Identity of an error whose name is not known. */
export const UNKNOWN_ERROR = 'an uncaught error';

/** Reports whether standard error shows an uncaught error, as Node, Python, Go, Rust, Java, Ruby and others print it. */
export function isUncaught(stderr: string): boolean {
  return OUTPUTS.some(({ shows }) => shows.test(stderr));
}

/**
 * Returns what identifies an uncaught error: its name, and the line that threw it, or else its message without numbers.
 * Undefined: standard error shows none.
 */
export function uncaughtErrorIdentity(stderr: string): string | undefined {
  for (const { shows, identify } of OUTPUTS) {
    const shown = shows.exec(stderr);
    if (shown) return identify(shown, stderr) ?? named(UNKNOWN_ERROR);
  }
  return undefined;
}

function named(name: string, place?: string, message = ''): string {
  return place === undefined ? `${name}: ${message.replaceAll(/\d+/g, 'N')}` : `${name} at ${place}`;
}
