import { jsonOf } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

type Result = Record<string, unknown>;

/** Rules for the results of each method. */
export const RESULT_RULES: readonly LintRule[] = [
  shape(
    'tool-result',
    'tools/call',
    'A tool’s result has a list of content, each of a known type.',
    'Server features, "Tools"',
    (result) => {
      if (result.task !== undefined || isOther(result)) return undefined;
      if (!Array.isArray(result.content)) return '"content" is not a list';
      const odd = result.content.find((part) => !isObject(part) || !CONTENT.has(part.type as string));
      return odd === undefined ? undefined : `content has the type ${jsonOf((odd as Result | null)?.type)}`;
    },
  ),
  shape(
    'tools-list',
    'tools/list',
    'Each tool has a name and an input schema of type "object".',
    'Server features, "Tools"',
    (result) =>
      firstBad(result.tools, 'tools', (tool) => {
        if (typeof tool.name !== 'string') return 'a tool has no name';
        const schema = tool.inputSchema;
        return isObject(schema) && schema.type === 'object'
          ? undefined
          : `the input schema of "${tool.name}" is not of type "object"`;
      }),
  ),
  shape('prompts-list', 'prompts/list', 'Each prompt has a name.', 'Server features, "Prompts"', (result) =>
    firstBad(result.prompts, 'prompts', (prompt) =>
      typeof prompt.name === 'string' ? undefined : 'a prompt has no name',
    ),
  ),
  shape(
    'resources-list',
    'resources/list',
    'Each resource has a URI and a name.',
    'Server features, "Resources"',
    (result) =>
      firstBad(result.resources, 'resources', ({ uri, name }) =>
        typeof uri === 'string' && typeof name === 'string' ? undefined : 'a resource has no URI or no name',
      ),
  ),
  shape(
    'resource-contents',
    'resources/read',
    'Each content of a resource has its URI, and text or a blob.',
    'Server features, "Resources"',
    (result) =>
      isOther(result)
        ? undefined
        : firstBad(result.contents, 'contents', ({ uri, text, blob }) => {
            if (typeof uri !== 'string') return 'a content has no URI';
            return typeof text === 'string' || typeof blob === 'string'
              ? undefined
              : `"${uri}" has neither text nor blob`;
          }),
  ),
  shape(
    'prompt-messages',
    'prompts/get',
    'A prompt has messages with a role and content.',
    'Server features, "Prompts"',
    (result) =>
      isOther(result)
        ? undefined
        : firstBad(result.messages, 'messages', ({ role, content }) => {
            if (role !== 'user' && role !== 'assistant') return `a message has the role ${jsonOf(role)}`;
            return isObject(content) ? undefined : 'a message has no content';
          }),
  ),
];

const CONTENT = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Reports whether a result has another type than `complete` (2026-07-28). */
function isOther({ resultType }: Result): boolean {
  return resultType !== undefined && resultType !== 'complete';
}

/** Creates a rule about the results of one method. The check returns the problem as a clause. */
function shape(
  id: string,
  method: string,
  sentence: string,
  source: string,
  wrong: (result: Result) => string | undefined,
): LintRule {
  return {
    id,
    severity: 'error',
    sentence,
    source,
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { result } = entry.message;
        if (!isObject(result) || requestOf(entry)?.message.method !== method) return [];
        const why = wrong(result);
        return why === undefined ? [] : [{ entry, why }];
      }),
  };
}

function firstBad(list: unknown, name: string, wrong: (item: Result) => string | undefined): string | undefined {
  if (!Array.isArray(list)) return `"${name}" is not a list`;
  for (const item of list) {
    const why = isObject(item) ? wrong(item) : `one of the ${name} is not an object`;
    if (why !== undefined) return why;
  }
  return undefined;
}
