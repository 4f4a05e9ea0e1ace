import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { FORMAT } from './cassette.ts';
import { placeOf, type SourceText } from './read/source-text.ts';

/** Position of a problem: the offset `at` in `source.text`. */
export interface Spot {
  source: SourceText;
  at: number;
}

const cannotRead = (file: string) => `Cannot read cassette ${file}`;
const at = ({ source, at }: Spot) => ({ what: cannotRead(source.file), place: placeOf(source, at) });

export function notFound(file: string): McpRecordError {
  if (PATTERN.test(file)) return noMatch(file);
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: cannotRead(file),
    why: 'there is no such file',
    next: REVISION.test(file)
      ? `Only diff and report read revisions: git show ${file} > old.yaml`
      : `Check the name, or record it: mcp-record record -o ${file} -- COMMAND`,
  });
}

/** Name of a file in a revision of git, such as `main:cassettes/a.yaml`. A drive has one letter. */
const REVISION = /^(..[^:]*)?:[^/\\]/;

/** Characters of a pattern, which a shell passes on unexpanded if no file matches it. */
const PATTERN = /[*?]/;

function noMatch(pattern: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: cannotRead(pattern),
    why: 'no file matches this pattern',
    next: 'Check the folder and the ending. A shell without patterns, such as cmd.exe, needs each name.',
  });
}

export function isDirectory(file: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_IS_DIRECTORY',
    what: cannotRead(file),
    why: 'it is a directory',
    next: 'Name one of the cassettes in it.',
  });
}

export function notAFile(file: string, cause: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_A_FILE',
    what: cannotRead(file),
    why: messageOf(cause),
    next: 'Write what comes from there to a file first, and name that.',
    cause,
  });
}

export function unreadable(file: string, cause: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_UNREADABLE',
    what: cannotRead(file),
    why: messageOf(cause),
    next: 'Check that the file can be read by this user.',
    cause,
  });
}

export function empty(file: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_EMPTY',
    what: cannotRead(file),
    why: 'the file is empty',
    next: 'Restore it from version control, or delete it and record again.',
  });
}

/**
 * Returns the error for a file that is not a cassette.
 * @param why clause that describes the content
 */
export function notACassette(spot: Spot, why: string): McpRecordError {
  const isMock = why.includes('mcp-record-mock/');
  return new McpRecordError({
    code: 'CASSETTE_NOT_RECOGNIZED',
    why,
    next: isMock
      ? 'It is a mock file: serve it with mcp-record mock, or read it with readMockFile of mcp-record/mock.'
      : `A cassette is a YAML file with "format: ${FORMAT}" and a list of "events:".`,
    ...at(spot),
  });
}

export function newerFormat(spot: Spot, format: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NEWER_FORMAT',
    why: `it is in format ${format}, and this version knows formats up to ${FORMAT}`,
    next: 'Upgrade mcp-record: npm install mcp-record@latest',
    expected: FORMAT,
    actual: format,
    ...at(spot),
  });
}

export function badHeader(spot: Spot, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'CASSETTE_BAD_HEADER', why, next, ...at(spot) });
}

export function badEvent(spot: Spot, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'CASSETTE_BAD_EVENT', why, next, ...at(spot) });
}

/** Returns the error for invalid YAML or bytes that are not text. A merge conflict gets its own error. */
export function damaged(spot: Spot, why: string): McpRecordError {
  const conflict = CONFLICT.exec(spot.source.text);
  if (conflict) return mergeConflict({ source: spot.source, at: conflict.index });
  return new McpRecordError({
    code: 'CASSETTE_DAMAGED',
    why: `it is damaged here: ${why}`,
    next: 'Mend the line, restore the file from version control, or delete it and record again.',
    ...at(spot),
  });
}

const CONFLICT = /^(?:<{7} |={7}$|>{7} )/m;

function mergeConflict(spot: Spot): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_MERGE_CONFLICT',
    why: 'it holds an unresolved merge conflict',
    next: 'Resolve it, or take one side whole: git checkout --ours FILE, or --theirs.',
    ...at(spot),
  });
}

export function tooLarge(file: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'CASSETTE_TOO_LARGE', what: cannotRead(file), why, next });
}
