import type { Cassette } from '../cassette/cassette.ts';
import { parseCassette } from '../cassette/read/parse-cassette.ts';
import { eventLines } from '../cassette/write/format-event.ts';
import type { Frame } from '../channel/frame.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { renumberIds } from './renumber-added-frames.ts';

/** Kinds of frames that end a session, and `line` for output printed meanwhile. */
const ENDING: ReadonlySet<Frame['kind']> = new Set(['close', 'signal', 'exit', 'line']);

/**
 * Checks that a session's messages can be added to a cassette. Messages over HTTP need an exchange, which a session in
 * memory or over stdio does not have.
 * @throws McpRecordError CASSETTE_NOT_EXTENDED
 */
export function checkExtendable({ file, events }: Cassette): void {
  const isOverHttp = events.some(({ frame }) => frame.kind === 'message' && frame.stream !== undefined);
  if (isOverHttp)
    throw extensionError(file, 'it was recorded over HTTP, and added messages would belong to no exchange');
}

/**
 * Returns the text of a cassette with `frames` added before the end of its session. All its lines are kept.
 * @throws McpRecordError CASSETTE_NOT_EXTENDED if the cassette is incomplete, or not in the recorder's layout; and
 * those of `parseCassette`
 */
export function appendEntries(text: string, file: string, frames: readonly Frame[]): string {
  const cassette = parseCassette(text, file);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  lines.splice(endOf(cassette, lines), 0, ...renumberIds(frames, cassette.events).flatMap(eventLines));
  const extended = lines.join(newline);
  if (countEvents(extended, file) === cassette.events.length + frames.length) return extended;
  throw extensionError(file, 'its events do not stand one below the other, each after a dash');
}

/** Returns the index of the line where the end of the session starts. */
function endOf({ file, header, end, events }: Cassette, lines: readonly string[]): number {
  if (header.recorder !== undefined && end === undefined) {
    throw extensionError(file, 'its recorder was killed, so its end is unknown');
  }
  const last = events.findLastIndex(({ frame }) => !ENDING.has(frame.kind));
  const ending = events.slice(last + 1).find(({ frame }) => frame.kind !== 'line');
  if (ending) return ending.line - 1;
  const marked = lines.findLastIndex((line) => line.startsWith('- end:'));
  return marked >= 0 ? marked : lines.findLastIndex((line) => line.trim() !== '') + 1;
}

function countEvents(text: string, file: string): number {
  try {
    return parseCassette(text, file).events.length;
  } catch {
    return -1;
  }
}

function extensionError(file: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_EXTENDED',
    what: `Cannot add to the cassette ${file}`,
    why,
    next: 'Record it anew, in mode "record".',
  });
}
