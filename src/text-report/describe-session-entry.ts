import type { AuthorizationExchange } from '../cassette/authorization-exchange.ts';
import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Frame } from '../channel/frame.ts';
import { utf8Length } from '../kernel/platform/bytes.ts';
import { jsonOf } from '../protocol/json-text.ts';
import {
  errorOf,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Message,
  type Response,
} from '../protocol/message.ts';
import { subjectOf } from '../protocol/method-table.ts';

export interface Description {
  what: string;
  detail?: string;
  bytes?: number;
}

/** Describes an entry: a short text that distinguishes it, then its content on one line. */
export function describeSessionEntry({ frame, message, json }: SessionEntry): Description {
  if (frame.kind !== 'message' || message === undefined || json === undefined) return describeFrame(frame);
  const description = describeMessage(message, json.text);
  description.bytes = utf8Length(json.text);
  return description;
}

function describeMessage(message: Message, text: string): Description {
  if (isRequest(message)) return { what: subjectOf(message.method, message.params), ...detailOf(said(message.params)) };
  if (isNotification(message)) return describeNotification(message.method, message.params);
  if (isResponse(message)) return describeResponse(message);
  return { what: 'not JSON-RPC', ...detailOf(text) };
}

/** Formats params, omitting members shown in `what`, and `_meta`, which only programs read. */
function said(params: unknown): string {
  if (!isObject(params)) return text(params ?? {});
  const { name, uri, _meta, ...rest } = params;
  const [[only, value] = []] = Object.entries(rest);
  const isArguments = only === 'arguments' && Object.keys(rest).length === 1;
  return text(isArguments ? value : rest);
}

function describeNotification(method: string, given: unknown): Description {
  const params = isObject(given) ? given : {};
  const what = method.replace(/^notifications\//, '');
  if (method === 'notifications/progress') {
    const { progress, total, message } = params;
    const much = total === undefined ? text(progress) : `${text(progress)} of ${text(total)}`;
    return { what, ...detailOf(message === undefined ? much : `${much}: ${text(message)}`) };
  }
  if (method === 'notifications/message') {
    const { level, logger, data } = params;
    const source = logger === undefined ? text(level) : `${text(level)} ${text(logger)}`;
    return { what: 'log', ...detailOf(`${source}: ${text(data)}`) };
  }
  if (method === 'notifications/cancelled') return { what, ...detailOf(text(params.reason)) };
  return {
    what,
    ...detailOf(said(typeof params.uri === 'string' ? { ...params, resource: params.uri } : given)),
  };
}

function describeResponse(response: Response): Description {
  const error = errorOf(response);
  if (error !== undefined)
    return { what: `error ${text(error.code)}`, ...detailOf(text(error.message ?? response.error)) };
  if (!isObject(response.result)) return { what: 'result', ...detailOf(text(response.result)) };
  const { _meta, isError, structuredContent, ...rest } = response.result;
  const what = isError === true ? 'result with isError' : 'result';
  const blocks = blocksOf(rest.content);
  return { what, ...detailOf(blocks?.map(describeBlock).join(', ') ?? listed(rest) ?? text(rest)) };
}

/**
 * Returns the content of a tool's result, or the single block of a sampled message. The content of a form has no type.
 */
function blocksOf(content: unknown): unknown[] | undefined {
  if (Array.isArray(content)) return content;
  return isObject(content) && typeof content.type === 'string' ? [content] : undefined;
}

/** Describes a list by the number and names of its items, because complete items would not fit on a line. */
function listed(result: Record<string, unknown>): string | undefined {
  const lists = Object.entries(result).filter(([, value]) => Array.isArray(value)) as [string, unknown[]][];
  const [name, items] = lists[0] ?? [];
  if (lists.length !== 1 || items === undefined) return undefined;
  const names = items.map((item) => (isObject(item) ? (item.name ?? item.uri ?? item.uriTemplate) : undefined));
  if (!names.every((item) => typeof item === 'string')) return undefined;
  return `${items.length} ${items.length === 1 ? name!.replace(/s$/, '') : name}: ${names.join(', ')}`;
}

function describeBlock(block: unknown): string {
  if (!isObject(block)) return text(block);
  const { type, text: words, mimeType, data, uri } = block;
  if (type === 'text') return text(words);
  if (typeof data === 'string') return `${text(type)} ${text(mimeType)}, ${data.length} characters of base64`;
  return uri === undefined ? text(block) : `${text(type)} ${text(uri)}`;
}

function describeFrame(frame: Frame): Description {
  switch (frame.kind) {
    case 'line': {
      const { on, data, partial } = frame;
      const what = on === 'stderr' ? 'stderr' : 'not JSON-RPC';
      const bytes = typeof data === 'string' ? utf8Length(data) : data.length;
      const detail = typeof data === 'string' ? data : `${bytes} bytes that are not text`;
      return { what: partial ? `${what} (cut off)` : what, ...detailOf(detail), bytes };
    }
    case 'close':
      return { what: `closes its stream${frame.how === undefined ? '' : ` (${frame.how})`}` };
    case 'open':
      return { what: `opens ${frame.method}`, ...detailOf(frame.resumes ?? frame.path ?? '') };
    case 'http-response':
      return {
        what: `replies ${frame.status}`,
        ...detailOf(typeof frame.body === 'string' ? frame.body : ''),
      };
    case 'sse':
      return { what: 'event without a message', ...detailOf(text(frame.sse)) };
    case 'comment':
      return { what: 'comment', ...detailOf(frame.text) };
    case 'authorization':
      return describeAuthorization(frame.json.value as AuthorizationExchange);
    case 'signal':
      return { what: `sends ${frame.signal}` };
    case 'exit':
      return {
        what: typeof frame.status === 'number' ? `exits with ${frame.status}` : `is ended by ${frame.status}`,
      };
    case 'message':
      return { what: 'not JSON-RPC', ...detailOf(frame.json.text) };
  }
}

function describeAuthorization({
  request,
  method,
  tool,
  status,
  challenge,
  response,
}: AuthorizationExchange): Description {
  const subject = method === undefined ? request : subjectOf(method, { name: tool });
  return {
    what: `authorization: ${subject}, ${status ?? 'no response'}`,
    ...detailOf(challenge ?? text(response ?? '')),
  };
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  const json = jsonOf(value);
  return json === '{}' ? '' : json;
}

function detailOf(detail: string): { detail?: string } {
  return detail === '' ? {} : { detail };
}
