import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { numberedName } from './file-name.ts';

/** What is handed to the disk in one write. */
const BUFFER_BYTES = 64 * 1024;
const encoder = new TextEncoder();

/** Names are not tried without end. */
export const NAMES_MAX: number = 1_000_000;
/** The first names are tried one after another; where all are taken there are many, and the next free one is searched for. */
const NAMES_TRIED = 8;

const OWNER_ONLY = 0o600;

/**
 * A cassette being written. What is added gathers in memory until `flush` hands it to the disk in one write. An existing
 * file is never opened: the next free name is taken. Every method throws what the file system throws.
 */
export class TapeFile {
  #path: string;
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #added = '';

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    [this.#path, this.#fd] = createNext(path);
  }

  /** Where the tape lies now. */
  get path(): string {
    return this.#path;
  }

  add(text: string): void {
    this.#added += text;
    if (this.#added.length >= BUFFER_BYTES) this.flush();
  }

  flush(): void {
    let text = this.#added;
    this.#added = '';
    while (text !== '') {
      const { read, written } = encoder.encodeInto(text, this.#buffer);
      this.#write(this.#buffer.subarray(0, written));
      text = text.slice(read);
    }
  }

  /** Gives the tape another name, or the next free one after it. */
  rename(path: string): void {
    const [next, fd] = createNext(path);
    closeSync(fd);
    renameSync(this.#path, next);
    this.#path = next;
  }

  /** Ends the file. Throws, too, where its name is no longer that of what was written: it was removed or replaced meanwhile. */
  close(): void {
    this.flush();
    const { ino, dev } = fstatSync(this.#fd);
    closeSync(this.#fd);
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (found?.ino !== ino || found.dev !== dev)
      throw new Error(`the file was ${found ? 'replaced' : 'removed'} while it was written`);
  }

  #write(data: Uint8Array): void {
    for (let from = 0; from < data.length; ) from += writeSync(this.#fd, data, from);
  }
}

/** Creates one of the names that start with `path`, the first that is free, which nobody else can take any more. */
function createNext(path: string): [path: string, fd: number] {
  for (let n = 1; ; n = n < NAMES_TRIED ? n + 1 : nextFree(path, n)) {
    const name = numberedName(path, n);
    try {
      return [name, openSync(name, 'wx', OWNER_ONLY)];
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (!taken || n >= NAMES_MAX) throw error;
    }
  }
}

/** The number of a free name after a taken one, found in few steps: ten thousand sessions do not try each other's names. */
function nextFree(path: string, taken: number): number {
  const isTaken = (n: number) => existsSync(numberedName(path, n));
  let [low, high] = [taken, taken * 2];
  while (high < NAMES_MAX && isTaken(high)) [low, high] = [high, high * 2];
  high = Math.min(high, NAMES_MAX);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isTaken(middle)) low = middle;
    else high = middle;
  }
  return high;
}
