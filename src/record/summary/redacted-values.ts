import { closeSync, openSync, readSync } from 'node:fs';
import type { AuthorizationExchange } from '../../cassette/authorization-exchange.ts';
import type { CassetteEvent } from '../../cassette/cassette.ts';
import { IncrementalCassetteParser } from '../../cassette/read/incremental-cassette-parser.ts';
import type { Frame, MessageFrame, Side } from '../../channel/frame.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { escapeStep, type Pointer } from '../../protocol/json-pointer.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import { placeholderOf } from '../../redact/replace/placeholder-format.ts';

/** Redacted place of a cassette. */
export interface RedactedValue {
  /** Placeholder. Equal secrets have equal placeholders. */
  placeholder: string;
  /** Kind of the secret: the name in the placeholder. */
  kind: string;
  /** Line of the event in the file, from 1. */
  line: number;
  /** Side that sent the frame. */
  from: Side;
  /** Part of the session: `response to tools/call "login"`, `headers`, `stderr`. */
  where: string;
  /** Pointer into the message. Absent outside of messages. */
  pointer?: Pointer;
}

const READ_BYTES = 1024 * 1024;

/**
 * Lists the redacted places of a cassette, in order. `visit` is called with every event.
 * @throws McpRecordError as `loadCassette`, and file system errors
 */
export function redactedValues(file: string, visit?: (event: CassetteEvent) => void): RedactedValue[] {
  const walk = new IncrementalCassetteParser(file);
  const requests = new Map<string, string>();
  const values: RedactedValue[] = [];
  const add = (events: readonly CassetteEvent[]) => {
    for (const event of events) {
      visit?.(event);
      values.push(...valuesOf(event, requests));
    }
  };
  const input = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (let length = readSync(input, buffer); length > 0; length = readSync(input, buffer))
      add(walk.push(Buffer.from(buffer.subarray(0, length))));
    add(walk.finish());
  } finally {
    closeSync(input);
  }
  return values;
}

/** Counts values for a sentence: `2 values are redacted, in 3 places`. */
export function redactedCount(values: readonly Pick<RedactedValue, 'placeholder'>[]): string {
  if (values.length === 0) return 'nothing is redacted';
  const count = new Set(values.map(({ placeholder }) => placeholder)).size;
  const places = values.length > count ? `, in ${formatCount(values.length, 'place')}` : '';
  return `${formatCount(count, 'value')} ${count === 1 ? 'is' : 'are'} redacted${places}`;
}

function valuesOf({ frame, line }: CassetteEvent, requests: Map<string, string>): RedactedValue[] {
  const { from } = frame;
  const place = (where: string, text: string, pointer?: Pointer): RedactedValue[] =>
    allPlaceholdersIn(text).map(({ name, n }) => ({
      placeholder: placeholderOf(name, n),
      kind: name,
      line,
      from,
      where,
      ...(pointer !== undefined && { pointer }),
    }));
  if (frame.kind === 'authorization') {
    const { request } = frame.json.value as AuthorizationExchange;
    return textsIn(frame.json.value).flatMap(([text, pointer]) => place(`authorization ${request}`, text, pointer));
  }
  if (frame.kind !== 'message') return textsAround(frame).flatMap(([where, text]) => place(where, text));
  const where = titleOf(frame, requests);
  const around = textsAround(frame).flatMap(([part, text]) => place(part, text));
  const { text } = frame.json;
  if (!text.includes('[redacted:') && allPlaceholdersIn(text).length === 0) return around;
  const within = textsIn(frame.json.value).flatMap(([text, pointer]) => place(where, text, pointer));
  return [...around, ...within];
}

/** Returns the title of a message: its method, or that of the answered request. */
function titleOf({ from, stream, json }: MessageFrame, requests: Map<string, string>): string {
  const key = (side: Side) => `${side} ${stream ?? ''} ${scalarKeyAt(json, ['id']) ?? ''}`;
  const message = json.value;
  if (isRequest(message)) {
    const title = subjectOf(message.method, message.params);
    requests.set(key(from), title);
    return title;
  }
  if (isNotification(message)) return message.method;
  if (!isResponse(message)) return 'message';
  const asked = key(from === 'server' ? 'client' : 'server');
  const title = requests.get(asked);
  requests.delete(asked);
  return title === undefined ? 'response' : `response to ${title}`;
}

/**
 * Returns the texts of a JSON value with their places, including keys. It uses an explicit stack, because values may be
 * deeply nested.
 */
function textsIn(root: unknown): [text: string, pointer: Pointer][] {
  const texts: [string, Pointer][] = [];
  const stack: [unknown, Pointer][] = [[root, '']];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [value, pointer] = next;
    if (typeof value === 'string') texts.push([value, pointer]);
    else if (Array.isArray(value))
      for (let n = value.length - 1; n >= 0; n--) stack.push([value[n], `${pointer}/${n}`]);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value).reverse()) {
        stack.push([inner, `${pointer}/${escapeStep(key)}`]);
        if (key.includes('[redacted:')) texts.push([key, pointer]);
      }
  }
  return texts;
}

/** Returns the texts of a frame outside its message, each with its place. */
function textsAround(frame: Frame): [where: string, text: string][] {
  const texts: [string, string][] = [];
  const add = (where: string, text: string | Uint8Array | undefined) => {
    if (text !== undefined) texts.push([where, typeof text === 'string' ? text : Buffer.from(text).toString('latin1')]);
  };
  if ('headers' in frame) for (const [name, value] of Object.entries(frame.headers ?? {})) add(`header ${name}`, value);
  if (frame.kind === 'line') add(frame.on === 'stderr' ? 'stderr' : 'line', frame.data);
  if (frame.kind === 'open') add('path', frame.path);
  if (frame.kind === 'open') add('Last-Event-ID', frame.resumes);
  if ('sse' in frame) add('event id', frame.sse?.id);
  if ('sse' in frame) add('event name', frame.sse?.event);
  if (frame.kind === 'open' || frame.kind === 'http-response') add('body', frame.body);
  if (frame.kind === 'sse') add('sse', frame.sse.data);
  if (frame.kind === 'comment') add('comment', frame.text);
  return texts;
}
