import { createReadStream, statSync } from 'node:fs';
import { fileSize } from '../../kernel/read-regular-file.ts';
import type { Cassette, CassetteEvent, Header } from '../cassette.ts';
import { IncrementalCassetteParser } from './incremental-cassette-parser.ts';
import { cannotOpen, loadCassette } from './load-cassette.ts';
import { mayBeForeign } from './parse-cassette.ts';
import { YAML_LENGTH_MAX } from './yaml/full-yaml-reader.ts';

/** Cassette of any size. Memory holds only the current part. */
export interface CassetteStream {
  file: string;
  header: Header;
  /** Events, to be read once. The file is closed at the last one, or when the reader stops early. */
  events: AsyncGenerator<CassetteEvent, void>;
  /** Reason for the end of the recording, known after the last event. */
  end?: string;
  /** Warnings as in {@link Cassette}, complete after the last event. */
  warnings: string[];
}

/**
 * Opens a cassette for reading event by event.
 * @throws McpRecordError as `loadCassette`: errors of the header from this call, others from `events`
 */
export async function streamCassette(file: string): Promise<CassetteStream> {
  return streamChunks(chunksOf(file), file);
}

const CHUNK_BYTES = 64 * 1024;

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    fileSize(file);
    yield* createReadStream(file, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/**
 * Streams a cassette from bytes in pieces of any size. A hand-written cassette, or one with a foreign layout, is small:
 * it is loaded from `file` as a whole.
 */
export async function streamChunks(chunks: AsyncIterable<Uint8Array>, file: string): Promise<CassetteStream> {
  const walk = new IncrementalCassetteParser(file);
  const batches = batchesOf(walk, chunks);
  const first = await nextOrWhole(batches, file);
  if (isCassette(first)) return streamOf(first);
  if (walk.header!.recorder === undefined && isSmall(file)) {
    await batches.return(undefined);
    return streamOf(loadCassette(file));
  }
  const stream: CassetteStream = { file, header: walk.header!, events: events(), warnings: walk.warnings };
  return stream;

  async function* events(): AsyncGenerator<CassetteEvent, void> {
    let count = 0;
    try {
      for (let batch = first; batch !== undefined; batch = await nextOrWhole(batches, file)) {
        if (isCassette(batch)) {
          Object.assign(stream, endOf(batch));
          return yield* batch.events.slice(count);
        }
        yield* batch;
        count += batch.length;
      }
      Object.assign(stream, endOf(walk));
    } finally {
      await batches.return(undefined);
    }
  }
}

/** Yields the events of each chunk after the header. */
async function* batchesOf(
  walk: IncrementalCassetteParser,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<CassetteEvent[], undefined> {
  for await (const chunk of chunks) {
    const events = walk.push(chunk);
    if (walk.header !== undefined) yield events;
  }
  yield walk.finish();
}

async function nextOrWhole(
  batches: AsyncGenerator<CassetteEvent[], undefined>,
  file: string,
): Promise<CassetteEvent[] | Cassette | undefined> {
  try {
    return (await batches.next()).value;
  } catch (error) {
    if (mayBeForeign(error) && isSmall(file)) return loadCassette(file);
    throw error;
  }
}

function isSmall(file: string): boolean {
  return statSync(file).size <= YAML_LENGTH_MAX;
}

function isCassette(read: CassetteEvent[] | Cassette | undefined): read is Cassette {
  return read !== undefined && 'header' in read;
}

function streamOf(cassette: Cassette): CassetteStream {
  async function* events(): AsyncGenerator<CassetteEvent, void> {
    yield* cassette.events;
  }
  return { ...endOf(cassette), file: cassette.file, header: cassette.header, events: events() };
}

function endOf({
  end,
  warnings,
}: Pick<Cassette, 'warnings'> & { end?: string | undefined }): Pick<CassetteStream, 'end' | 'warnings'> {
  return end === undefined ? { warnings } : { end, warnings };
}
