import type { Headers, SseFields } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { expressionProblem } from '../../kernel/linear-regex.ts';
import { writtenIgnoreProblem } from '../../protocol/ignore-rule-syntax.ts';
import { isPartPointer } from '../../protocol/json-pointer.ts';
import { isObject } from '../../protocol/message.ts';
import type { EventMatch } from '../cassette.ts';
import { badEvent } from '../cassette-errors.ts';
import { SIBLINGS, type SiblingKey } from '../format-keys.ts';
import { AFTER, COMMENT, ONE_LINE, PATH, RETRY_MAX, STATUS, STREAM } from '../number-and-text-limits.ts';
import { bytesOf, headersOf, numberOf, textLike, textOf, wordOf, wrongType } from './field-values.ts';
import type { SourceText } from './source-text.ts';
import type { YamlField } from './yaml/yaml-field.ts';

/** Values of the sibling keys of an event. */
export interface EventAttributes {
  after?: Milliseconds;
  partial?: YamlField;
  match?: EventMatch;
  /** Error of `match`. With an error, `match` is kept as written. */
  refusal?: McpRecordError;
  /** Members that are copied into the frame. */
  frameFields: {
    stream?: number;
    session?: 'new';
    sse?: SseFields;
    status?: number;
    headers?: Headers;
    path?: string;
    resumes?: string;
    how?: 'end' | 'fin' | 'rst';
    body?: string | Uint8Array;
  };
}

export interface AttributesSource {
  fields: readonly YamlField[];
  /** Field that names the event. */
  subject: YamlField;
  source: SourceText;
  /** Whether a refused `match` is returned with its error, not thrown. */
  keepsRefusedMatch?: boolean | undefined;
}

/**
 * Parses the sibling keys of `subject`.
 * @throws McpRecordError CASSETTE_BAD_EVENT for a key that `subject` cannot have, or a wrong type
 */
export function parseEventAttributes(from: AttributesSource): EventAttributes {
  const { fields, subject, source, keepsRefusedMatch = false } = from;
  const siblings: EventAttributes = { frameFields: {} };
  for (const field of fields) {
    try {
      checkPlace(field, subject, source);
      read(siblings, field, source);
    } catch (error) {
      if (!keepsRefusedMatch || field.key !== 'match' || !(error instanceof McpRecordError)) throw error;
      siblings.match = JSON.parse(field.json);
      siblings.refusal = error;
    }
  }
  return siblings;
}

function checkPlace({ key, at }: YamlField, subject: YamlField, source: SourceText): void {
  const beside: readonly string[] | undefined = SIBLINGS[key as SiblingKey];
  if (beside === undefined || beside.includes(subject.key)) return;
  const next = `It belongs beside ${beside.join(', ')}.`;
  throw badEvent({ source, at }, `"${key}" cannot stand beside "${subject.key}"`, next);
}

function read(siblings: EventAttributes, field: YamlField, source: SourceText): void {
  const { frameFields } = siblings;
  switch (field.key as SiblingKey) {
    case 'after':
      siblings.after = numberOf(field, source, AFTER);
      return;
    case 'partial':
      siblings.partial = field;
      return;
    case 'match':
      siblings.match = matchOf(field, source);
      return;
    case 'stream':
      frameFields.stream = numberOf(field, source, STREAM);
      return;
    case 'status':
      frameFields.status = numberOf(field, source, STATUS);
      return;
    case 'session':
      frameFields.session = wordOf(field, source, ['new'], 'Write "session: new" where the server issued an id.');
      return;
    case 'how':
      frameFields.how = wordOf(field, source, ['end', 'fin', 'rst'], 'Say how the connection ended, or leave it out.');
      return;
    case 'sse':
      frameFields.sse = sseOf(field, source);
      return;
    case 'headers':
      frameFields.headers = headersOf(field, source);
      return;
    case 'path':
      frameFields.path = textLike(field, source, PATH);
      return;
    case 'resumes':
      frameFields.resumes = textLike(field, source, ONE_LINE);
      return;
    case 'body':
    case 'bodyBytes':
      if (frameFields.body !== undefined)
        throw badEvent({ source, at: field.at }, 'it has two bodies', 'Keep "body" or "bodyBytes".');
      frameFields.body = field.key === 'body' ? textOf(field, source) : bytesOf(field, source);
      return;
  }
}

const REPEATS: readonly unknown[] = [undefined, 'once', 'last', 'cycle'];

const MATCH =
  'It may have ignore (JSON Pointers of parts of the message, or regular expressions such as /20\\d\\d-\\d\\d-\\d\\d/), arguments (any, partial or a pattern), repeat (once, last or cycle) and optional (true or false).';

function matchOf(field: YamlField, source: SourceText): EventMatch {
  const value: unknown = JSON.parse(field.json);
  const written = isObject(value) ? value : { none: value };
  const { ignore = [], repeat, optional = false, arguments: accepted = 'any', ...others } = written;
  const areRules = Array.isArray(ignore) && ignore.every((one) => typeof one === 'string' && isPartPointer(one));
  const isPattern = accepted === 'any' || accepted === 'partial' || isObject(accepted);
  if (
    !areRules ||
    !isPattern ||
    !REPEATS.includes(repeat) ||
    typeof optional !== 'boolean' ||
    Object.keys(others).length > 0
  )
    throw wrongType(field, source, 'how to match', MATCH);
  const [problem = expressionProblem(accepted, [])] = ignore.flatMap((one) => writtenIgnoreProblem(one, []) ?? []);
  if (problem) throw badEvent({ source, at: field.at }, problem.why, problem.next);
  return value as EventMatch;
}

/** Checks of the fields of a server-sent event, by name. */
const SSE_FIELDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['id', isOneLine],
  ['event', (value: unknown) => typeof value === 'string' && COMMENT.pattern.test(value)],
  ['data', (value: unknown) => typeof value === 'string' && !value.includes('\r')],
  ['retry', isRetry],
]);

function isOneLine(value: unknown): boolean {
  return typeof value === 'string' && ONE_LINE.pattern.test(value);
}

/** Reports whether a `retry` value is valid. Digits that a number cannot hold are text. */
function isRetry(value: unknown): boolean {
  if (typeof value === 'string') return /^\d+$/.test(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= RETRY_MAX;
}

/** Returns the fields of a server-sent event by name. */
export function sseOf(field: YamlField, source: SourceText): SseFields & { data?: string } {
  const value: unknown = JSON.parse(field.json);
  if (isObject(value) && Object.entries(value).every(([key, one]) => SSE_FIELDS.get(key)?.(one))) return value;
  throw wrongType(
    field,
    source,
    'the fields of an event',
    'It may have id and event (text of one line), data (text), and retry (whole milliseconds).',
  );
}
