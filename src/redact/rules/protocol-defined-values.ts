import { paramsMembers } from '../../protocol/allowed-params-members.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { METHOD_NAMES } from '../../protocol/method-table.ts';

/** Keys of MCP whose values are chosen by developers or defined by MCP, and are no user data. */
const NAMES: ReadonlySet<unknown> = new Set([
  ...['name', 'type', 'role', 'level', 'mimeType', 'version', 'action', 'mode', 'status'],
]);

/** Keys that contain data of users and tools, in any structure. */
const FREE: ReadonlySet<unknown> = new Set([
  ...['arguments', 'structuredContent', 'data', 'input', 'inputResponses', '_meta', 'metadata', 'experimental'],
  ...['default', 'const', 'enum', 'examples', 'example'],
]);

/** Members of MCP results that contain MCP structures, or lists of them. */
const RESULTS: ReadonlySet<unknown> = new Set([
  ...[
    'tools',
    'prompts',
    'resources',
    'resourceTemplates',
    'roots',
    'tasks',
    'skills',
    'content',
    'contents',
    'messages',
  ],
  ...['serverInfo', 'role', 'action'],
]);

const LEVELS = 'debug info notice warning error critical alert emergency';

/**
 * Words that MCP defines as values, by key (`schema.json` of all revisions; of 2026-07-28, "Results" for `resultType`).
 * They are public, even if a secret elsewhere is the same word.
 */
const WORDS: ReadonlyMap<unknown, ReadonlySet<string>> = new Map(
  Object.entries({
    type:
      'text image audio resource resource_link tool_use tool_result ref/prompt ref/resource ' +
      'object array string number integer boolean',
    role: 'user assistant',
    audience: 'user assistant',
    level: LEVELS,
    'io.modelcontextprotocol/logLevel': LEVELS,
    action: 'accept decline cancel',
    mode: 'form url auto none required',
    includeContext: 'none thisServer allServers',
    stopReason: 'endTurn stopSequence maxTokens toolUse',
    format: 'date date-time email uri',
    theme: 'light dark',
    status: 'working input_required completed failed cancelled',
    taskSupport: 'forbidden optional required',
    cacheScope: 'public private',
    resultType: 'complete input_required task',
  }).map(([key, words]) => [key, new Set(words.split(' '))]),
);

/**
 * Reports whether the string at `path` is a word that the protocol defines for its key, such as a role. `message` is
 * the text of the whole message.
 */
export function isProtocolWord(path: JsonPath, word: string, message: string): boolean {
  const key = path.findLast((step) => typeof step === 'string');
  return WORDS.get(key)?.has(word) === true && isOwnStructure(path, message, () => true);
}

/**
 * Reports whether the value at `path` is a name or word in an MCP structure, such as a tool's name. Arguments,
 * structured content, other payloads, and messages of methods outside MCP are not MCP structures. `message` is the text
 * of the whole message.
 */
export function isProtocolName(path: JsonPath, message: string): boolean {
  return path.length > 1 && NAMES.has(path.at(-1)) && isOwnStructure(path, message, (member) => RESULTS.has(member));
}

/**
 * Reports whether a path leads into an MCP structure. A response does not name its method, so `isOfResult` judges the
 * members of results.
 */
function isOwnStructure(path: JsonPath, message: string, isOfResult: (member: unknown) => boolean): boolean {
  const [root, member, step] = path;
  // Each input response is the result of a server's request.
  if (root === 'params' && member === 'inputResponses' && path.length > 3)
    return isOwnStructure(['result', ...path.slice(3)], message, isOfResult);
  if (root === 'result') return isOfResult(member) && !isFree(path, member === 'content' && isFormField(step));
  if (root !== 'params' || isFree(path, false)) return false;
  const method = methodOf(message);
  return METHOD_NAMES.includes(method) || paramsMembers(method) !== undefined;
}

/** Reports whether a member of a result's `content` is a form field. In sampling, `content` may be a content block. */
function isFormField(step: unknown): boolean {
  return typeof step === 'string' && step !== 'type';
}

/**
 * Reports whether a path leads into a payload. Exceptions: arguments of a listed prompt are definitions, and MCP keys
 * in `_meta` are no payload.
 */
function isFree(path: JsonPath, isForm: boolean): boolean {
  const inside = path.slice(0, -1);
  if (path.some((step) => String(step).startsWith('io.modelcontextprotocol/'))) return false;
  const isDefined = (step: unknown) => step === 'arguments' && path[1] === 'prompts';
  return isForm || inside.some((step) => FREE.has(step) && !isDefined(step));
}

function methodOf(message: string): string {
  try {
    const { method } = JSON.parse(message) as { method?: unknown };
    return typeof method === 'string' ? method : '';
  } catch {
    return '';
  }
}
