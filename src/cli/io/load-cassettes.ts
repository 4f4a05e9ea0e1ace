import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { isProbeName } from '../../cassette/write/cassette-names.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Loads the cassette at `path`, or all cassettes of a folder, in the order of recording and number.
 * @throws McpRecordError as `loadCassette`, and CASSETTE_NONE_IN_FOLDER for a folder without cassettes
 */
export function loadCassettes(path: string): [Cassette, ...Cassette[]] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [loadCassette(path)];
  const files = readdirSync(path).filter((name) => name.endsWith('.yaml'));
  const [first, ...rest] = files.filter((name) => !isProbeName(name)).sort(inOrder);
  if (first === undefined) throw noneIn(path, files);
  return [loadCassette(join(path, first)), ...rest.map((file) => loadCassette(join(path, file)))];
}

function noneIn(path: string, probes: readonly string[]): McpRecordError {
  const [probe] = probes;
  return new McpRecordError({
    code: 'CASSETTE_NONE_IN_FOLDER',
    what: `Cannot read cassettes from ${path}`,
    why:
      probe === undefined
        ? 'it has no file that ends in .yaml'
        : `it has only server/discover exchanges without a session: ${probes.join(', ')}`,
    next:
      probe === undefined
        ? `Record into it with -o ${path}, or name another folder.`
        : `Record a session into it, or name the file itself: ${join(path, probe)}`,
  });
}

/** Returns a warning for a cassette without requests, or `undefined`. */
export function warningOfNoRequests({ file, events }: Cassette): string | undefined {
  if (events.some(({ frame }) => frame.kind === 'message' && frame.from === 'client')) return undefined;
  const refusal = events.find(({ frame }) => frame.kind === 'http-response' && typeof frame.status === 'number')?.frame;
  const refused = refusal && 'status' in refusal ? ` The server answered with ${refusal.status}.` : '';
  return `${file} has no client message, so every request will be a miss.${refused} Check the URL that was recorded, and record again.`;
}

/** Compares names numerically: `cassette.yaml`, `cassette-2.yaml`, …, `cassette-10.yaml`. */
function inOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.replace(/\.yaml$/, ''));
  return left!.localeCompare(right!, 'en', { numeric: true });
}
