import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError, type Problem } from '../../kernel/errors.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';

/** Path of a value in the request body, from the root. */
export type Path = readonly (string | number)[];

/** A value in the body of a request. */
export interface Located {
  value: unknown;
  path: Path;
}

/** An error that points to a value in the request body. */
export class BodyError extends McpRecordError {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;

  constructor(path: Path, problem: Omit<Problem, 'what'>) {
    const pointer = path.map((step) => `/${escapeStep(step)}`).join('');
    super({ ...problem, what: `Cannot use ${pointer === '' ? 'the body' : pointer} of the request` });
    this.pointer = pointer;
  }
}

/** Returns the error for an invalid value. */
export function badValue(path: Path, problem: Pick<Problem, 'why' | 'next'>): BodyError {
  return new BodyError(path, { code: 'CONTROL_BAD_VALUE', ...problem });
}

/** Returns the error for an unknown member. */
export function unknownKey(path: Path, { key, known }: { key: string; known: readonly string[] }): BodyError {
  const meant = didYouMean(key, known);
  const next = known.length === 0 ? 'It has no members.' : `It may have: ${known.join(', ')}.`;
  return new BodyError([...path, key], {
    code: 'CONTROL_UNKNOWN_KEY',
    why: `nothing is called "${key}" here`,
    next: meant === undefined ? next : `Did you mean "${meant}"?`,
  });
}

/** Returns the error for a request unsupported by this mock server, such as one for another transport. */
export function unsupportedByServer(problem: Pick<Problem, 'what' | 'why' | 'next'>): McpRecordError {
  return new McpRecordError({ code: 'CONTROL_NOT_HERE', ...problem });
}

/** HTTP status by error code, or by a prefix of the code. */
const STATUSES: readonly [start: string, status: number][] = [
  ['CONTROL_UNKNOWN_PATH', 404],
  ['CONTROL_WRONG_METHOD', 405],
  ['CONTROL_NOT_HERE', 409],
  ['MOCK_', 409],
  ['CONTROL_NOT_JSON', 415],
  ['CONTROL_NO_ANSWER', 504],
  ['WAIT_TIMED_OUT', 504],
  ['CONTROL_INTERNAL', 500],
  ['CONTROL_', 400],
  ['JOURNAL_', 400],
  ['FAULT', 400],
];

const INTERNAL_ERROR = 500;

export function statusOf({ code }: McpRecordError): number {
  return STATUSES.find(([start]) => code.startsWith(start))?.[1] ?? INTERNAL_ERROR;
}
