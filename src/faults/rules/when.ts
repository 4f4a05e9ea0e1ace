import type { Frame, Side } from '../../channel/frame.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';
import { isObject, type Request } from '../../protocol/message.ts';
import { isOAuthName } from '../../protocol/oauth-requests.ts';
import type { FrameContext } from '../engine/request-tracker.ts';

/** Condition of a rule. Every given key must match. */
export interface When {
  /** Side that sends the frames. Default: the server. */
  from?: Side;
  /**
   * Kind of frame. Default: any message.
   * - `end`: the end of input, and signals; over HTTP, a closed or lost connection.
   * - `open`: an HTTP request without a message, such as GET.
   * - `authorization`: a request of an authorization flow, or the body of its response.
   * - `start`: the start of the server, before any frame.
   */
  kind?: 'request' | 'response' | 'notification' | 'end' | 'open' | 'authorization' | 'start';
  /**
   * Method of the message, of the answered request for a response, or of HTTP for a frame without a message.
   * Alternatively a name of `OAUTH_REQUESTS`.
   */
  method?: string;
  /** Tool named by the call, or by the call that the message belongs to. */
  tool?: string;
  prompt?: string;
  resource?: string;
  /** JSON Pointers into the message, with the required values. */
  at?: Readonly<Record<string, unknown>>;
  /** HTTP: number of the exchange. */
  stream?: number;
  /** Matches only the n-th frame that fulfils all other keys, counted from 1. */
  nth?: number;
  /** Skips this number of messages of the side. */
  after?: number;
  /** Matches only the message that a mock server plays from this line of its cassette. */
  line?: number;
}

/** Reports whether a frame fulfils `when`, apart from its position. */
export function selects(when: When, frame: Frame, subject: FrameContext): boolean {
  const { from = 'server', method, tool, prompt, resource, at, stream } = when;
  if (frame.from !== from) return false;
  if (!isOfKind(when, frame, subject)) return false;
  if (method !== undefined && subject.method !== method) return false;
  if (stream !== undefined && frame.stream !== stream) return false;
  if (tool !== undefined && !isAbout(subject, 'tools/call', tool)) return false;
  if (prompt !== undefined && !isAbout(subject, 'prompts/get', prompt)) return false;
  if (resource !== undefined && subject.name !== resource) return false;
  if (at === undefined) return true;
  return Object.entries(at).every(
    ([path, value]) => frame.kind === 'message' && isSame(valueAt(frame.json.value, path), value),
  );
}

/** Reports whether `when` selects notifications only. */
export function isOfNotifications({ kind, method }: When): boolean {
  return kind === 'notification' || method?.startsWith('notifications/') === true;
}

/** Reports whether `when` excludes every notification of this method that is unrelated to a request. */
export function excludes(when: When, method: string, on: number | undefined): boolean {
  const { kind = 'notification', tool, prompt, resource, stream = on } = when;
  if (kind !== 'notification' || stream !== on) return true;
  if (tool !== undefined || prompt !== undefined || resource !== undefined) return true;
  return when.method !== undefined && when.method !== method;
}

/** Returns the condition for the tool, prompt or resource that a request names. */
export function subjectCondition({ method, params }: Pick<Request, 'method' | 'params'>): When {
  const { name, uri } = isObject(params) ? params : {};
  if (method === 'tools/call' && typeof name === 'string') return { tool: name };
  if (method === 'prompts/get' && typeof name === 'string') return { prompt: name };
  return method === 'resources/read' && typeof uri === 'string' ? { resource: uri } : {};
}

function isOfKind({ kind, method }: When, frame: Frame, subject: FrameContext): boolean {
  if (subject.kind === 'authorization') return kind === 'authorization' || (kind === undefined && isOAuthName(method));
  if (kind === 'end') return isEnd(frame);
  if (kind === 'open') return frame.kind === 'open';
  return frame.kind === 'message' && (kind === undefined || subject.kind === kind);
}

/** Reports whether a frame ends a side's output. Over HTTP, the close of one exchange ends only its message. */
function isEnd(frame: Frame): boolean {
  if (frame.kind === 'close') return frame.stream === undefined || frame.how !== undefined;
  return frame.kind === 'signal';
}

function isAbout({ request, name }: FrameContext, method: string, wanted: string): boolean {
  return request === method && name === wanted;
}

/** Reports whether two JSON values are equal. The order of object members does not count. */
function isSame(a: unknown, b: unknown): boolean {
  const [left, right] = [membersOf(a), membersOf(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return a === b;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]));
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function valueAt(message: unknown, pointer: string): unknown {
  let value = message;
  for (const step of parsePointer(pointer)) {
    value = isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[step] : undefined;
  }
  return value;
}
