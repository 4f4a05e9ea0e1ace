import type { JsonPath } from '../../protocol/json-scan.ts';
import { METHOD_NAMES } from '../../protocol/method-table.ts';
import { paramsMembers } from '../../protocol/params-by-method.ts';

/** Keys of MCP with names and words that developers choose, or that MCP defines: no data of users. */
const NAMES: ReadonlySet<unknown> = new Set([
  ...['name', 'type', 'role', 'level', 'mimeType', 'version', 'action', 'mode', 'status'],
]);

/** Keys below which are data of users and tools, in any structure. */
const FREE: ReadonlySet<unknown> = new Set([
  ...['arguments', 'structuredContent', 'data', 'input', 'inputResponses', '_meta', 'metadata', 'experimental'],
  ...['default', 'const', 'enum', 'examples', 'example'],
]);

/** Members of results of MCP that are lists of its own structures, or such a structure. */
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

/**
 * Reports whether the value at `path` of a message is a name or word of the protocol's own structures, such as the name of a tool. Arguments, structured
 * content, other payloads, and messages of methods that MCP does not have are no such structures. `message` is its text.
 */
export function isProtocolName(path: JsonPath, message: string): boolean {
  const [root, member, step] = path;
  if (path.length < 2 || !NAMES.has(path.at(-1))) return false;
  if (root === 'result') return RESULTS.has(member) && !isFree(path, member === 'content' && typeof step === 'string');
  if (root !== 'params' || isFree(path, false)) return false;
  const method = methodOf(message);
  return METHOD_NAMES.includes(method) || paramsMembers(method) !== undefined;
}

/** Reports whether a path leads into a payload. Arguments of a listed prompt are definitions; a revision has peers in `_meta`. */
function isFree(path: JsonPath, isForm: boolean): boolean {
  const inside = path.slice(0, -1);
  if (inside.some((step) => String(step).startsWith('io.modelcontextprotocol/'))) return false;
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
