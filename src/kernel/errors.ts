/** Where in a file a problem lies. Line and column count from 1. */
export interface Place {
  file: string;
  line: number;
  column?: number;
  /** The line itself; printed with a caret under `column`. */
  text?: string;
}

/** What went wrong, in the four parts that every error of ours has. */
export interface Problem {
  /** Stable name, SCREAMING_SNAKE_CASE: what troubleshooting pages and programs look for. */
  code: string;
  /** What could not be done, as a sentence without its full stop. */
  what: string;
  /** Why, in the same form. */
  why: string;
  /** What to do now. */
  next: string;
  place?: Place;
  /** Drawn as a difference by test runners. */
  expected?: unknown;
  actual?: unknown;
  cause?: unknown;
}

/** The one error class: it carries data and formats itself; the wording is written where the problem is found. */
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
  return `${what}: ${why}. [${code}]${place ? excerpt(place) : ''}\n  ${next}`;
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

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the system allows no more open files, to this process or to all. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE';
}
