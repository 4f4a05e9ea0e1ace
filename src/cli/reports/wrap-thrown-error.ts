import { McpRecordError, messageOf, type Problem } from '../../kernel/errors.ts';

/** Returns what `task` returns. What it throws is the cause of an error in the given words, and its message the reason. */
export function attempt<Result>(task: () => Result, problem: Pick<Problem, 'code' | 'what' | 'next'>): Result {
  try {
    return task();
  } catch (cause) {
    throw new McpRecordError({ ...problem, why: messageOf(cause), cause });
  }
}
