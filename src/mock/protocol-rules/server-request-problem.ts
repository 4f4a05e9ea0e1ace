import { paramsMembers } from '../../protocol/allowed-params-members.ts';
import { isObject, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { firstProblem, samplingMessagesProblem } from '../../protocol/results/content-problem.ts';
import { memberProblem, misspeltMember } from '../../protocol/results/misspelt-or-missing-member.ts';

/**
 * Returns the problem of the params of a server's request, as a clause. Undefined: they are valid, or MCP does not
 * define the method.
 * @param isModern whether the session is of 2026-07-28 or later
 */
export function serverRequestProblem(request: Request, isModern: boolean): string | undefined {
  const params = paramsOf(request);
  switch (request.method) {
    case 'sampling/createMessage':
      return samplingProblem(params) ?? misspelt(request, params);
    case 'elicitation/create':
      return elicitationProblem(params, isModern) ?? misspelt(request, params);
    default:
      return undefined;
  }
}

function misspelt({ method }: Request, params: Params): string | undefined {
  return misspeltMember(params, paramsMembers(method) ?? []);
}

/** Checks `CreateMessageRequestParams` (2025-11-25, "Sampling"). */
function samplingProblem(params: Params): string | undefined {
  const problem = memberProblem(params, { messages: 'a list', maxTokens: 'a number' });
  if (problem !== undefined) return `it ${problem}`;
  const { messages, tools = [] } = params;
  if (!Array.isArray(tools)) return 'it has a tools that is not a list';
  return samplingMessagesProblem(messages as unknown[]) ?? firstProblem('tools', tools, toolProblem);
}

function toolProblem(tool: unknown): string | undefined {
  return isObject(tool) ? memberProblem(tool, { name: 'a string', inputSchema: 'an object' }) : 'is no object';
}

/** Checks `ElicitRequestParams` (2025-11-25, "Elicitation"). Revisions without modes have forms only. */
function elicitationProblem(params: Params, isModern: boolean): string | undefined {
  const { mode = 'form' } = params;
  if (mode !== 'form' && mode !== 'url') return 'its mode is not "form" or "url"';
  const problem = memberProblem(params, {
    message: 'a string',
    ...(mode === 'form'
      ? { requestedSchema: 'an object' as const }
      : { url: 'a string' as const, ...(!isModern && { elicitationId: 'a string' as const }) }),
  });
  if (problem !== undefined) return `it ${problem}`;
  return mode === 'form' ? formProblem(params.requestedSchema as Params) : undefined;
}

const FORM_TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array'];

/** Checks the schema of a form, whose properties are flat (2025-11-25, "Requested Schema"). */
function formProblem({ type, properties }: Params): string | undefined {
  if (type !== 'object') return 'its requestedSchema has no type "object"';
  if (!isObject(properties)) return 'its requestedSchema has no properties (an object)';
  const nested = Object.entries(properties).find(([, one]) => !isObject(one) || !FORM_TYPES.includes(one.type));
  return (
    nested &&
    `its requestedSchema has the property ${nested[0]}, whose type is not "string", "number", "integer", "boolean" or "array"`
  );
}
