import { McpRecordError } from '../../kernel/errors.ts';
import { utf8BytesOf, utf8Text } from '../../kernel/platform/bytes.ts';
import type { Cassette, CassetteEvent } from '../cassette.ts';
import { notACassette, tooLarge } from '../cassette-errors.ts';
import { laterRevisionWarning } from '../later-revision.ts';
import { completeWrittenMessages } from './add-omitted-jsonrpc-fields.ts';
import { FORMAT_UPGRADES, type FormatUpgrade } from './format-upgrade.ts';
import { IncrementalCassetteParser, type MatchRefusal } from './incremental-cassette-parser.ts';
import { countBreaks, type SourceText } from './source-text.ts';
import { Utf8Normalizer } from './utf8-normalizer.ts';
import { YAML_LENGTH_MAX, type YamlCassette, yamlCassette } from './yaml/full-yaml-reader.ts';

/**
 * Maximum size of a cassette that is loaded as a whole, close to the longest JavaScript string. Longer ones are
 * streamed.
 */
export const CASSETTE_BYTES_MAX: number = 500 * 1024 * 1024;

/** Number of bytes between progress reports. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Called with the number of bytes read of a long cassette, and its size. */
export type OnRead = (done: number, of: number) => void;

interface Reading {
  file: string;
  steps: readonly FormatUpgrade[];
  onRead?: OnRead | undefined;
  keepsRefusedMatch?: boolean;
}

/**
 * Parses the text of a cassette. Messages use `file` as its name.
 * @throws McpRecordError CASSETTE_EMPTY, CASSETTE_NOT_RECOGNIZED, CASSETTE_NEWER_FORMAT, CASSETTE_BAD_HEADER,
 * CASSETTE_BAD_EVENT, CASSETTE_MERGE_CONFLICT, CASSETTE_DAMAGED, CASSETTE_TOO_LARGE
 */
export function parseCassette(
  source: Uint8Array | string,
  file: string,
  steps: readonly FormatUpgrade[] = FORMAT_UPGRADES,
): Cassette {
  return read(typeof source === 'string' ? utf8BytesOf(source) : source, { file, steps }).cassette;
}

/**
 * Parses the bytes of a cassette, with reports of its progress.
 * @throws McpRecordError as `parseCassette`
 */
export function parseCassetteBytes(bytes: Uint8Array, file: string, onRead?: OnRead): Cassette {
  return read(bytes, { file, steps: FORMAT_UPGRADES, onRead }).cassette;
}

/** Cassette for display only: refused `match` rules are kept as written. */
export interface ShownCassette extends Cassette {
  /** Errors of the refused rules. */
  refusals?: readonly MatchRefusal[];
}

/**
 * Parses the text of a cassette for showing it: a `match` that `parseCassette` refuses is returned as it is written.
 * @throws McpRecordError as `parseCassette`, for anything else
 */
export function parseShownCassette(source: Uint8Array, file: string): ShownCassette {
  const { cassette, refusals } = read(source, { file, steps: FORMAT_UPGRADES, keepsRefusedMatch: true });
  return { ...cassette, refusals };
}

interface Parsed {
  cassette: Cassette;
  refusals: readonly MatchRefusal[];
}

function read(bytes: Uint8Array, reading: Reading): Parsed {
  const { file } = reading;
  checkSize(file, bytes.length);
  try {
    return byEvents(bytes, reading);
  } catch (error) {
    if (!mayBeForeign(error) || bytes.length > YAML_LENGTH_MAX) throw error;
    return asDocument(bytes, reading, error);
  }
}

/**
 * Checks the size of a cassette that is read at once.
 * @throws McpRecordError CASSETTE_TOO_LARGE
 */
export function checkSize(file: string, bytes: number): void {
  if (bytes <= CASSETTE_BYTES_MAX) return;
  const why = `it has ${bytes} bytes, and at most ${CASSETTE_BYTES_MAX} can be read at once`;
  throw tooLarge(file, why, 'Read it with streamCassette.');
}

function byEvents(bytes: Uint8Array, { file, steps, onRead, keepsRefusedMatch }: Reading): Parsed {
  const walk = new IncrementalCassetteParser(file, steps, keepsRefusedMatch);
  const events: CassetteEvent[] = [];
  const size = onRead === undefined ? bytes.length : PIECE_BYTES;
  for (let at = 0; at < bytes.length; at += size) {
    for (const event of walk.push(bytes.subarray(at, at + size))) events.push(event);
    onRead?.(Math.min(at + size, bytes.length), bytes.length);
  }
  for (const event of walk.finish()) events.push(event);
  return parsedCassette(walk, file, events);
}

/** Reports whether an error may come from a foreign layout, such as aliases, which the document parser accepts. */
export function mayBeForeign(error: unknown): error is McpRecordError {
  return error instanceof McpRecordError && ['CASSETTE_DAMAGED', 'CASSETTE_NOT_RECOGNIZED'].includes(error.code);
}

/** Reads a cassette as one document. `error` is that of reading it event by event. */
function asDocument(bytes: Uint8Array, reading: Reading, error: McpRecordError): Parsed {
  const { file, steps, keepsRefusedMatch } = reading;
  const decoder = new Utf8Normalizer();
  const start = decoder.push(bytes);
  const rest = decoder.end();
  if (start.isInvalid || rest.isInvalid) throw error;
  const source: SourceText = { file, text: utf8Text(start.bytes) + utf8Text(rest.bytes), line: 1 };
  const walk = new IncrementalCassetteParser(file, steps, keepsRefusedMatch);
  const cassette = yamlCassetteOr(error, source);
  walk.begin(cassette.header, source);
  if (cassette.events === undefined) throw notACassette({ source, at: 0 }, 'it has no "events:"');
  const events: CassetteEvent[] = [];
  let line = 1;
  let counted = 0;
  for (const { fields, at } of cassette.events) {
    line += countBreaks(source.text, counted, at);
    counted = at;
    const event = walk.event({ fields, source, line, at });
    if (event) events.push(event);
  }
  return parsedCassette(walk, file, events);
}

/** Parses the source as YAML. If that fails, too, the first error is thrown, unless the file is clearly a cassette. */
function yamlCassetteOr(first: McpRecordError, source: SourceText): YamlCassette {
  try {
    return yamlCassette(source);
  } catch (error) {
    const isOurs = /\bformat\b.*mcp-record\//.test(source.text);
    const isPlain = error instanceof McpRecordError && error.code === 'CASSETTE_BAD_HEADER';
    throw isPlain || (first.code === 'CASSETTE_NOT_RECOGNIZED' && isOurs) ? error : first;
  }
}

function parsedCassette(walk: IncrementalCassetteParser, file: string, events: Cassette['events']): Parsed {
  const { header, end, warnings, refusals } = walk;
  const byHand = header!.recorder === undefined;
  const later = laterRevisionWarning(file, events);
  const cassette = {
    file,
    header: header!,
    events: byHand ? completeWrittenMessages(events) : events,
    ...(end === undefined ? {} : { end }),
    warnings: later === undefined ? warnings : [...warnings, later],
  };
  return { cassette, refusals };
}
