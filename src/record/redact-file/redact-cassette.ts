import { type EditableCassette, type EditableEvent, editableCassette } from '../../cassette/edit/editable-cassette.ts';
import { countBreaks, normalizeBreaks } from '../../cassette/read/source-text.ts';
import { YAML_LENGTH_MAX } from '../../cassette/read/yaml/full-yaml-reader.ts';
import { eventText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { wasRedacted } from '../../redact/replace/mask-for-compare.ts';
import { placeholderOf } from '../../redact/replace/placeholder-format.ts';
import { type UnredactableValue, unredactableIn } from '../summary/unredactable-values.ts';
import { redactBeforeWriting } from '../writer/redact-before-writing.ts';
import { eventEdits, frameOf, type RewriteOptions } from './event-edits.ts';
import { commentEdits, headerEdits, leftByRules } from './redact-outside-events.ts';
import { listRedactRules } from './write-applied-rule-names.ts';

/** Secret in a cassette: its place and kind, never its value. */
export interface CassetteSecret {
  /** Line, from 1. */
  line: number;
  /** Name in the placeholder that replaces the secret. */
  kind: string;
  /** Placeholder that replaces the secret. Equal secrets have equal placeholders. */
  placeholder: string;
}

export interface RedactedCassette {
  /** Redacted cassette. Without secrets, it is the unchanged input text. */
  text: string;
  /** Number of lines added to the header of `text`. Places of values do not count these lines. */
  linesAdded: number;
  /** Secrets in the order of the cassette. */
  secrets: CassetteSecret[];
  /** Values that match a rule but stay, because the session could not be played without these values. */
  unredactable: UnredactableValue[];
  /** Warnings about skipped parts, as in `Cassette`. */
  warnings: string[];
}

/**
 * Removes the secrets from the text of a cassette: from messages, headers, standard error, comments, and the incomplete
 * end of a killed recorder. Only keys and values with a secret are rewritten. Comments, blank lines, order, quotes and
 * manual edits stay byte for byte.
 * @throws McpRecordError as `parseCassette`; CASSETTE_NOT_REDACTED if a secret cannot be removed without further
 * changes; CASSETTE_NOT_SEARCHED if the search fails
 */
export function redactCassette(text: string, file: string, redactor: Redactor): RedactedCassette {
  try {
    return redacted(text, file, redactor);
  } catch (cause) {
    throw cause instanceof McpRecordError ? cause : notSearched(file, cause);
  }
}

function redacted(text: string, file: string, redactor: Redactor): RedactedCassette {
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
  const missed = leftByRules(editable, redactor);
  if (missed !== undefined)
    throw notRedacted(file, missed.line, `a value that a rule of yours matches (${missed.name}) would be left`);
  const names = redactor.listedRules();
  // If a cassette already contains placeholders but this run used no rules, other rules may have produced the
  // placeholders. The header then lists no rules.
  const isListed = names !== undefined && (names.length > 0 || !wasRedacted(plain));
  const listed = edits.length > 0 && isListed ? listRedactRules({ text: safe, file }, plain, names) : safe;
  return {
    text: edits.length === 0 ? text : inTheWayOf(text, listed),
    linesAdded: countBreaks(listed, 0, listed.length) - countBreaks(safe, 0, safe.length),
    secrets: secretsOf(edits, plain),
    unredactable: redactor.hasUnredactable() ? unredactableOf(editable, redactor) : [],
    warnings: editable.cassette.warnings,
  };
}

const BYTE_ORDER_MARK = '\ufeff';

/** Maximum number of rounds. One secret may reveal another; two rounds suffice for real cassettes. */
const ROUNDS_MAX = 8;

/**
 * Shows the whole cassette to the redactor first, because a secret learnt at the end may also occur at the beginning.
 */
function learn(editable: EditableCassette, redactor: Redactor, plain: string): void {
  const placeholders = allPlaceholdersIn(plain).map(({ name, n }) => placeholderOf(name, n));
  redactor.text(placeholders.join(' '));
  for (let round = 0, known = -1; round < ROUNDS_MAX && known < redactor.knownCount(); round++) {
    known = redactor.knownCount();
    headerEdits(editable, redactor);
    for (const event of editable.events) told(event, redactor);
  }
}

/** Returns the frame of an event and its redacted form. Undefined: the event is the end of the recording. */
function told(event: EditableEvent, redactor: Redactor): { frame: Frame; kept: Frame } | undefined {
  const frame = frameOf(event);
  return frame && { frame, kept: redactBeforeWriting(frame, redactor) };
}

function unredactableOf({ events }: EditableCassette, redactor: Redactor): UnredactableValue[] {
  return events.flatMap((event) => {
    const frame = frameOf(event);
    return frame ? unredactableIn(frame, event.source.line, redactor) : [];
  });
}

/** Returns the edits in the order of the cassette, without overlaps. An anchor gives an edit for each alias. */
function editsOf(editable: EditableCassette, redactor: Redactor): RewriteOptions[] {
  const edits = headerEdits(editable, redactor);
  for (const event of editable.events) {
    const { source, at } = event;
    const said = told(event, redactor);
    if (said && said.kept !== said.frame) for (const edit of editsOfEvent(event, said)) edits.push(edit);
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

/**
 * Applies all edits. Each edit uses its first spelling, or the safest one if the cassette would otherwise be read back
 * differently.
 */
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

/** Restores the line breaks and the byte order mark of the original file. */
function inTheWayOf(original: string, text: string): string {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + (original.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text);
}

/** Returns the secrets of ordered edits. */
function secretsOf(edits: readonly RewriteOptions[], plain: string): CassetteSecret[] {
  let [line, counted] = [1, 0];
  return edits.flatMap(({ start, end, texts }) => {
    const old = plain.slice(start, end);
    const place = start + sameLength(old, texts[0]!);
    line += countBreaks(plain, counted, place);
    counted = place;
    return newPlaceholders(old, texts.at(-1)!).map(({ kind, placeholder }) => ({ line, kind, placeholder }));
  });
}

/**
 * Returns the kinds and placeholders of the secrets replaced between `old` and `safe`. `encoded` stands for
 * placeholders inside an unreadable encoding.
 */
function newPlaceholders(old: string, safe: string): Omit<CassetteSecret, 'line'>[] {
  const before = new Set(allPlaceholdersIn(old).map(({ name, n }) => placeholderOf(name, n)));
  const added = allPlaceholdersIn(safe)
    .map(({ name, n }) => ({ kind: name, placeholder: placeholderOf(name, n) }))
    .filter(({ placeholder }) => !before.has(placeholder));
  if (added.length === 0) return [{ kind: 'encoded', placeholder: safe }];
  return [...new Map(added.map((secret) => [secret.placeholder, secret])).values()];
}

/** Returns the length of the common beginning of two texts. A secret in a block may be many lines below its key. */
function sameLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function notSearched(file: string, cause: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_SEARCHED',
    what: `Cannot search ${file} for secrets`,
    why: messageOf(cause),
    next: 'The file is unchanged, and may contain secrets. Please report this: it is a bug of mcp-record.',
    cause,
  });
}

function notRedacted(file: string, line: number, why: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_REDACTED',
    what: `Cannot take the secrets out of ${file}`,
    why,
    next: 'Nothing was written. Edit that line by hand, and run this again: write "[redacted:NAME:1]", or in a pattern of "match" the form of the value, such as \\d{5}.',
    place: { file, line },
  });
}
