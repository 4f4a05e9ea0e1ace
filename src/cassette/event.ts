import { classify } from '../channel/classify.ts';
import type { Frame, NoiseFrame, Side, Stream } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { JsonText } from '../protocol/json-text.ts';
import type { Field } from './field.ts';
import { EVENT_KEYS, type EventKey, SIBLING_KEYS } from './keys.ts';
import { nearest } from './nearest.ts';
import type { Source } from './source.ts';
import { badEvent } from './trouble.ts';

/** What an event says: a frame, or why the recording ended. */
export type Told = { frame: Frame; end?: never } | { frame?: never; end: string };

export interface EventSource {
  fields: readonly Field[];
  source: Source;
  /** Where in the source the event begins. */
  at: number;
  /** When the event before it passed. */
  since: Milliseconds;
}

/**
 * Reads one event.
 * @throws McpRecordError TAPE_BAD_EVENT for an unknown key, none or two that say what happened, or a wrong type
 */
export function eventOf({ fields, source, at, since }: EventSource): Told {
  let subject: Field | undefined;
  let after: Milliseconds = 0;
  let partial: Field | undefined;
  for (const field of fields) {
    const { key } = field;
    if (key === 'after') after = millisecondsOf(field, source);
    else if (key === 'partial') partial = field;
    else if (!isEventKey(key))
      throw badEvent({ source, at: field.at }, `an event has no key "${key}"`, advice(key));
    else if (subject === undefined) subject = field;
    else
      throw badEvent(
        { source, at: field.at },
        `one event says both "${subject.key}" and "${key}"`,
        'Make two of it.',
      );
  }
  if (subject === undefined)
    throw badEvent(
      { source, at },
      'the event does not say what happened',
      `Give it one of: ${EVENT_KEYS.join(', ')}.`,
    );
  const told = tell(subject, source, since + after);
  return partial === undefined ? told : unfinished(told, partial, source);
}

function isEventKey(key: string): boolean {
  return (EVENT_KEYS as readonly string[]).includes(key);
}

function advice(key: string): string {
  const meant = nearest(key, [...EVENT_KEYS, ...SIBLING_KEYS]);
  return meant ? `Did you mean "${meant}"?` : `It may have: ${[...EVENT_KEYS, ...SIBLING_KEYS].join(', ')}.`;
}

function tell(field: Field, source: Source, at: Milliseconds): Told {
  const key = field.key as EventKey;
  switch (key) {
    case 'client':
    case 'server':
      return { frame: said(key, field, { source, at }) };
    case 'clientBytes':
      return { frame: bytes(field, { source, at, from: 'client', on: 'protocol' }) };
    case 'serverBytes':
      return { frame: bytes(field, { source, at, from: 'server', on: 'protocol' }) };
    case 'stderrBytes':
      return { frame: bytes(field, { source, at, from: 'server', on: 'stderr' }) };
    case 'stderr':
      return { frame: { kind: 'noise', at, from: 'server', on: 'stderr', data: textOf(field, source) } };
    case 'close':
      return { frame: { kind: 'close', at, from: sideOf(field, source) } };
    case 'signal':
      return { frame: { kind: 'signal', at, from: 'client', signal: textOf(field, source) } };
    case 'exit':
      return { frame: { kind: 'exit', at, from: 'server', status: statusOf(field, source) } };
    case 'end':
      return { end: textOf(field, source) };
  }
}

/** A mapping or list is the message; a string is the line, which may hold a message that YAML could not. */
function said(from: Side, field: Field, { source, at }: { source: Source; at: Milliseconds }): Frame {
  const opening = field.json[0];
  if (opening === '{' || opening === '[')
    return { kind: 'message', at, from, json: new JsonText(field.json) };
  return classify({ kind: 'noise', at, from, on: 'protocol', data: textOf(field, source) });
}

interface BytesContext {
  source: Source;
  at: Milliseconds;
  from: Side;
  on: Stream;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes that are text after all (a line too long to be held when it was recorded) are read as that line. */
function bytes(field: Field, { source, at, from, on }: BytesContext): Frame {
  const text = textOf(field, source);
  if (text.length % 4 !== 0 || !BASE64.test(text))
    throw wrongType(
      field,
      source,
      'bytes in base64',
      'A line that is text goes under the key without "Bytes".',
    );
  const data = new Uint8Array(Buffer.from(text, 'base64'));
  return classify({ kind: 'noise', at, from, on, data: utf8(data) ?? data });
}

function utf8(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}

function unfinished(told: Told, field: Field, source: Source): Told {
  const frame = told.frame;
  if (field.json !== 'true')
    throw wrongType(field, source, 'true', 'Leave it out for a line that was finished.');
  const line: NoiseFrame | undefined =
    frame?.kind === 'message'
      ? { ...frame, kind: 'noise', on: 'protocol', data: frame.json.text }
      : noise(frame);
  if (line === undefined)
    throw badEvent({ source, at: field.at }, 'only a line can be partial', 'Leave "partial" out.');
  return {
    frame: { kind: 'noise', at: line.at, from: line.from, on: line.on, data: line.data, partial: true },
  };
}

function noise(frame: Frame | undefined): NoiseFrame | undefined {
  return frame?.kind === 'noise' ? frame : undefined;
}

function textOf(field: Field, source: Source): string {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'string') return value;
  throw wrongType(field, source, 'text', 'Put it in quotes.');
}

function millisecondsOf(field: Field, source: Source): Milliseconds {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw wrongType(
    field,
    source,
    'a number of milliseconds',
    'Write the time since the event before it, from 0.',
  );
}

function sideOf(field: Field, source: Source): Side {
  const side: unknown = JSON.parse(field.json);
  if (side === 'client' || side === 'server') return side;
  throw wrongType(field, source, 'client or server', 'Name the side that stopped sending.');
}

function statusOf(field: Field, source: Source): number | string {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) return value;
  throw wrongType(
    field,
    source,
    'a status or the name of a signal',
    'Write, for example, "exit: 0" or "exit: SIGKILL".',
  );
}

function wrongType(field: Field, source: Source, wanted: string, next: string): Error {
  const shown = field.json.length > SHOWN_MAX ? `${field.json.slice(0, SHOWN_MAX)}…` : field.json;
  return badEvent({ source, at: field.at }, `"${field.key}" is ${shown}, not ${wanted}`, next);
}

const SHOWN_MAX = 40;
