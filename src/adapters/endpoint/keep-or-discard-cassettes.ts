import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { renameFile } from '../../cassette/write/atomic-write.ts';
import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { isProbeName, probeName, recordingName } from '../../cassette/write/cassette-names.ts';
import { carryMatchRules } from '../rerecord/carry-match-rules.ts';

/**
 * Returns the cassette files of an endpoint: the cassette itself, and one for each further session of its recording:
 * `weather.yaml`, `weather.2.yaml`, `weather.3.yaml`.
 */
export function numberedCassettes(cassette: string): [string, ...string[]] {
  const others: string[] = [];
  for (let n = 2; existsSync(partName(cassette, n)); n++) others.push(partName(cassette, n));
  return [cassette, ...others];
}

/** Files of a recording in progress. They lie beside the cassette until the run has passed or failed. */
export class NewCassettes {
  readonly #cassette: string;
  /** Number of earlier cassette files, which are kept. */
  readonly #recorded: number;
  readonly #files: CassetteFile[] = [];
  #count = 0;

  constructor(cassette: string, recorded = 0) {
    this.#cassette = cassette;
    this.#recorded = recorded;
  }

  /** Number of cassette files written by `keep`. */
  get count(): number {
    return this.#count;
  }

  /** Creates the cassette file of a session. */
  open(): CassetteFile {
    const file = new CassetteFile(recordingName(this.#cassette));
    this.#files.push(file);
    return file;
  }

  /** Current paths of the files. */
  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Deletes the files. */
  discard(): void {
    for (const path of this.paths) rmSync(path, { force: true });
  }

  /** Replaces the cassette files of earlier runs by these files. Returns notes on what they had and these files lack. */
  keep(): string[] {
    const former = numberedCassettes(this.#cassette).slice(this.#recorded);
    const sessions = this.paths.filter((path) => !isProbeName(path));
    const [probe] = this.paths.filter(isProbeName);
    // If no client went beyond `server/discover`, that exchange is the recorded session.
    const isAlone = sessions.length === 0 && this.#recorded === 0;
    const parts = isAlone && probe !== undefined ? [probe] : sessions;
    const first = this.#recorded + 1;
    const lost = parts.flatMap((path, index) => putAt(path, partName(this.#cassette, first + index)));
    this.#count = parts.length;
    for (const path of former.slice(parts.length)) {
      lost.push(...carryMatchRules({ file: path }));
      rmSync(path, { force: true });
    }
    if (probe === undefined || parts.includes(probe)) {
      if (this.#recorded === 0) rmSync(probeName(this.#cassette), { force: true });
    } else lost.push(...putAt(probe, probeName(this.#cassette)));
    return lost;
  }
}

/** Moves a recording to its place, with the rules of the cassette there. Returns notes on what it lacks. */
function putAt(path: string, place: string): string[] {
  const lost = existsSync(place) ? carryMatchRules({ file: place, recording: path }) : [];
  renameFile(path, existsSync(place) ? realpathSync(place) : place);
  return lost;
}

function partName(cassette: string, n: number): string {
  if (n === 1) return cassette;
  const extension = extname(cassette);
  return join(dirname(cassette), `${basename(cassette, extension)}.${n}${extension}`);
}
