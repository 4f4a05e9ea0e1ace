import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { type UnplayableEntry, unplayableEntries } from '../cassette/correlate/unplayable-entries.ts';
import { messageValueEdits } from '../cassette/edit/value-edits.ts';
import { parseEvent } from '../cassette/read/parse-event.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import type { MessageFrame } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';
import { renamePlaceholders } from '../redact/replace/placeholders.ts';
import { stripHttp } from '../replay/prepare/strip-http.ts';
import { type CassetteLines, cassetteLines, type EventLines } from './cassette-lines.ts';
import { notEdited } from './not-edited.ts';
import { delayEdit, editedText, messageEdits, type TextEdit, type TokenChange, tokenEdit } from './scalar-edits.ts';

/** An event of an edited cassette: its origin, and its changes. */
export interface EditedEvent {
  /** Source cassette of the event. */
  origin: CassetteLines;
  lines: EventLines;
  delay?: Milliseconds | undefined;
  /** Changes of tokens in the message. */
  tokens?: readonly TokenChange[] | undefined;
  /** New placeholders of secrets, by the placeholders in its own cassette. */
  placeholders?: ReadonlyMap<string, string> | undefined;
  /** Changed message, as JSON without white space. */
  message?: string | undefined;
  /** Changed stream number. */
  stream?: number | undefined;
  /** Number of columns to indent the event further than in its own cassette. */
  shift?: number | undefined;
}

/** The parts of an edited cassette. */
export interface EditedCassette {
  head: string;
  /** Events, and other lines between them. */
  parts: readonly (EditedEvent | string)[];
  tail: string;
  file: string;
}

/**
 * Returns the text of an edited cassette. Lines of unchanged events keep their bytes.
 * @throws McpRecordError CASSETTE_NOT_EDITED if an event would be read differently, or could not be played any more
 */
export function renderEditedCassette({ head, parts, tail, file }: EditedCassette): string {
  const texts = [head, ...parts.map((part) => (typeof part === 'string' ? part : eventAfter(part))), tail];
  const isLast = (index: number) => texts.slice(index + 1).every((text) => text === '');
  const text = texts
    .map((one, index) => (one === '' || /[\r\n]$/.test(one) || isLast(index) ? one : `${one}\n`))
    .join('');
  const events = parts.filter((part) => typeof part !== 'string');
  check(linesAfter(text, file), events);
  return text;
}

/** Parses the edited text. It is invalid if a YAML anchor, or a line needed by another event, was removed. */
function linesAfter(text: string, file: string): CassetteLines {
  try {
    return cassetteLines(text, file);
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    throw notEdited(file, `what is left could not be read: ${error.problem.why}`);
  }
}

function eventAfter(event: EditedEvent): string {
  const { lines, delay, tokens = [], message, stream, shift = 0, placeholders = NONE } = event;
  const edits: (TextEdit | undefined)[] = [
    ...(delay === undefined ? [] : [delayEdit(lines, delay)]),
    ...(tokens.length === 0 ? [] : (messageEdits(lines, tokens) ?? [undefined])),
    ...(message === undefined ? [] : (messageValueEdits(lines.event, message) ?? [undefined])),
    ...(stream === undefined ? [] : [tokenEdit(lines.event, ['stream'], String(stream))]),
  ];
  if (edits.every((edit) => edit !== undefined))
    return shifted(renamePlaceholders(editedText(lines, edits), placeholders), shift);
  throw notEdited(placeOf(event), 'the change in this event cannot be located in the text');
}

const NONE: ReadonlyMap<string, string> = new Map();

function shifted(text: string, columns: number): string {
  if (columns >= 0) return columns === 0 ? text : text.replace(/^(?=[^\r\n])/gm, ' '.repeat(columns));
  return text.replace(new RegExp(`^ {1,${-columns}}`, 'gm'), '');
}

function placeOf({ origin, lines }: EditedEvent): string {
  return `${origin.editable.cassette.file}:${lines.line}`;
}

/**
 * Checks that the edited text has the intended events. A YAML anchor, for example, may have been removed with another
 * event.
 */
function check(edited: CassetteLines, events: readonly EditedEvent[]): void {
  const wrong = events.find((event, index) => {
    const now = edited.events[index];
    return now === undefined || meaningOf(now.event) !== meaningOf(event.lines.event, event);
  });
  if (wrong || edited.events.length !== events.length)
    throw notEdited(placeOf(wrong ?? events.at(-1)!), 'it would be read differently without the text around it');
  checkPlayable(edited, events);
}

/** Returns an event as comparable text, with `changes` applied. */
function meaningOf(event: EventLines['event'], changes: Partial<EditedEvent> = {}): string {
  const { frame, match, end } = parseEvent({ fields: event.fields, source: event.source, at: 0, since: 0 });
  if (frame === undefined) return `end ${end}`;
  const { delay = frame.at, tokens = [], stream, placeholders = NONE } = changes;
  const message = frame.kind === 'message' && { json: changes.message ?? changedJson(frame, tokens).text };
  const all = { ...frame, ...message, ...(stream !== undefined && { stream }), at: delay, match };
  return renamePlaceholders(JSON.stringify(all), placeholders);
}

function changedJson({ json }: MessageFrame, tokens: readonly TokenChange[]): JsonText {
  return tokens.reduce(({ text }, { path, token }) => {
    const { start, end } = locate(text, path) ?? { start: 0, end: 0 };
    return new JsonText(text.slice(0, start) + token + text.slice(end));
  }, json);
}

/** Checks that the edit made no playable entry unplayable. */
function checkPlayable(edited: CassetteLines, events: readonly EditedEvent[]): void {
  const { cassette } = edited.editable;
  const before = new Map<CassetteLines, ReadonlyMap<number, UnplayableEntry>>();
  for (const [line, { why, next }] of unplayableLines(cassette)) {
    const event = events[edited.events.findIndex((lines) => lines.line === line)];
    if (event === undefined) continue;
    const { origin, lines } = event;
    const known = before.get(origin) ?? unplayableLines(origin.editable.cassette);
    before.set(origin, known);
    if (!known.has(lines.line)) throw notEdited(placeOf(event), `in the new cassette ${why}`, next);
  }
}

/** Returns the unplayable entries, by the line of their event. */
function unplayableLines(cassette: Cassette): Map<number, UnplayableEntry> {
  const entries = eventsToEntries(stripHttp(cassette).events);
  return new Map([...unplayableEntries(entries, correlateEntries(entries))].map((found) => [found.entry.line, found]));
}
