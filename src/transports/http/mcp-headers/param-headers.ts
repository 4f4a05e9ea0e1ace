import type { Headers } from '../../../channel/frame.ts';
import { isObject } from '../../../protocol/message.ts';
import { headerText } from './header-encoding.ts';

/** Arguments that calls of a tool repeat in headers: header name → path of the argument. */
export type ParamHeaders = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the header arguments of each tool in a `tools/list` result (2026-07-28, "Custom Headers from Tool
 * Parameters": `x-mcp-header`).
 */
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

/**
 * Returns the headers of a call with these arguments. An argument that is absent, null or not a scalar has no header.
 */
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

/** Maximum schema depth. Schemas written by people are flatter. */
const DEPTH_MAX = 32;

/**
 * Collects the marked properties. Only `properties` are searched, because elsewhere a schema does not identify one
 * argument.
 */
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

/** Token (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
