import { isObject, type Params } from '../../protocol/message.ts';
import { COMMON } from '../../protocol/results/client-result-problem.ts';
import { contentProblem, contentsProblem, messagesProblem } from '../../protocol/results/content-problem.ts';
import { misspeltMember } from '../../protocol/results/misspelt-or-missing-member.ts';
import { isUsual } from '../../protocol/results/usual-result.ts';
import type { ValueCheck } from '../tool-schema.ts';

/** Result, with the handler's return value as its source. */
export interface MadeResult {
  /** The value that the handler returned. */
  value: unknown;
  result: Params;
  /** Whether the request states revision 2026-07-28 or later, which allows any JSON value as structured content. */
  modern: boolean;
  /** Check of structured content, by the tool's `outputSchema`. */
  checkOutput?: ValueCheck | undefined;
}

/** Members of the whole result of a tool call. */
const TOOL: readonly string[] = [...COMMON, 'content', 'structuredContent', 'isError', 'task'];

/** Returns the problem of a `tools/call` result, as a clause. Undefined: the result is valid. */
export function toolResultProblem(result: Params, modern: boolean): string | undefined {
  if (!isUsual(result)) return undefined;
  const { content, isError, structuredContent } = result;
  if (isError !== undefined && typeof isError !== 'boolean') return 'isError is not true or false';
  if (!modern && structuredContent !== undefined && !isObject(structuredContent))
    return 'structuredContent is not an object';
  return Array.isArray(content) ? contentProblem(content) : 'content is not a list';
}

/**
 * Returns the problem of a misspelt member in a tool's return value. Undefined: no member is misspelt.
 * @param isWhole whether the value is a complete result instead of structured content
 */
export function misspeltToolResult(value: Params, isWhole: boolean): string | undefined {
  if (isWhole) return isUsual(value) ? misspeltMember(value, TOOL) : undefined;
  const isFlag = (one: unknown) => typeof one === 'boolean';
  const areBlocks = (one: unknown, name: string) =>
    // An empty list named `contents` is probably intended, not misspelt.
    Array.isArray(one) && (one.length > 0 || name !== 'contents') && contentProblem(one) === undefined;
  return (
    misspeltMember(picked(value, isFlag), ['isError']) ??
    misspeltMember(picked(value, areBlocks), ['content']) ??
    misspeltMember(picked(value, isObject), ['structuredContent'])
  );
}

function picked(members: Params, isWanted: (value: unknown, name: string) => boolean): Params {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => isWanted(value, name)));
}

/** Returns the problem of a `resources/read` result. Undefined: the result is valid. */
export function resourceResultProblem(result: Params): string | undefined {
  if (!isUsual(result)) return undefined;
  const misspelt = misspeltMember(result, [...COMMON, 'contents']);
  return misspelt ?? (Array.isArray(result.contents) ? contentsProblem(result.contents) : 'contents is not a list');
}

/** Returns the problem of a `prompts/get` result. Undefined: the result is valid. */
export function promptResultProblem(result: Params): string | undefined {
  if (!isUsual(result)) return undefined;
  const misspelt = misspeltMember(result, [...COMMON, 'messages', 'description']);
  return misspelt ?? (Array.isArray(result.messages) ? messagesProblem(result.messages) : 'messages is not a list');
}
