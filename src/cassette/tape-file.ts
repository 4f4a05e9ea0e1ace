import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { numberedName } from './file-name.ts';

const BUFFER_BYTES = 64 * 1024;
/** UTF-8 takes at most this many bytes for one UTF-16 unit. */
const BYTES_A_UNIT = 3;
const NAMES_MAX = 10_000;
const OWNER_ONLY = 0o600;

/**
 * A cassette being written. What is added gathers in memory until `flush` hands it to the disk in one write. An existing
 * file is never opened: the next free name is taken. Every method throws what the file system throws.
 */
export class TapeFile {
  #path: string;
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    [this.#path, this.#fd] = createNext(path);
  }

  /** Where the tape lies now. */
  get path(): string {
    return this.#path;
  }

  add(text: string): void {
    const atMost = text.length * BYTES_A_UNIT;
    if (this.#used + atMost > BUFFER_BYTES) this.flush();
    if (atMost > BUFFER_BYTES) this.#write(Buffer.from(text));
    else this.#used += this.#buffer.write(text, this.#used);
  }

  flush(): void {
    const used = this.#used;
    if (used === 0) return;
    this.#used = 0;
    this.#write(this.#buffer.subarray(0, used));
  }

  /** Gives the tape another name, or the next free one after it. */
  rename(path: string): void {
    const [next, fd] = createNext(path);
    closeSync(fd);
    renameSync(this.#path, next);
    this.#path = next;
  }

  close(): void {
    this.flush();
    closeSync(this.#fd);
  }

  #write(data: Uint8Array): void {
    for (let from = 0; from < data.length; ) from += writeSync(this.#fd, data, from);
  }
}

/** Creates the first of the names that start with `path` and is free, which nobody else can take any more. */
function createNext(path: string): [path: string, fd: number] {
  for (let n = 1; ; n++) {
    const name = numberedName(path, n);
    try {
      return [name, openSync(name, 'wx', OWNER_ONLY)];
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (!taken || n >= NAMES_MAX) throw error;
    }
  }
}
