import { didYouMean } from '../../kernel/did-you-mean.ts';
import { messageOf } from '../../kernel/errors.ts';
import { briefJson } from '../json-text.ts';
import { isObject, type Params, paramsOf, type Request } from '../message.ts';
import { compileJsonSchema } from '../schema/json-schema.ts';
import { firstProblem, sampledProblem } from './content-problem.ts';
import { formFormatProblem } from './form-format-problem.ts';
import { memberProblem, misspeltMember } from './misspelt-or-missing-member.ts';
import { isUsual } from './usual-result.ts';

/** Members that every result may have, including those of 2026-07-28. */
export const COMMON: readonly string[] = ['_meta', 'resultType', 'ttlMs', 'cacheScope'];

/** Returns the problem of a client's result for a server's request, as a clause. Undefined if the result is valid. */
export function clientResultProblem(request: Request, result: Params): string | undefined {
  if (!isUsual(result)) return undefined;
  const params = paramsOf(request);
  switch (request.method) {
    case 'sampling/createMessage':
      return sampledProblem(result) ?? toolUseProblem(params, result);
    case 'elicitation/create':
      return elicitedProblem(params, result);
    case 'roots/list':
      return rootsProblem(result);
    default:
      return undefined;
  }
}

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

function elicitedProblem(params: Params, result: Params): string | undefined {
  const { action, content } = result;
  if (action === undefined) return 'it has no action ("accept", "decline" or "cancel")';
  if (!ACTIONS.includes(action)) return `its action is ${briefJson(action)}, not "accept", "decline" or "cancel"`;
  const misspelt = misspeltMember(result, [...COMMON, 'action', 'content']);
  if (misspelt !== undefined) return misspelt;
  if (content !== undefined && !isObject(content)) return 'its content is not an object';
  // In URL mode the user enters values on a web page, so the client has none (2025-11-25, "URL Mode Elicitation
  // Requests").
  if (action !== 'accept' || params.mode === 'url') return keptContentProblem(action, content);
  const { requestedSchema } = params;
  const values = content ?? {};
  return (
    contentProblem(values) ??
    schemaProblem('content', values, requestedSchema) ??
    formFormatProblem(values, requestedSchema)
  );
}

/** Returns the problem of a result with `content` that only an accepted form may have (`ElicitResult.content`). */
function keptContentProblem(action: unknown, content: Params | undefined): string | undefined {
  const [name] = Object.keys(content ?? {});
  if (name === undefined) return undefined;
  const why = action === 'accept' ? 'a page at a URL takes the values' : `the action is "${String(action)}"`;
  return `its content has ${name}, though ${why}`;
}

function contentProblem(content: Params): string | undefined {
  const isText = (value: unknown) => typeof value === 'string';
  const isAllowed = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(isText));
  const wrong = Object.entries(content).find(([, value]) => !isAllowed(value));
  return wrong && `its content has a ${wrong[0]} that is not a string, number, boolean or list of strings`;
}

/** Returns the problem of a value that violates a schema of the request, or the problem of an invalid schema. */
function schemaProblem(name: string, value: unknown, schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  try {
    const [wrong] = compileJsonSchema(schema)(value);
    return wrong && `its ${name} does not fit the schema of the request: ${wrong}`;
  } catch (error) {
    return `its ${name} cannot be checked, because the schema of the request is no JSON Schema: ${messageOf(error)}`;
  }
}

/** Returns the problem of a tool use that does not fit the tools of the request (2025-11-25, "Sampling with Tools"). */
function toolUseProblem({ tools }: Params, { content }: Params): string | undefined {
  const blocks = [content].flat().filter(isObject);
  const known = Array.isArray(tools) ? tools.filter(isObject) : [];
  const names = known.map(({ name }) => String(name));
  for (const { type, name, input } of blocks) {
    if (type !== 'tool_use') continue;
    const used = known.find((one) => one.name === name);
    if (used === undefined) {
      const meant = didYouMean(String(name), names);
      const advice = meant === undefined ? `there is ${names.join(', ') || 'none'}` : `did you mean "${meant}"?`;
      return `it uses the tool "${String(name)}", which the request does not have: ${advice}`;
    }
    const wrong = schemaProblem(`input of ${String(name)}`, input, used.inputSchema);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function rootsProblem(result: Params): string | undefined {
  const problem = memberProblem(result, { roots: 'a list' });
  if (problem !== undefined) return `it ${problem}`;
  return firstProblem('roots', result.roots as unknown[], rootProblem);
}

function rootProblem(root: unknown): string | undefined {
  if (!isObject(root)) return 'is no object';
  const problem = memberProblem(root, { uri: 'a string' });
  if (problem !== undefined) return problem;
  // "This *must* start with file:// for now" (Root.uri).
  return /^file:\/\//i.test(String(root.uri)) ? undefined : 'has a uri that does not begin with file://';
}
