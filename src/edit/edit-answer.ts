import { parseEvent } from '../cassette/read/parse-event.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { locate } from '../protocol/json-scan.ts';
import { elementsOf, isBatch } from '../protocol/json-text.ts';
import { type CassetteLines, cassetteLines, type EventLines } from './cassette-lines.ts';
import { notEdited } from './not-edited.ts';
import { renderEditedCassette } from './render-edited-cassette.ts';

/** An answer in a cassette, and its new result or error. */
export interface AnswerEdit {
  /** Line of the event, from 1. */
  line: number;
  /** Position in a batch, or 0 for a single message. */
  part: number;
  /** Message as JSON, in the form that the cassette reader returns. */
  before: string;
  /** The new result or error, as JSON without white space. */
  value: string;
}

/** Text of a cassette with an edited answer. */
export interface EditedCassetteText {
  text: string;
  /** Lines of the edited event, from 1. */
  lines: { first: number; last: number };
}

/**
 * Gives an answer another result or error. All other bytes of the text stay.
 * @throws McpRecordError as `parseCassette`; CASSETTE_NOT_EDITED if the answer cannot be located in the text, or the
 * cassette could not be played any more; CASSETTE_CHANGED if the cassette has another message there
 */
export function editAnswer(text: string, file: string, edit: AnswerEdit): EditedCassetteText {
  const lines = cassetteLines(text, file);
  const edited = eventAt(lines, file, edit);
  const message = messageAfter(edited, file, edit);
  const after = renderEditedCassette({
    head: lines.head,
    parts: lines.events.map((one) => ({ origin: lines, lines: one, ...(one === edited && { message }) })),
    tail: lines.tail,
    file,
  });
  const more = linesIn(after) - linesIn(text);
  return { text: after, lines: { first: edited.line, last: edited.lastLine + more } };
}

function eventAt({ editable, events }: CassetteLines, file: string, { line, part, before }: AnswerEdit): EventLines {
  const index = editable.cassette.events.findIndex((event) => event.line === line);
  const frame = editable.cassette.events[index]?.frame;
  const message = frame?.kind === 'message' ? elementsOf(frame.json)[part] : undefined;
  if (message?.text === before) return events[index]!;
  throw new McpRecordError({
    code: 'CASSETTE_CHANGED',
    what: `Cannot edit ${file}:${line}`,
    why: 'the cassette has another message there now',
    next: 'Copy your text, cancel, and edit the message that is there now.',
  });
}

/** Returns the whole message of the event, with the new value. */
function messageAfter({ event }: EventLines, file: string, { line, part, value }: AnswerEdit): string {
  const { frame } = parseEvent({ fields: event.fields, source: event.source, at: 0, since: 0 });
  if (frame?.kind === 'message') {
    const { text } = frame.json;
    const path = isBatch(frame.json) ? [part] : [];
    const span = locate(text, [...path, 'result']) ?? locate(text, [...path, 'error']);
    if (span) return text.slice(0, span.start) + value + text.slice(span.end);
  }
  throw notEdited(`${file}:${line}`, 'this message has neither a result nor an error', 'Edit the answer of a request.');
}

function linesIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}
