import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { isBatch, JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { compileJsonSchema, type SchemaCheck } from '../../protocol/schema/json-schema.ts';
import { keepsShape } from './answer-shape.ts';

/** The part of a message that may become smaller. */
export interface Payload {
  /** Position of the event. */
  event: number;
  value: unknown;
  /** Returns the message with another payload. Undefined: a schema of the tool forbids this payload. */
  withValue(value: unknown): JsonText | undefined;
}

/**
 * Returns the payloads of a cassette, in order: results, parameters of notifications and of requests, and arguments of
 * calls. Payloads of calls keep the `inputSchema` and `outputSchema` that the server lists, if they kept it before.
 * Payloads of the server keep their shape.
 */
export function shrinkablePayloads({ events }: Cassette): Payload[] {
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  const tools = toolSchemas(entries.map(({ message }) => message));
  const used = new Set(entries.filter(({ from }) => from === 'client').flatMap(({ message }) => namesIn(message)));
  return entries.flatMap(({ event, index, frame, message }): Payload[] => {
    if (frame.kind !== 'message' || isBatch(frame.json) || !isObject(frame.json.value)) return [];
    const request = entries[requestOf.get(index) ?? -1]?.message;
    const asked = isRequest(request) ? request : isRequest(message) ? message : undefined;
    const tool = asked?.method === 'tools/call' ? tools.get(String(paramsOf(asked).name)) : undefined;
    const place = placeOf(frame.json.value, tool);
    if (place === undefined) return [];
    const { value, put, check } = place;
    const keepsSchema =
      check === undefined || check(value).length > 0 ? () => true : (one: unknown) => !check(one).length;
    const mayLoseMembers = isRequest(request) ? ABOUT_THE_SERVER.test(request.method) : !isRequest(message);
    const shape = { used, mayLoseMembers };
    const isAllowed = (one: unknown) => (frame.from === 'client' || keepsShape(value, one, shape)) && keepsSchema(one);
    return [
      { event, value, withValue: (one) => (isAllowed(one) ? new JsonText(JSON.stringify(put(one))) : undefined) },
    ];
  });
}

/** Methods whose answers describe the server, and have members that few clients read. */
const ABOUT_THE_SERVER = /^initialize$|^server\/discover$|\/list$/;

/** Returns the name and URI that a request sends. */
function namesIn(message: unknown): unknown[] {
  const { name, uri } = paramsOf(message);
  return [name, uri].filter((one) => typeof one === 'string');
}

interface ToolSchemas {
  input?: SchemaCheck;
  output?: SchemaCheck;
}

interface PayloadPlace {
  value: unknown;
  put(value: unknown): object;
  check: SchemaCheck | undefined;
}

function placeOf(message: Record<string, unknown>, tool: ToolSchemas | undefined): PayloadPlace | undefined {
  const { result, error, params } = message;
  if (isObject(result)) {
    const output = tool?.output;
    const check = output && ((one: unknown) => output(isObject(one) ? one.structuredContent : undefined));
    return { value: result, put: (one) => ({ ...message, result: one }), check };
  }
  if (isObject(error)) {
    const { code, message: text, data } = error;
    const value = { text, ...(data !== undefined && { data }) };
    const put = (one: unknown) => {
      const { text: shorter = '', data: rest } = one as { text?: unknown; data?: unknown };
      return { ...message, error: { code, message: shorter, ...(rest !== undefined && { data: rest }) } };
    };
    return { value, put, check: undefined };
  }
  if (!isObject(params)) return undefined;
  if (message.method !== 'tools/call')
    return { value: params, put: (one) => ({ ...message, params: one }), check: undefined };
  const { arguments: args } = params;
  if (args === undefined) return undefined;
  return { value: args, put: (one) => ({ ...message, params: { ...params, arguments: one } }), check: tool?.input };
}

/** Returns the schemas of the tools that a server lists, by name. */
function toolSchemas(messages: readonly unknown[]): Map<string, ToolSchemas> {
  const schemas = new Map<string, ToolSchemas>();
  for (const message of messages) {
    const { tools } = resultOf(message);
    if (!Array.isArray(tools)) continue;
    for (const { name, inputSchema, outputSchema } of tools.filter(isObject)) {
      const [input, output] = [checkOf(inputSchema), checkOf(outputSchema)];
      schemas.set(String(name), { ...(input && { input }), ...(output && { output }) });
    }
  }
  return schemas;
}

/** Returns the check of a schema. Undefined: there is none, or it is invalid. */
function checkOf(schema: unknown): SchemaCheck | undefined {
  if (!isObject(schema)) return undefined;
  try {
    return compileJsonSchema(schema);
  } catch {
    return undefined;
  }
}
