import { type EditableCassette, type EditableEvent, editableCassette } from '../../cassette/edit/editable-cassette.ts';
import { countBreaks, normalizeBreaks } from '../../cassette/read/source-text.ts';
import { YAML_LENGTH_MAX } from '../../cassette/read/yaml/parse-document.ts';
import { eventText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { placeholdersIn } from '../../redact/replace/placeholders.ts';
import { redactBeforeWriting } from '../writer/redact-before-writing.ts';
import { commentEdits, headerEdits } from './cassette-head-edits.ts';
import { eventEdits, frameOf, type RewriteOptions } from './event-edits.ts';

/** A secret in a cassette: its place and kind, never its value. */
export interface CassetteSecret {
  /** From 1. */
  line: number;
  /** The name in the placeholder that takes its place. */
  kind: string;
}

export interface RedactedCassette {
  /** The cassette without its secrets; the very text that was given where it has none. */
  text: string;
  /** In the order of the cassette. */
  secrets: CassetteSecret[];
  /** Parts that the parser left out, as in `Cassette`. */
  warnings: string[];
}

/**
 * Takes the secrets out of a cassette that is given as text: out of messages, headers, standard error, comments, and what a
 * killed recorder left. Only the keys and values that hold one are written anew. Comments, blank lines, order, quotes and
 * edits by hand stay as they are, to the byte.
 * @throws McpRecordError as `parseCassette`; CASSETTE_NOT_REDACTED where a secret cannot be taken out without touching more
 */
export function redactCassette(text: string, file: string, redactor: Redactor): RedactedCassette {
  const plain = normalizeBreaks(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  const editable = editableCassette(plain, file);
  learn(editable, redactor, plain);
  const edits = editsOf(editable, redactor);
  const safe = written(editable, plain, edits, redactor);
  const left = redactor.suspicious(safe);
  if (left)
    throw notRedacted(
      file,
      1 + countBreaks(safe, 0, left.start),
      `what looks like a secret (${left.name}) would be left`,
    );
  return {
    text: edits.length === 0 ? text : inTheWayOf(text, safe),
    secrets: secretsOf(edits, plain),
    warnings: editable.cassette.warnings,
  };
}

const BYTE_ORDER_MARK = '\ufeff';

/** So often may one find lead to another; every cassette settles in two. */
const ROUNDS_MAX = 8;

/** Lets the redactor see all there is, since what it learns at the end may stand at the beginning. */
function learn(editable: EditableCassette, redactor: Redactor, plain: string): void {
  const placeholders = placeholdersIn(plain).map(({ start, end }) => plain.slice(start, end));
  redactor.text(placeholders.join(' '));
  for (let round = 0, known = -1; round < ROUNDS_MAX && known < redactor.learnt().length; round++) {
    known = redactor.learnt().length;
    headerEdits(editable, redactor);
    for (const event of editable.events) told(event, redactor);
  }
}

/** Returns the frame of an event and its redacted form, or undefined for the end of the recording. */
function told(event: EditableEvent, redactor: Redactor): { frame: Frame; kept: Frame } | undefined {
  const frame = frameOf(event);
  return frame && { frame, kept: redactBeforeWriting(frame, redactor) };
}

/** In the order of the cassette, none within another. An anchor is met as often as it is used. */
function editsOf(editable: EditableCassette, redactor: Redactor): RewriteOptions[] {
  const edits = headerEdits(editable, redactor);
  for (const event of editable.events) {
    const { source, at } = event;
    const said = told(event, redactor);
    if (said && said.kept !== said.frame) edits.push(...editsOfEvent(event, said));
    if (source !== editable.head) edits.push(...commentEdits(source.text, at, redactor));
  }
  edits.sort((a, b) => a.start - b.start);
  return edits.filter(({ start }, i) => start >= (edits[i - 1]?.end ?? 0));
}

function editsOfEvent(event: EditableEvent, { frame, kept }: { frame: Frame; kept: Frame }): RewriteOptions[] {
  const { file, line, text } = event.source;
  const edits = text.length > YAML_LENGTH_MAX ? undefined : eventEdits(event, frame, kept);
  if (edits) return edits;
  throw notRedacted(file, line, 'a secret stands where it cannot be told from its surroundings');
}

/** Returns the cassette with all edits made. Each edit uses its first spelling that reads back as intended. */
function written(
  editable: EditableCassette,
  plain: string,
  edits: readonly RewriteOptions[],
  redactor: Redactor,
): string {
  if (edits.length === 0) return plain;
  const { file } = editable.cassette;
  const likeliest = applied(plain, edits, ({ texts }) => texts[0]!);
  if (saysWhatIsKept(likeliest, editable, redactor)) return likeliest;
  const safest = applied(plain, edits, ({ texts }) => texts.at(-1)!);
  if (saysWhatIsKept(safest, editable, redactor)) return safest;
  throw notRedacted(
    file,
    1 + countBreaks(plain, 0, edits[0]!.start),
    'the cassette would say something else without its secrets',
  );
}

function applied(text: string, edits: readonly RewriteOptions[], choose: (edit: RewriteOptions) => string): string {
  let result = '';
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + choose(edit);
    from = edit.end;
  }
  return result + text.slice(from);
}

function saysWhatIsKept(text: string, { cassette, events }: EditableCassette, redactor: Redactor): boolean {
  const edited = read(text, cassette.file);
  if (edited === undefined || edited.events.length !== events.length) return false;
  const isSame = (event: EditableEvent, i: number) => {
    const kept = told(event, redactor)?.kept;
    const now = frameOf(edited.events[i]!);
    return (kept && eventText(kept)) === (now && eventText(now));
  };
  return events.every(isSame) && editsOf(edited, redactor).length === 0;
}

function read(text: string, file: string): EditableCassette | undefined {
  try {
    return editableCassette(text, file);
  } catch {
    return undefined;
  }
}

/** With the line breaks and the byte order mark that the file had. */
function inTheWayOf(original: string, text: string): string {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + (original.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text);
}

/** Of edits in the order of the cassette. */
function secretsOf(edits: readonly RewriteOptions[], plain: string): CassetteSecret[] {
  let [line, counted] = [1, 0];
  return edits.flatMap(({ start, end, texts }) => {
    const old = plain.slice(start, end);
    const place = start + sameLength(old, texts[0]!);
    line += countBreaks(plain, counted, place);
    counted = place;
    return kindsIn(old, texts.at(-1)!).map((kind) => ({ line, kind }));
  });
}

/** Returns the kinds of secrets that were removed between `old` and `safe`. */
function kindsIn(old: string, safe: string): string[] {
  const before = new Set(placeholdersIn(old).map(({ name, n }) => `${name}:${n}`));
  const names = placeholdersIn(safe)
    .filter(({ name, n }) => !before.has(`${name}:${n}`))
    .map(({ name }) => name);
  return [...new Set(names)];
}

/** How long two texts are the same: what stands in a block may be many lines below its head. */
function sameLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function notRedacted(file: string, line: number, why: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_REDACTED',
    what: `Cannot take the secrets out of ${file}`,
    why,
    next: 'Nothing was written. Edit that line by hand, as "[redacted:NAME:1]", and run this again.',
    place: { file, line },
  });
}
