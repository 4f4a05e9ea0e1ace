import type { Frame, LineFrame, MessageFrame, ResponseFrame, Side } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import { isHttpErrorBody } from '../../channel/non-rpc-error-body.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { authorizationProblem } from '../authorization-exchange.ts';
import type { EventMatch } from '../cassette.ts';
import { badEvent } from '../cassette-errors.ts';
import { EVENT_KEYS, type EventKey, SIBLING_KEYS } from '../format-keys.ts';
import { COMMENT, EXIT_MAX, METHOD, SESSION_DURATION_MAX, SIGNAL, STATUS } from '../number-and-text-limits.ts';
import { bytesOf, numberOf, textLike, textOf, wordOf, wrongType } from './field-values.ts';
import { type EventAttributes, parseEventAttributes, sseOf } from './parse-event-attributes.ts';
import type { SourceText } from './source-text.ts';
import type { YamlField } from './yaml/yaml-field.ts';

/** Parsed event: a frame, or the reason for the end of the recording. */
export type ParsedEvent =
  | { frame: Frame; match?: EventMatch; refusal?: McpRecordError; end?: never }
  | { frame?: never; match?: never; refusal?: never; end: string };

export interface EventSource {
  fields: readonly YamlField[];
  source: SourceText;
  /** Offset of the event in the source. */
  at: number;
  /** Time of the previous event. */
  since: Milliseconds;
  /** Whether a refused `match` is returned with its error, not thrown. */
  keepsRefusedMatch?: boolean;
}

/**
 * Parses one event.
 * @throws McpRecordError CASSETTE_BAD_EVENT for an unknown key, a missing or second event key, or a wrong type
 */
export function parseEvent(event: EventSource): ParsedEvent {
  const message = messageOnly(event.fields, event.since);
  return message === undefined ? parseAnyEvent(event) : { frame: message };
}

/** Parses the usual event: one message without sibling keys. Undefined for any other event. */
export function messageOnly(fields: readonly YamlField[], since: Milliseconds): MessageFrame | undefined {
  return fields.length === 1 ? messageOf(fields[0]!, since, NOTHING) : undefined;
}

const NOTHING: EventAttributes['frameFields'] = {};

function parseAnyEvent({ fields, source, at, since, keepsRefusedMatch }: EventSource): ParsedEvent {
  let subject: YamlField | undefined;
  const beside: YamlField[] = [];
  for (const field of fields) {
    const { key } = field;
    if (subject === undefined && isEventKey(key)) subject = field;
    else if (isSiblingKey(key)) beside.push(field);
    else if (isEventKey(key)) throw twoSubjects(subject!, field, source);
    else throw badEvent({ source, at: field.at }, `an event has no key "${key}"`, advice(key));
  }
  if (subject === undefined)
    throw badEvent({ source, at }, 'the event does not say what happened', `Give it one of: ${EVENT_KEYS.join(', ')}.`);
  const attributes = parseEventAttributes({ fields: beside, subject, source, keepsRefusedMatch });
  const { after = 0, partial, match, refusal, frameFields } = attributes;
  if (since + after > SESSION_DURATION_MAX) {
    const next = 'Correct what "after" says, here or in an event before it: it is in milliseconds.';
    throw badEvent({ source, at }, 'the session would last longer than 100 years', next);
  }
  const event = parseEventKey(subject, source, since + after, frameFields);
  if (match?.optional && subject.key === 'server' && event.frame?.kind !== 'message') {
    const next = 'Move it beside the message that a client or a server may leave out.';
    throw badEvent({ source, at: subject.at }, '"optional" is for messages', next);
  }
  if (match !== undefined && event.frame) event.match = match;
  if (refusal !== undefined) {
    // These results have no rule to show.
    if (event.frame === undefined || partial !== undefined) throw refusal;
    event.refusal = refusal;
  }
  return partial === undefined ? event : partialLine(event, partial, source);
}

function twoSubjects(first: YamlField, second: YamlField, source: SourceText): Error {
  const why = `one event says both "${first.key}" and "${second.key}"`;
  return badEvent({ source, at: second.at }, why, 'Make two of it.');
}

function isSiblingKey(key: string): boolean {
  return (SIBLING_KEYS as readonly string[]).includes(key);
}

function isEventKey(key: string): boolean {
  return (EVENT_KEYS as readonly string[]).includes(key);
}

function advice(key: string): string {
  const meant = didYouMean(key, [...EVENT_KEYS, ...SIBLING_KEYS]);
  return meant ? `Did you mean "${meant}"?` : `It may have: ${[...EVENT_KEYS, ...SIBLING_KEYS].join(', ')}.`;
}

function parseEventKey(
  field: YamlField,
  source: SourceText,
  at: Milliseconds,
  carried: EventAttributes['frameFields'],
): ParsedEvent {
  const message = messageOf(field, at, carried);
  if (message !== undefined) return { frame: message };
  const key = field.key as EventKey;
  const base = { at, ...carried };
  switch (key) {
    case 'client':
    case 'server':
      return { frame: parseLineEvent(field, source, { ...base, from: key, on: 'protocol' }) };
    case 'clientBytes':
      return { frame: bytes(field, source, { ...base, from: 'client', on: 'protocol' }) };
    case 'serverBytes':
      return { frame: bytes(field, source, { ...base, from: 'server', on: 'protocol' }) };
    case 'stderrBytes':
      return { frame: bytes(field, source, { ...base, from: 'server', on: 'stderr' }) };
    case 'stderr':
      return { frame: { kind: 'line', ...base, from: 'server', on: 'stderr', data: textOf(field, source) } };
    case 'open':
      return { frame: { kind: 'open', ...base, from: 'client', method: textLike(field, source, METHOD) } };
    case 'response':
      return { frame: { kind: 'http-response', ...base, from: 'server', status: replyOf(field, source) } };
    case 'sse':
      return { frame: { kind: 'sse', ...base, from: 'server', sse: sseOf(field, source) } };
    case 'comment':
      return { frame: { kind: 'comment', ...base, from: 'server', text: textLike(field, source, COMMENT) } };
    case 'authorization':
      return { frame: { kind: 'authorization', at, from: 'client', json: authorizationOf(field, source) } };
    case 'close':
      return { frame: { kind: 'close', ...base, from: sideOf(field, source) } };
    case 'signal':
      return { frame: { kind: 'signal', at, from: 'client', signal: textLike(field, source, SIGNAL) } };
    case 'exit':
      return { frame: { kind: 'exit', at, from: 'server', status: statusOf(field, source) } };
    case 'end':
      return { end: textOf(field, source) };
  }
}

/** Parses a mapping or list as a message. Nearly every event is one, so few members are copied. */
function messageOf(
  { key, json }: YamlField,
  at: Milliseconds,
  carried: EventAttributes['frameFields'],
): MessageFrame | undefined {
  const isSaid = key === 'client' || key === 'server';
  if (!isSaid || (json[0] !== '{' && json[0] !== '[')) return undefined;
  const frame: MessageFrame = { kind: 'message', at, from: key, json: new JsonText(json) };
  return carried === NOTHING ? frame : Object.assign(frame, carried);
}

type Line = Omit<LineFrame, 'kind' | 'data'>;

/** Parses a text as a raw line. It may be a message that YAML cannot represent. */
function parseLineEvent(field: YamlField, source: SourceText, line: Line): Frame {
  return lineToMessage({ kind: 'line', ...line, data: textOf(field, source) });
}

/** Parses bytes as a line. The recorder writes a line beyond its memory limit as bytes, even if the line is UTF-8. */
function bytes(field: YamlField, source: SourceText, line: Line): Frame {
  const data = bytesOf(field, source);
  return lineToMessage({ kind: 'line', ...line, data: utf8(data) ?? data });
}

function utf8(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}

function partialLine(told: ParsedEvent, field: YamlField, source: SourceText): ParsedEvent {
  const frame = told.frame;
  if (field.json !== 'true') throw wrongType(field, source, 'true', 'Leave it out for a line that was finished.');
  const line: LineFrame | undefined = frame?.kind === 'message' ? lineOf(frame) : noise(frame);
  if (line === undefined)
    throw badEvent({ source, at: field.at }, 'only a line can be partial', 'Leave "partial" out.');
  return { frame: { ...line, partial: true } };
}

function lineOf({ json, ...frame }: MessageFrame): LineFrame {
  return { ...frame, kind: 'line', on: 'protocol', data: json.text };
}

function noise(frame: Frame | undefined): LineFrame | undefined {
  return frame?.kind === 'line' ? frame : undefined;
}

/** Returns the exchange of an authorization flow. */
function authorizationOf(field: YamlField, source: SourceText): JsonText {
  const json = new JsonText(field.json);
  const problem = authorizationProblem(json.value);
  if (problem === undefined) return json;
  throw badEvent(
    { source, at: field.at },
    `"${['authorization', ...problem.path].join('.')}": ${problem.why}`,
    problem.next,
  );
}

function sideOf(field: YamlField, source: SourceText): Side {
  return wordOf(field, source, ['client', 'server'], 'Name the side that stopped sending.');
}

function replyOf(field: YamlField, source: SourceText): number | 'sse' {
  if (field.json === '"sse"') return 'sse';
  const next = 'Write, for example, "response: 404", or "response: sse" for an event stream.';
  return numberOf(field, source, { ...STATUS, wanted: `${STATUS.wanted}, or sse`, next });
}

function statusOf(field: YamlField, source: SourceText): number | string {
  const value: unknown = JSON.parse(field.json);
  const isStatus = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= EXIT_MAX;
  if (isStatus || (typeof value === 'string' && SIGNAL.pattern.test(value))) return value;
  throw wrongType(
    field,
    source,
    `a status from 0 to ${EXIT_MAX}, or the name of a signal`,
    'Write, for example, "exit: 0" or "exit: SIGKILL".',
  );
}

/**
 * Returns the frame of an HTTP error whose body earlier recorders wrote as a message: an HTTP response. Other frames are
 * returned unchanged. `isByHand`: messages may omit `jsonrpc`.
 */
export function httpErrorFrame(frame: Frame, isByHand: boolean): Frame {
  if (frame.kind !== 'message' || frame.status === undefined || !isHttpErrorBody(frame)) return frame;
  return isByHand && isWritten(frame) ? frame : httpResponse(frame);
}

/** Reports whether a message has what JSON-RPC needs, but for `jsonrpc`. */
function isWritten({ json: { value } }: MessageFrame): boolean {
  return isObject(value) && (typeof value.method === 'string' || 'result' in value || isObject(value.error));
}

function httpResponse({ at, stream, status, headers, session, json }: MessageFrame): ResponseFrame {
  return {
    kind: 'http-response',
    at,
    from: 'server',
    ...(stream !== undefined && { stream }),
    status: status!,
    headers: { 'content-type': 'application/json', ...headers },
    ...(session && { session }),
    body: json.text,
  };
}
