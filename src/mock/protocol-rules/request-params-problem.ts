import { LEVELS } from '../../lint/rules/utilities.ts';
import { isObject, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import { type MemberKind, memberProblem } from '../../protocol/results/misspelt-or-missing-member.ts';

/** Required params of requests, which servers of the SDKs refuse without. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, MemberKind>>>> = {
  'tools/call': { name: 'a string' },
  'prompts/get': { name: 'a string' },
  'resources/read': { uri: 'a string' },
  'resources/subscribe': { uri: 'a string' },
  'resources/unsubscribe': { uri: 'a string' },
  'completion/complete': { ref: 'an object', argument: 'an object' },
  'logging/setLevel': { level: 'a string' },
  'tasks/get': { taskId: 'a string' },
  'tasks/result': { taskId: 'a string' },
  'tasks/cancel': { taskId: 'a string' },
};

/**
 * Returns the problem of a client's params, as a clause: a missing or invalid member that the specification requires.
 * Undefined if the params are valid, or if MCP does not define the method.
 */
export function requestParamsProblem(request: Request): string | undefined {
  const { method } = request;
  const params = paramsOf(request);
  if (method === 'initialize') return problemOfInitialize(params);
  const problem = Object.hasOwn(REQUIRED, method) ? memberProblem(params, REQUIRED[method]!) : undefined;
  if (problem !== undefined) return `it ${problem}`;
  if (method === 'tools/call' || method === 'prompts/get') return problemOfArguments(method, params);
  if (method === 'completion/complete') return problemOfCompletion(params);
  if (method === 'logging/setLevel' && !LEVELS.includes(params.level as string))
    return `its level is none of ${LEVELS.join(', ')}`;
  if (LISTS.has(method) && params.cursor !== undefined && typeof params.cursor !== 'string')
    return 'its cursor is no string';
  return undefined;
}

function problemOfInitialize({ protocolVersion, capabilities, clientInfo }: Params): string | undefined {
  if (typeof protocolVersion !== 'string') return 'its protocolVersion is no string';
  if (!isObject(capabilities)) return 'its capabilities are no object';
  if (!isObject(clientInfo)) return 'its clientInfo is no object';
  const { name, version } = clientInfo;
  return typeof name === 'string' && typeof version === 'string' ? undefined : 'its clientInfo lacks name or version';
}

/** Arguments of prompts are texts (2025-11-25, `GetPromptRequestParams`). */
function problemOfArguments(method: string, params: Params): string | undefined {
  if (!('arguments' in params)) return undefined;
  if (!isObject(params.arguments)) return 'its arguments are no object';
  if (method !== 'prompts/get') return undefined;
  const [name] = Object.entries(params.arguments).find(([, value]) => typeof value !== 'string') ?? [];
  return name === undefined ? undefined : `its argument ${name} is no string`;
}

/** Checks `CompleteRequestParams` (2025-11-25, "Completion"). */
function problemOfCompletion(params: Params): string | undefined {
  const ref = params.ref as Params;
  const member = ref.type === 'ref/prompt' ? 'name' : ref.type === 'ref/resource' ? 'uri' : undefined;
  if (member === undefined) return 'its ref has no type "ref/prompt" or "ref/resource"';
  const problem = memberProblem(ref, { [member]: 'a string' });
  if (problem !== undefined) return `its ref ${problem}`;
  const ofArgument = memberProblem(params.argument as Params, { name: 'a string', value: 'a string' });
  return ofArgument === undefined ? undefined : `its argument ${ofArgument}`;
}
