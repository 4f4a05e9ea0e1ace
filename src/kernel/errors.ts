/** Position of a problem in a file. Line and column count from 1. */
export interface Place {
  file: string;
  line: number;
  column?: number;
  /** Text of the line, printed with a caret under `column`. */
  text?: string;
}

/** The four parts of every error of this package, and the data that programs read. */
export interface Problem {
  /** Stable name in SCREAMING_SNAKE_CASE, for troubleshooting pages and programs. */
  code: string;
  /** The action that failed, as a sentence without its full stop. */
  what: string;
  /** The reason, as a clause without its full stop. */
  why: string;
  /** Advice, as one or more sentences. */
  next: string;
  place?: Place;
  /** Shown as a diff by test runners. */
  expected?: unknown;
  actual?: unknown;
  cause?: unknown;
}

/** Error with data, which formats its own message. Each module words its own problems. */
export class McpRecordError extends Error {
  override readonly name = 'McpRecordError';
  readonly code: string;
  readonly problem: Problem;
  readonly expected?: unknown;
  readonly actual?: unknown;

  constructor(problem: Problem) {
    super(describe(problem), problem.cause === undefined ? undefined : { cause: problem.cause });
    this.code = problem.code;
    this.problem = problem;
    if ('expected' in problem) this.expected = problem.expected;
    if ('actual' in problem) this.actual = problem.actual;
  }
}

function describe({ code, what, why, next, place }: Problem): string {
  // A reason may end in a question mark: `did you mean content?`.
  return `${what}: ${why}${/[.?!]$/.test(why) ? '' : '.'} [${code}]${place ? excerpt(place) : ''}\n  ${next}`;
}

const EXCERPT_WIDTH = 100;

function excerpt({ file, line, column, text }: Place): string {
  const head = `\n  at ${file}:${line}${column === undefined ? '' : `:${column}`}`;
  if (text === undefined) return head;
  const from = Math.max(0, (column ?? 1) - EXCERPT_WIDTH);
  const shown = text.slice(from, from + EXCERPT_WIDTH + 20);
  const caret = column === undefined ? '' : `\n    ${' '.repeat(column - 1 - from)}^`;
  return `${head}\n    ${shown}${caret}`;
}

/** Reports whether a value is an error, also of another realm: see `platform/other-realms.ts`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /(Error|DOMException)]$/.test(Object.prototype.toString.call(value));
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Reports whether the process or the system has reached its limit of open files. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE';
}
