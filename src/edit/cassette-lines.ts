import { type EditableCassette, type EditableEvent, editableCassette } from '../cassette/edit/editable-cassette.ts';
import { firstWhere } from '../kernel/queue-and-binary-search.ts';
import { notEdited } from './not-edited.ts';

/** A cassette as whole lines of text, for edits that remove, move or add events. Unaffected lines keep their bytes. */
export interface CassetteLines {
  editable: EditableCassette;
  /** Lines before the first event. */
  head: string;
  /** Events in order, including `end:`. */
  events: EventLines[];
  /** Lines after the last event: comments, and the incomplete event of a killed recorder. */
  tail: string;
  /** Column of the events' dashes. */
  indent: number;
}

/** Lines of an event, including the comments directly above it. */
export interface EventLines {
  event: EditableEvent;
  /** Text with its original line breaks. */
  text: string;
  /** Lines with LF as line breaks, and their offset in the parsed text. */
  plain: string;
  start: number;
  /** Line number of the dash, from 1. `lastLine`: number of the last line. */
  line: number;
  lastLine: number;
}

const BYTE_ORDER_MARK = '\ufeff';
const AFTER_BREAK = /(?<=\n)|(?<=\r)(?!\n)/;

/**
 * Splits the text of a cassette into events.
 * @throws McpRecordError as `parseCassette`; CASSETTE_NOT_EDITED unless each event starts on its own line with a dash
 */
export function cassetteLines(text: string, file: string): CassetteLines {
  const lines = text.split(AFTER_BREAK);
  const plain = lines.map((line) => line.replace(/\r\n?$/, '\n'));
  plain[0] = plain[0]!.replace(BYTE_ORDER_MARK, '');
  const editable = editableCassette(plain.join(''), file);
  const starts = offsetsOf(plain);
  const dashes = dashLines(editable, plain, starts);
  const tailAt = editable.tail === undefined ? lines.length : lineAt(starts, editable.tail.at);
  const indent = /^ */.exec(plain[dashes[0] ?? 0]!)![0].length;
  // An event begins with the comments above its dash. Comments below the last event belong to the tail.
  const begins = [...dashes, tailAt].map((at, n) => firstComment(plain, { from: dashes[n - 1] ?? -1, at, indent }));
  const slice = (from: number, to?: number) => lines.slice(from, to).join('');
  const events = dashes.map((dash, n): EventLines => {
    const [from, to] = [begins[n]!, begins[n + 1]!];
    return {
      event: editable.events[n]!,
      text: slice(from, to),
      plain: plain.slice(from, to).join(''),
      start: starts[from]!,
      line: dash + 1,
      lastLine: to,
    };
  });
  return { editable, head: slice(0, begins[0]), events, tail: slice(begins.at(-1)!), indent };
}

function offsetsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length;
    return start;
  });
}

/** Returns the index of the line at `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  return firstWhere(starts.length, (index) => starts[index]! > offset) - 1;
}

function dashLines({ events, head, cassette }: EditableCassette, plain: string[], starts: number[]): number[] {
  let before = -1;
  return events.map(({ source, at, node }) => {
    const line = lineAt(starts, source === head ? (node().map?.range?.[0] ?? 0) : at);
    if (line <= before || !/^ *- /.test(plain[line]!)) {
      throw notEdited(`${cassette.file}:${line + 1}`, 'its events do not stand one below the other, each after a dash');
    }
    before = line;
    return line;
  });
}

interface Above {
  /** Line of the previous dash. */
  from: number;
  at: number;
  indent: number;
}

/**
 * Returns the first comment line above line `at`. Blank lines above it may belong to a block scalar of the previous
 * event.
 */
function firstComment(plain: readonly string[], { from, at, indent }: Above): number {
  let first = at;
  for (let line = at - 1; line > from; line--) {
    const [, blanks = '', rest = ''] = /^(\s*)(.*)/.exec(plain[line]!)!;
    if (rest === '') continue;
    // Deeper indented lines may belong to a block scalar.
    if (!rest.startsWith('#') || blanks.length > indent + KEY_INDENT) break;
    first = line;
  }
  return first;
}

/** Minimum column of an event's keys, relative to its dash. */
const KEY_INDENT = 2;
