import { createReadStream, statSync } from 'node:fs';
import { cannotOpen, loadCassette, mayBeForeign } from './load.ts';
import type { Cassette, Header, TapeEvent } from './types.ts';
import { Walk } from './walk.ts';
import { YAML_LENGTH_MAX } from './yaml/document.ts';

/** A cassette of any size: one event of it is in memory at a time. */
export interface CassetteStream {
  file: string;
  header: Header;
  /** To be read once. */
  events: AsyncGenerator<TapeEvent, void>;
  /** Why the recording ended; known when `events` has ended. */
  end?: string;
  /** As of a {@link Cassette}; whole when `events` has ended. */
  warnings: string[];
}

/**
 * Opens a cassette to be read event by event.
 * @throws McpRecordError as `loadCassette`: here for the header, from `events` for what follows
 */
export async function streamCassette(file: string): Promise<CassetteStream> {
  return streamChunks(chunksOf(file), file);
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

const CHUNK_BYTES = 256 * 1024;

/** As {@link streamCassette}, from bytes that were cut anywhere; `file` names them, and is read again if it must. */
export async function streamChunks(chunks: AsyncIterable<Uint8Array>, file: string): Promise<CassetteStream> {
  const walk = new Walk(file);
  const pieces = piecesOf(walk, chunks);
  const first = await orWhole(file, () => pieces.next());
  if (!('value' in first)) return whole(first);
  const stream: CassetteStream = {
    file,
    header: walk.header!,
    events: events(first.value ?? []),
    warnings: walk.warnings,
  };
  return stream;

  async function* events(opening: TapeEvent[]): AsyncGenerator<TapeEvent, void> {
    let count = 0;
    for (let piece: TapeEvent[] | undefined = opening; piece !== undefined; ) {
      yield* piece;
      count += piece.length;
      const next = await orWhole(file, () => pieces.next());
      if (!('value' in next)) {
        yield* next.events.slice(count);
        close(next);
        return;
      }
      piece = next.done ? undefined : next.value;
    }
    close(walk);
  }

  function close({ end, warnings }: Pick<Cassette, 'end' | 'warnings'> | Walk): void {
    if (end !== undefined) stream.end = end;
    stream.warnings = warnings;
  }
}

/** The events of each chunk, from the first chunk on that completes the header. */
async function* piecesOf(
  walk: Walk,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<TapeEvent[], undefined> {
  for await (const chunk of chunks) {
    const events = walk.push(chunk);
    if (walk.header !== undefined) yield events;
  }
  yield walk.finish();
}

/** What cannot be read event by event is read as a whole, if it is small enough for that. */
async function orWhole<T>(file: string, read: () => Promise<T>): Promise<T | Cassette> {
  try {
    return await read();
  } catch (error) {
    if (!mayBeForeign(error) || statSync(file).size > YAML_LENGTH_MAX) throw error;
    return loadCassette(file);
  }
}

function whole(cassette: Cassette): CassetteStream {
  const { file, header, warnings } = cassette;
  async function* events(): AsyncGenerator<TapeEvent, void> {
    yield* cassette.events;
  }
  const stream: CassetteStream = { file, header, events: events(), warnings };
  if (cassette.end !== undefined) stream.end = cassette.end;
  return stream;
}
