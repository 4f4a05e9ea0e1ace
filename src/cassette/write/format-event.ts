import type {
  CloseFrame,
  Frame,
  LineFrame,
  MessageFrame,
  OpenFrame,
  OutputStream,
  Side,
  SseFields,
} from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { type Header, TITLE } from '../cassette.ts';
import type { EventKey, SiblingKey } from '../format-keys.ts';
import { jsonToYaml, jsonToYamlPieces, PIECE_LENGTH_MIN } from './json-to-yaml.ts';
import { inlineScalar, scalar, singleQuoted } from './yaml-scalar.ts';

/**
 * Separator that completes an event: the dash of the next one. It ends each piece of a cassette's text, except the
 * last. In a file without `end`, text after the last dash is incomplete.
 */
export const COMMIT = '\n- ';

/** Column of an event's keys. */
export const KEY_COLUMN = 2;

/** Returns the beginning of a cassette, including the first event's dash. Only a recorder's cassette has the title. */
export function headerText({ format, recorder, recorded, transport, url, redactRules }: Header): string {
  const lines = recorder === undefined ? [] : [TITLE];
  lines.push(`format: ${inlineScalar(format)}`);
  if (recorder !== undefined) lines.push(`recorder: ${inlineScalar(recorder)}`);
  if (recorded !== undefined) lines.push(`recorded: ${singleQuoted(recorded)}`);
  lines.push(`transport: ${transport}`);
  if (url !== undefined) lines.push(`url: ${inlineScalar(url)}`);
  if (redactRules !== undefined) lines.push(`redactRules: ${namesText(redactRules)}`);
  lines.push('events:');
  return lines.join('\n') + COMMIT;
}

/** Returns a list of names in flow style, which is JSON, too. */
export function namesText(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;
}

/** Returns one event and the next one's dash. `after` is the time since the previous event; absent means 0. */
export function eventText(frame: Frame, after?: Milliseconds): string {
  const isPartial = frame.kind === 'line' && frame.partial === true;
  const http = frame.stream === undefined ? '' : httpSiblings(frame);
  return bodyText(frame) + http + siblings(after, isPartial) + matchSibling(frame) + COMMIT;
}

/** Returns the pieces of a long event. Joining them would copy them. */
export function eventPieces(frame: Frame, after?: Milliseconds): string[] {
  const line = wholeLine(frame);
  const isLong = line !== undefined && line.text.length >= PIECE_LENGTH_MIN;
  const yaml = isLong ? jsonToYamlPieces(line.text, KEY_COLUMN) : undefined;
  if (yaml === undefined) return [eventText(frame, after)];
  const http = frame.stream === undefined ? '' : httpSiblings(frame);
  return [`${line!.from}:`, ...yaml, http + siblings(after, false) + matchSibling(frame) + COMMIT];
}

/** Returns the complete protocol line of a frame: a message, or any other line. */
function wholeLine(frame: Frame): { from: Side; text: string } | undefined {
  if (frame.kind === 'message') return { from: frame.from, text: frame.json.text };
  if (frame.kind !== 'line' || frame.on === 'stderr' || frame.partial) return undefined;
  return typeof frame.data === 'string' ? { from: frame.from, text: frame.data } : undefined;
}

/** Returns one event as lines, beginning with its dash, to be inserted into a cassette. */
export function eventLines(frame: Frame): string[] {
  return `- ${eventText(frame).slice(0, -COMMIT.length)}`.split('\n');
}

/**
 * Returns the beginning of a base64 event, for a line too long to be held. Its pieces follow, then {@link
 * bytesClosing}.
 */
export function bytesOpening(from: Side, on: OutputStream): string {
  return `${on === 'stderr' ? 'stderr' : from}Bytes: "`;
}

/** Returns the end of an event that {@link bytesOpening} began. */
export function bytesClosing({ after, partial }: { after?: Milliseconds; partial?: true }): string {
  return `"${siblings(after, partial === true)}${COMMIT}`;
}

/** Returns the end of a complete cassette, with its reason. */
export function endText(reason: string): string {
  return `end: ${inlineScalar(reason)}\n`;
}

/** Returns the event key with its value, without a final line break. */
function bodyText(frame: Frame): string {
  switch (frame.kind) {
    case 'message':
      return lineText(frame.from, frame.json.text);
    case 'line':
      return noiseText(frame);
    case 'close':
      return `close: ${frame.from}`;
    case 'signal':
      return `signal: ${inlineScalar(frame.signal)}`;
    case 'exit':
      return `exit: ${typeof frame.status === 'number' ? frame.status : inlineScalar(frame.status)}`;
    case 'open':
      return `open: ${inlineScalar(frame.method)}`;
    case 'http-response':
      return `response: ${frame.status}`;
    case 'sse':
      return `sse:${mapping(frame.sse)}`;
    case 'comment':
      return `comment: ${inlineScalar(frame.text)}`;
    case 'authorization':
      return lineText('authorization', frame.json.text);
  }
}

function noiseText({ on, from, data, partial }: LineFrame): string {
  if (typeof data !== 'string') return `${bytesOpening(from, on)}${base64(data)}"`;
  if (on === 'stderr') return `stderr: ${inlineScalar(data)}`;
  return partial ? `${from}: ${inlineScalar(data)}` : lineText(from, data);
}

/** Returns a key with JSON, such as a protocol line: as YAML, or as text if YAML could not restore it exactly. */
function lineText(key: EventKey, line: string): string {
  const yaml = jsonToYaml(line, KEY_COLUMN);
  return yaml === undefined ? `${key}: ${inlineScalar(line)}` : `${key}:${yaml}`;
}

/** Returns the sibling keys of an HTTP frame. Ordinary values are absent from the frame. */
function httpSiblings(frame: Frame): string {
  const { stream, session, sse, status, headers, path, resumes, how, body } = frame as AnyFields;
  let text = sibling('stream', ` ${stream}`);
  if (session) text += sibling('session', ` ${session}`);
  if (sse && frame.kind !== 'sse') text += sibling('sse', mapping(sse));
  if (status !== undefined && frame.kind !== 'http-response' && frame.kind !== 'exit')
    text += sibling('status', ` ${status}`);
  if (headers) text += sibling('headers', mapping(headers));
  if (path !== undefined) text += sibling('path', ` ${inlineScalar(path)}`);
  if (resumes !== undefined) text += sibling('resumes', ` ${inlineScalar(resumes)}`);
  if (how) text += sibling('how', ` ${how}`);
  if (typeof body === 'string') text += sibling('body', ` ${scalar(body, KEY_COLUMN)}`);
  if (body instanceof Uint8Array) text += sibling('bodyBytes', ` "${base64(body)}"`);
  return text;
}

/** Returns the sibling keys of a message in an event stream, with the fields of its SSE event. */
export function eventSiblings(stream: number, fields: SseFields = {}): string {
  return bodySiblings(stream) + sibling('sse', mapping(fields));
}

/** Returns the sibling keys of a message in a body. */
export function bodySiblings(stream: number): string {
  return sibling('stream', ` ${stream}`);
}

function matchSibling(frame: Frame): string {
  if (frame.kind !== 'line') return '';
  const { match, optional } = frame;
  // JSON mappings are valid YAML.
  if (match) return sibling('match', ` ${JSON.stringify(optional ? { ...match, optional } : match)}`);
  return optional ? sibling('match', ' { optional: true }') : '';
}

function sibling(key: SiblingKey, value: string): string {
  return `\n  ${key}:${value}`;
}

/** Members of all kinds of frames. */
type AnyFields = Partial<Pick<OpenFrame, 'stream' | 'headers' | 'path' | 'resumes' | 'body'>> &
  Pick<MessageFrame, 'session' | 'sse'> &
  Pick<CloseFrame, 'how'> & { status?: number | string };

function mapping(value: object): string {
  for (const _key in value) return nonEmpty(value);
  return ' {}';
}

function nonEmpty(value: object): string {
  return jsonToYaml(JSON.stringify(value), KEY_COLUMN)!;
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/** Returns the optional keys of any event. */
export function siblings(after: Milliseconds | undefined, isPartial: boolean): string {
  return (after === undefined ? '' : `\n  after: ${after}`) + (isPartial ? '\n  partial: true' : '');
}
