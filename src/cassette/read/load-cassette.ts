import { McpRecordError } from '../../kernel/errors.ts';
import { fileSize, NOT_A_FILE, readNamedFile } from '../../kernel/read-regular-file.ts';
import type { Cassette, CassetteSource } from '../cassette.ts';
import { isDirectory, notAFile, notFound, tooLarge, unreadable } from '../cassette-errors.ts';
import { checkSize, type OnRead, parseCassetteBytes } from './parse-cassette.ts';

/**
 * Loads a complete cassette.
 * @throws McpRecordError CASSETTE_NOT_FOUND, CASSETTE_IS_DIRECTORY, CASSETTE_NOT_A_FILE, CASSETTE_UNREADABLE,
 * CASSETTE_TOO_LARGE, and those of `parseCassette`
 */
export function loadCassette(file: string, onRead?: OnRead): Cassette {
  return parseCassetteBytes(readCassette(file), file, onRead);
}

/**
 * Returns a cassette given as a value, or loads it from its path.
 * @throws McpRecordError those of `loadCassette`
 */
export function cassetteOf(source: CassetteSource): Cassette {
  return typeof source === 'string' ? loadCassette(source) : source;
}

/** Returns the path of a cassette. A cassette value has one for messages. */
export function pathOf(source: CassetteSource): string {
  return typeof source === 'string' ? source : source.file;
}

/**
 * Reads the bytes of a cassette, after checking its size.
 * @throws McpRecordError CASSETTE_NOT_FOUND, CASSETTE_IS_DIRECTORY, CASSETTE_NOT_A_FILE, CASSETTE_UNREADABLE,
 * CASSETTE_TOO_LARGE
 */
export function readCassette(file: string): Uint8Array {
  try {
    checkSize(file, fileSize(file));
    return readNamedFile(file);
  } catch (error) {
    throw error instanceof McpRecordError ? error : cannotOpen(file, error);
  }
}

/** Returns the error for an unreadable file. */
export function cannotOpen(file: string, error: unknown): McpRecordError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return notFound(file);
  if (code === 'EISDIR') return isDirectory(file);
  if (code === NOT_A_FILE) return notAFile(file, error);
  if (code === 'ERR_FS_FILE_TOO_LARGE')
    return tooLarge(file, 'it is too large to be read at once', 'Read it with streamCassette.');
  return unreadable(file, error);
}
