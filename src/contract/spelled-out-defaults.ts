import { isObject, isRequest } from '../protocol/message.ts';

type Members = Record<string, unknown>;

/** Default values of a tool's annotations ("ToolAnnotations"). */
const HINTS: Members = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
/** Default value of a tool's result ("CallToolResult"). */
const OF_RESULT: Members = { isError: false };

/**
 * Returns the live answer with defaults of the specification written as in the recorded one. A member that is absent
 * means the same as one with its default value. Any other value stays.
 */
export function withDefaultsAsRecorded(request: unknown, recorded: unknown, live: unknown): unknown {
  if (!isRequest(request) || !isObject(recorded) || !isObject(live)) return live;
  const { result: before } = recorded;
  const { result: now } = live;
  if (!isObject(before) || !isObject(now)) return live;
  if (request.method === 'tools/call') return { ...live, result: asIn(before, now, OF_RESULT) };
  if (request.method !== 'tools/list' || !Array.isArray(before.tools) || !Array.isArray(now.tools)) return live;
  const known = new Map(before.tools.filter(isObject).map((tool) => [tool.name, tool]));
  const tools = now.tools.map((tool: unknown) => (isObject(tool) ? toolAsIn(known.get(tool.name), tool) : tool));
  return { ...live, result: { ...now, tools } };
}

function toolAsIn(before: Members | undefined, now: Members): Members {
  const [old = {}, hints = {}] = [before?.annotations, now.annotations];
  if (before === undefined || !isObject(old) || !isObject(hints)) return now;
  const annotations = asIn(old, hints, HINTS);
  if (Object.keys(annotations).length > 0 || before.annotations !== undefined) return { ...now, annotations };
  const { annotations: _, ...rest } = now;
  return rest;
}

/** Returns `now` without the defaults that `before` does not spell out, and with those that it does. */
function asIn(before: Members, now: Members, defaults: Members): Members {
  const result = { ...now };
  for (const [name, value] of Object.entries(defaults)) {
    if (!Object.hasOwn(before, name) && now[name] === value) delete result[name];
    if (before[name] === value && !Object.hasOwn(now, name)) result[name] = value;
  }
  return result;
}
