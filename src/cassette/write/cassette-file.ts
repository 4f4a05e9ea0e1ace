import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { OWNER_ONLY, renameFile } from './atomic-write.ts';
import { numberedName } from './cassette-names.ts';

/** So much is handed to the disk without waiting for more. */
const BUFFER_BYTES = 64 * 1024;
/** What text is encoded into. Each write is over before the next begins: all cassettes share it. Larger writes cost less a byte. */
const SHARED_BYTES = 4 * BUFFER_BYTES;
let shared: Buffer | undefined;
/** What is gathered as bytes has room for an event beyond what is handed over at once. */
const GATHERED_BYTES = 2 * BUFFER_BYTES;
/** Maximum number of spare buffers: those of cassettes written to in one turn of the event loop, 2 MB at most. */
const SPARE_MAX = 16;
const spare: Uint8Array[] = [];
/** A character of a string is so many bytes at most. */
const UTF8_BYTES_MAX = 3;
const encoder = new TextEncoder();

/** Something that writes itself as bytes. */
export interface Bytes {
  /** Writes itself to `buffer` from `at` on, and returns the offset behind it; -1: it cannot, or has no room. */
  write(buffer: Uint8Array, at: number): number;
}

/** Names are not tried without end. */
export const NAMES_MAX: number = 1_000_000;
/** Names tried one after another. If all are taken, the next free one is searched for. */
const NAMES_TRIED = 8;

/** Never creates a removed file again and never follows a link. */
const AT_END = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * A cassette being written. What is added gathers in memory until `flush` hands it to the disk in one write. An existing
 * file is never opened: the next free name is taken. Between writes the file may be `parked`, which takes no descriptor. Every
 * method throws what the file system throws.
 */
export class CassetteFile {
  #path: string;
  /** Absent: parked. */
  #fd: number | undefined;
  /** Which file it is, whatever it is called. */
  readonly #identity: { ino: number; dev: number };
  /** Length at the time of closing: a file that replaced a removed one may have its inode number. */
  #parkedLength = 0;
  /** Text waiting to be written. Excludes gathered bytes. */
  #text = '';
  /** Bytes waiting to be written, and their number. */
  #gathered: Uint8Array | undefined;
  #length = 0;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    const [name, fd] = createNext(path);
    this.#path = name;
    this.#fd = fd;
    // On Windows, some releases of Node name another device for a descriptor than for its path.
    this.#identity = process.platform === 'win32' ? statSync(name) : fstatSync(fd);
  }

  /** Where the cassette lies now. */
  get path(): string {
    return this.#path;
  }

  add(text: string): void {
    // A flush costs less than appending to a long text.
    if (text.length >= BUFFER_BYTES) this.flush();
    if (this.#length > 0) {
      if (this.#gather(text)) return;
      this.flush();
    }
    this.#text += text;
    if (this.#text.length >= BUFFER_BYTES) this.flush();
  }

  /** Adds what `bytes` writes; says whether it could. */
  addBytes(bytes: Bytes): boolean {
    if (this.#text !== '') this.#gatherText();
    const end = bytes.write(this.#buffer(), this.#length);
    if (end < 0) return false;
    this.#length = end;
    if (end >= BUFFER_BYTES) this.flush();
    return true;
  }

  #gatherText(): void {
    const text = this.#text;
    if (!this.#gather(text)) return this.flush();
    this.#text = '';
  }

  /** Adds text as bytes, if there is room whatever its characters are. */
  #gather(text: string): boolean {
    const room = this.#buffer().subarray(this.#length);
    if (text.length * UTF8_BYTES_MAX > room.length) return false;
    this.#length += encoder.encodeInto(text, room).written;
    return true;
  }

  /** Returns the buffer that gathers bytes until the next flush. */
  #buffer(): Uint8Array {
    this.#gathered ??= spare.pop() ?? Buffer.allocUnsafeSlow(GATHERED_BYTES);
    return this.#gathered;
  }

  flush(): void {
    if (!this.isBehind) return;
    const fd = this.resume();
    let text = this.#text;
    const length = this.#length;
    this.#text = '';
    this.#length = 0;
    if (text !== '') shared ??= Buffer.allocUnsafeSlow(SHARED_BYTES);
    while (text !== '') {
      const { read, written } = encoder.encodeInto(text, shared!);
      writeAll(fd, shared!, written);
      text = text.slice(read);
    }
    if (this.#gathered === undefined) return;
    if (length > 0) writeAll(fd, this.#gathered, length);
    if (spare.length < SPARE_MAX) spare.push(this.#gathered);
    this.#gathered = undefined;
  }

  /** Whether added data is not on disk yet. */
  get isBehind(): boolean {
    return this.#text !== '' || this.#length > 0;
  }

  get isParked(): boolean {
    return this.#fd === undefined;
  }

  /** Closes the file until it is written to again. */
  park(): void {
    this.flush();
    if (this.#fd === undefined) return;
    this.#parkedLength = fstatSync(this.#fd).size;
    closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Opens the file again, if it is parked: the same file, at its end. */
  resume(): number {
    if (this.#fd !== undefined) return this.#fd;
    this.#check();
    this.#fd = openSync(this.#path, AT_END);
    return this.#fd;
  }

  /** Gives the cassette another name, or the next free one after it. */
  rename(path: string): void {
    const [next, fd] = createNext(path);
    closeSync(fd);
    renameFile(this.#path, next);
    this.#path = next;
  }

  /** Ends the file. Throws, too, where its name is no longer that of what was written: it was removed, replaced or written to. */
  close(): void {
    this.park();
    this.#check();
  }

  /** Closes the file without flushing. Never throws. */
  abandon(): void {
    this.#text = '';
    this.#length = 0;
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) closeSync(fd);
    } catch {
      // A full disk may say so once more.
    }
  }

  #check(): void {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const { ino, dev } = this.#identity;
    if (found?.ino !== ino || found.dev !== dev || found.size !== this.#parkedLength)
      throw new Error(`the file was ${found ? 'replaced' : 'removed'} while it was written`);
  }
}

function writeAll(fd: number, bytes: Uint8Array, length: number): void {
  for (let from = 0; from < length; ) from += writeSync(fd, bytes, from, length - from);
}

/** Creates the first free name that starts with `path`. No other process can take it. */
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
