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
import type { SiblingKey } from '../format-keys.ts';
import { jsonToYaml, jsonToYamlPieces, PIECE_LENGTH_MIN } from './json-to-yaml.ts';
import { inlineScalar, scalar, singleQuoted } from './yaml-scalar.ts';

/**
 * The text of a cassette, piece by piece. An event is committed by the dash of the next one, so every piece but the last
 * ends with a dash: what follows the last dash of a file without `end` was never finished.
 */
export const COMMIT = '\n- ';

/** Column of an event's keys. */
export const KEY_COLUMN = 2;

/** Opens a cassette, through the first event's dash. What no recorder wrote has no title that says so. */
export function headerText({ format, recorder, recorded, transport, url }: Header): string {
  const lines = recorder === undefined ? [] : [TITLE];
  lines.push(`format: ${inlineScalar(format)}`);
  if (recorder !== undefined) lines.push(`recorder: ${inlineScalar(recorder)}`);
  if (recorded !== undefined) lines.push(`recorded: ${singleQuoted(recorded)}`);
  lines.push(`transport: ${transport}`);
  if (url !== undefined) lines.push(`url: ${inlineScalar(url)}`);
  lines.push('events:');
  return lines.join('\n') + COMMIT;
}

/** One event and the next one's dash. `after`: since the event before it, as it shall be read; absent means 0. */
export function eventText(frame: Frame, after?: Milliseconds): string {
  const isPartial = frame.kind === 'line' && frame.partial === true;
  const http = frame.stream === undefined ? '' : httpSiblings(frame);
  return bodyText(frame) + http + siblings(after, isPartial) + COMMIT;
}

/** Returns a long event in pieces: joining them would copy them. */
export function eventPieces(frame: Frame, after?: Milliseconds): string[] {
  const line = wholeLine(frame);
  const isLong = line !== undefined && line.text.length >= PIECE_LENGTH_MIN;
  const yaml = isLong ? jsonToYamlPieces(line.text, KEY_COLUMN) : undefined;
  if (yaml === undefined) return [eventText(frame, after)];
  const http = frame.stream === undefined ? '' : httpSiblings(frame);
  return [`${line!.from}:`, ...yaml, http + siblings(after, false) + COMMIT];
}

/** Returns the protocol line of a frame, parsed as a message or not. */
function wholeLine(frame: Frame): { from: Side; text: string } | undefined {
  if (frame.kind === 'message') return { from: frame.from, text: frame.json.text };
  if (frame.kind !== 'line' || frame.on === 'stderr' || frame.partial) return undefined;
  return typeof frame.data === 'string' ? { from: frame.from, text: frame.data } : undefined;
}

/** One event as lines to put between those of a whole cassette, beginning with its dash. */
export function eventLines(frame: Frame): string[] {
  return `- ${eventText(frame).slice(0, -COMMIT.length)}`.split('\n');
}

/** Begins an event that holds base64, for a line too long to be held: its pieces follow, then {@link bytesClosing}. */
export function bytesOpening(from: Side, on: OutputStream): string {
  return `${on === 'stderr' ? 'stderr' : from}Bytes: "`;
}

/** Ends what {@link bytesOpening} began. */
export function bytesClosing({ after, partial }: { after?: Milliseconds; partial?: true }): string {
  return `"${siblings(after, partial === true)}${COMMIT}`;
}

/** Ends a cassette: the recorder finished, and says why. */
export function endText(reason: string): string {
  return `end: ${inlineScalar(reason)}\n`;
}

/** The first key of an event and what it holds, without the last line break. */
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
  }
}

function noiseText({ on, from, data, partial }: LineFrame): string {
  if (typeof data !== 'string') return `${bytesOpening(from, on)}${base64(data)}"`;
  if (on === 'stderr') return `stderr: ${inlineScalar(data)}`;
  return partial ? `${from}: ${inlineScalar(data)}` : lineText(from, data);
}

/** A line of the protocol: the JSON it holds, or the line itself where YAML could not give it back. */
function lineText(from: Side, line: string): string {
  const yaml = jsonToYaml(line, KEY_COLUMN);
  return yaml === undefined ? `${from}: ${inlineScalar(line)}` : `${from}:${yaml}`;
}

/** Returns the keys that HTTP adds to an event. Ordinary values are absent from the frame. */
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

/** What stands beside a message that came as an event of a stream, with these fields of its own. */
export function eventSiblings(stream: number, fields: SseFields = {}): string {
  return bodySiblings(stream) + sibling('sse', mapping(fields));
}

/** What stands beside a message that was the body of a request or answer. */
export function bodySiblings(stream: number): string {
  return sibling('stream', ` ${stream}`);
}

function sibling(key: SiblingKey, value: string): string {
  return `\n  ${key}:${value}`;
}

/** Every field that some frame has. */
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

/** Returns the optional keys that every event may have. */
export function siblings(after: Milliseconds | undefined, isPartial: boolean): string {
  return (after === undefined ? '' : `\n  after: ${after}`) + (isPartial ? '\n  partial: true' : '');
}
