import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { isObject } from '../protocol/message.ts';
import { methodProblem } from '../protocol/method-problem.ts';
import { jsonSchemaOf, schemaProblem, type ToolSchema } from './tool-schema.ts';

const COMMON: readonly string[] = ['once', 'title', 'description', 'icons', '_meta'];

type HandlerKind = 'tool' | 'resource' | 'prompt' | 'request';

/** Options of the functions that create handlers. */
const OPTIONS: Readonly<Record<HandlerKind, readonly string[]>> = {
  tool: [...COMMON, 'inputSchema', 'outputSchema', 'annotations', 'execution'],
  resource: [...COMMON, 'name', 'mimeType', 'size', 'annotations'],
  prompt: [...COMMON, 'arguments'],
  request: ['once'],
};

interface Definition {
  name: unknown;
  handle: unknown;
  options: unknown;
}

/**
 * Checks a handler's definition. Without types, a wrong option would change the answer silently.
 * @throws McpRecordError HANDLER_INVALID
 */
export function validateHandler(kind: HandlerKind, { name, handle, options }: Definition): void {
  const why = troubleWith(kind, { name, handle, options });
  if (why === undefined) return;
  throw new McpRecordError({
    code: 'HANDLER_INVALID',
    what: `Cannot make a handler with ${kind}(${typeof name === 'string' ? JSON.stringify(name) : String(name)}, …)`,
    why,
    next: `Write ${kind}(NAME, (…) => ANSWER, { once: true }): see docs/mock.md for its options.`,
  });
}

function troubleWith(kind: HandlerKind, { name, handle, options }: Definition): string | undefined {
  if (typeof name !== 'string' || name === '') return 'its name is no text';
  const wrong = kind === 'request' ? methodProblem(name, 'request') : undefined;
  if (wrong) return `${wrong.why}. ${wrong.next.replace(/[.]$/, '')}`;
  if (typeof handle !== 'function') return 'its second argument is no function';
  if (!isObject(options)) return 'its options are no object';
  const known = OPTIONS[kind];
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) return `there is no option ${unknown}${meant(unknown, known)}`;
  for (const option of ['inputSchema', 'outputSchema']) {
    const problem = schemaProblem(options[option]);
    if (problem !== undefined) return `${option}: ${problem}`;
  }
  if (options.inputSchema !== undefined) {
    const { type } = jsonSchemaOf(options.inputSchema as ToolSchema, 'input');
    if (type !== 'object')
      return `inputSchema: its type is ${JSON.stringify(type) ?? 'not said'}, and arguments are an object`;
  }
  return typeof (options.once ?? false) === 'boolean' ? undefined : 'once is true or false';
}

function meant(option: string, known: readonly string[]): string {
  const name = didYouMean(option, known);
  return name === undefined ? ` (there is ${known.join(', ')})` : `: did you mean ${name}?`;
}

/**
 * Checks a value that is passed as a handler.
 * @throws McpRecordError HANDLER_INVALID
 */
export function checkHandler(handler: unknown): void {
  if (isObject(handler) && typeof handler.method === 'string' && typeof handler.answer === 'function') {
    if (handler.method !== '' && !handler.method.startsWith('notifications/')) return;
    throw invalidHandler(`"${handler.method}" is no method of a request`);
  }
  throw invalidHandler(`${shown(handler)} is no handler`);
}

/** Formats a value passed in place of a handler. A function is named, because its source text is not helpful. */
function shown(given: unknown): string {
  if (typeof given === 'function') return `the function ${given.name || 'without a name'}, which was not called,`;
  return JSON.stringify(given) ?? String(given);
}

function invalidHandler(why: string): McpRecordError {
  return new McpRecordError({
    code: 'HANDLER_INVALID',
    what: 'Cannot use a handler',
    why,
    next: "Make it with tool('add', ({ a, b }) => a + b), resource, prompt or request of mcp-record/mock.",
  });
}
