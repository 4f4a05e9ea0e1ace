import { isAwaitable } from '../../kernel/platform/other-realms.ts';
import { isObject, type Params, paramsOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ResultOrError } from '../../replay/match/protocol-generation.ts';
import type { Handler } from '../handler.ts';
import { toolFailure } from '../handler-value-to-result.ts';
import type { OpenCall } from '../open-handler-call.ts';
import { completeResult } from '../serialize-message.ts';

const INVALID_PARAMS = -32602;

/** Arguments as its handler gets them, or the problem of the client's arguments. */
export type CheckedArguments = { args: Params; problem?: undefined } | { problem: string };

/**
 * Checks the arguments of a request by the definition of `source`. Resolves at once if the check does.
 * @param source handler that defines the arguments; absent: all are valid
 */
export function checkedArguments(
  source: Handler | undefined,
  params: Params,
): CheckedArguments | Promise<CheckedArguments> {
  const args = isObject(params.arguments) ? params.arguments : {};
  const checked = source?.checkArguments?.(args) ?? { value: args };
  return isAwaitable(checked) ? checked.then(named) : named(checked);
}

function named(checked: { value: unknown } | { problem: string }): CheckedArguments {
  return 'problem' in checked ? checked : { args: checked.value as Params };
}

/** Returns the answer to a call with invalid arguments, as servers of the SDKs give it. */
export function invalidArguments({ request, isModern }: OpenCall, problem: string): ResultOrError {
  const { method, params } = request;
  const name = String(paramsOf({ params }).name);
  // 2025-11-25, "Prompts", "Error Handling".
  if (method === 'prompts/get')
    return { error: { code: INVALID_PARAMS, message: `Invalid arguments for prompt ${name}: ${problem}` } };
  // 2025-11-25, "Tools", "Error Handling": input validation errors.
  const failure = new Error(`Input validation error: Invalid arguments for tool ${name}: ${problem}`);
  return { result: completeResult(toolFailure(failure), method, isModern) };
}

interface Refusal {
  problem: string;
  /** Place where the arguments are defined. Empty: they are recorded, or the place is unknown. */
  place: string;
}

/** Returns the finding for a call with invalid arguments. */
export function invalidFinding({ request }: OpenCall, { problem, place }: Refusal): Finding {
  const { method, params } = request;
  const definition = method === 'prompts/get' ? 'definition' : 'inputSchema';
  const at = place === '' ? '' : ` (${place})`;
  const text = `The client sent ${subjectOf(method, params)} with arguments that its ${definition}${at} forbids: ${problem}.`;
  return { kind: 'invalid', text };
}
