import type { Headers } from '../../../channel/frame.ts';
import { isObject } from '../../../protocol/message.ts';
import { headerText } from './header-encoding.ts';

/** The arguments of a tool that its calls repeat in headers: name of the header → where the argument stands. */
export type ParamHeaders = ReadonlyMap<string, readonly string[]>;

/** By tool, as the result of a `tools/list` has it (2026-07-28, "Custom Headers from Tool Parameters": `x-mcp-header`). */
export function paramHeadersOf(result: unknown): Map<string, ParamHeaders> {
  const byTool = new Map<string, ParamHeaders>();
  const tools = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
  for (const tool of tools) {
    if (!isObject(tool) || typeof tool.name !== 'string') continue;
    const marked = new Map<string, readonly string[]>();
    mark(tool.inputSchema, [], marked);
    byTool.set(tool.name, marked);
  }
  return byTool;
}

/** The headers of a call with these arguments. What is absent, null or not a single value has none. */
export function paramHeaders(marked: ParamHeaders, args: unknown): Headers {
  const headers: Headers = {};
  for (const [name, path] of marked) {
    const value = path.reduce<unknown>(
      (holder, step) => (isObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined),
      args,
    );
    if (['string', 'boolean', 'number'].includes(typeof value)) headers[name] = headerText(String(value));
  }
  return headers;
}

/** Deeper than any schema that a person wrote. */
const DEPTH_MAX = 32;

/** Only what `properties` lead to can be marked: elsewhere a schema does not say which argument it means. */
function mark(schema: unknown, path: readonly string[], marked: Map<string, readonly string[]>): void {
  if (!isObject(schema) || !isObject(schema.properties) || path.length >= DEPTH_MAX) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isObject(property)) continue;
    const at = [...path, name];
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && TOKEN.test(header)) marked.set(`mcp-param-${header.toLowerCase()}`, at);
    mark(property, at, marked);
  }
}

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
