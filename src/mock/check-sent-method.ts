import { McpRecordError } from '../kernel/errors.ts';
import { type MethodKind, methodProblem } from '../protocol/method-problem.ts';

/**
 * Checks the method of a message that a test sends. A misspelt one would reach the peer, which ignores unknown notifications.
 * @throws McpRecordError MOCK_BAD_METHOD
 */
export function checkSentMethod(method: string, kind: MethodKind): void {
  const problem = methodProblem(method, kind);
  if (problem === undefined) return;
  throw new McpRecordError({ code: 'MOCK_BAD_METHOD', what: `Cannot send the ${kind} ${String(method)}`, ...problem });
}
