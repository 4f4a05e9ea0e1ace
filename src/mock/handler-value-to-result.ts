import { isBytes } from '../kernel/platform/other-realms.ts';
import { isObject } from '../protocol/message.ts';

type Result = Record<string, unknown>;

/** Values that a handler of each kind may return, for messages. */
export const RETURNS = {
  tool: 'a text, a number, a list of content blocks, structured content, or a whole result',
  resource: 'a text, a list of contents, or a whole result',
  prompt: 'a text, a list of messages, or a whole result',
  request: 'an object, which is the result',
} as const;

/** Results of requests that clients and servers answer, for messages. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  [
    'sampling/createMessage',
    "{ role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'mock', stopReason: 'endTurn' }",
  ],
  ['elicitation/create', "{ action: 'accept', content: { name: 'Ada' } }"],
  ['roots/list', "{ roots: [{ uri: 'file:///srv/ada' }] }"],
  ['completion/complete', "{ completion: { values: ['Oslo'] } }"],
]);

/** Returns a description of the values that a handler of `method` may return, with an example for methods of MCP. */
export function requestReturns(method: string): string {
  const example = EXAMPLES.get(method);
  return example === undefined ? RETURNS.request : `${RETURNS.request}, such as ${example}`;
}

/** Members that mark an object as a whole tool result rather than structured content. */
const TOOL_RESULT: readonly string[] = ['content', 'structuredContent', 'isError', 'resultType', 'task'];

/** Returns the `tools/call` result for a handler's return value, or `undefined` if the value is invalid. */
export function toolResult(value: unknown): Result | undefined {
  if (Array.isArray(value)) return value.every(isBlock) ? { content: value } : undefined;
  if (isPlain(value)) {
    if (isToolResult(value)) return wholeToolResult(value);
    return { content: [text(JSON.stringify(value))], structuredContent: value };
  }
  const said = textOf(value);
  return said === undefined ? undefined : { content: [text(said)] };
}

/**
 * Reports whether an object returned by a handler is a whole tool result. Otherwise the object is structured content.
 */
export function isToolResult(value: Result): boolean {
  return TOOL_RESULT.some((member) => member in value);
}

function wholeToolResult(value: Result): Result | undefined {
  const { structuredContent } = value;
  // Adds `content` for clients without structured content (2025-11-25, "Structured Content").
  if (!('content' in value))
    return { content: isObject(structuredContent) ? [text(JSON.stringify(structuredContent))] : [], ...value };
  return Array.isArray(value.content) && value.content.every(isBlock) ? value : undefined;
}

/** Reports whether a value is a content block (MCP "ContentBlock"). Its other members are left to the test. */
function isBlock(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string';
}

/** Reports whether a value is a plain JSON object, not an error, date, map or buffer. */
export function isPlain(value: unknown): value is Result {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the result of a tool call whose handler threw (2025-11-25, "Tool Execution Errors"). */
export function toolFailure({ message }: Error): Result {
  return { content: [text(message)], isError: true };
}

/** Returns the result of `resources/read`. */
export function resourceResult(uri: string, mimeType: string | undefined, value: unknown): Result | undefined {
  const described = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (isBytes(value)) return { contents: [{ ...described, blob: Buffer.from(value).toString('base64') }] };
  if (Array.isArray(value)) return value.every(isObject) ? { contents: value } : undefined;
  if (isPlain(value)) return Array.isArray(value.contents) || 'resultType' in value ? value : undefined;
  const said = textOf(value);
  return said === undefined ? undefined : { contents: [{ ...described, text: said }] };
}

/** Returns the result of any other request. */
export function wholeResult(value: unknown): Result | undefined {
  return isPlain(value) ? value : undefined;
}

/** Returns the result of `prompts/get`. */
export function promptResult(value: unknown): Result | undefined {
  if (Array.isArray(value)) return value.every(isObject) ? { messages: value } : undefined;
  if (isPlain(value)) return Array.isArray(value.messages) || 'resultType' in value ? value : undefined;
  const said = textOf(value);
  return said === undefined ? undefined : { messages: [{ role: 'user', content: text(said) }] };
}

function text(said: string): Result {
  return { type: 'text', text: said };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
