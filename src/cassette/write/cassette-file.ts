import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { OWNER_ONLY, renameFile } from './atomic-write.ts';
import { numberedName } from './cassette-names.ts';

/** Number of pending bytes that triggers a write. */
const BUFFER_BYTES = 64 * 1024;
/**
 * Size of the encoding buffer that all cassettes share, because each write is synchronous. Larger writes cost less per
 * byte.
 */
const SHARED_BYTES = 4 * BUFFER_BYTES;
let shared: Buffer | undefined;
/** Size of a buffer for gathered bytes: space for one event beyond the write threshold. */
const GATHERED_BYTES = 2 * BUFFER_BYTES;
/** Maximum number of spare buffers: those of cassettes written to in one turn of the event loop, 2 MB at most. */
const SPARE_MAX = 16;
const spare: Uint8Array[] = [];
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;
const encoder = new TextEncoder();

/** Value that writes itself as bytes. */
export interface Bytes {
  /**
   * Writes itself to `buffer` from `at` on. Returns the end offset. -1: writing is impossible, or the buffer is too
   * small.
   */
  write(buffer: Uint8Array, at: number): number;
}

/** Maximum number of file names to try. */
export const NAMES_MAX: number = 1_000_000;
/** Number of names tried one by one. If all are taken, a binary search finds the next free one. */
const NAMES_TRIED = 8;

/** Flags for appending: a removed file is not created again, and links are not followed. */
const AT_END = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Cassette file being written. Added text is held in memory until `flush` writes it in one call. An existing file is
 * never opened: the next free name is taken. Between writes the file may be parked, so that it needs no descriptor.
 * Every method throws file system errors.
 */
export class CassetteFile {
  #path: string;
  /** File descriptor. Absent: the file is parked. */
  #fd: number | undefined;
  /** Identity of the file, independent of its name. */
  readonly #identity: { ino: number; dev: number };
  /** Length at the time of parking: a file that replaced a removed one may have the same inode number. */
  #parkedLength = 0;
  /** Pending text, without the gathered bytes. */
  #text = '';
  /** Pending bytes, and their number. */
  #gathered: Uint8Array | undefined;
  #length = 0;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    const [name, fd] = createNext(path);
    this.#path = name;
    this.#fd = fd;
    // On Windows, some Node releases report different device numbers for a descriptor and its path.
    this.#identity = process.platform === 'win32' ? statSync(name) : fstatSync(fd);
  }

  /** Current path of the cassette. */
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

  /** Adds bytes. False: `bytes` could not be written. */
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

  /** Adds text as bytes, if the buffer is large enough for any characters. */
  #gather(text: string): boolean {
    const room = this.#buffer().subarray(this.#length);
    if (text.length * UTF8_BYTES_MAX > room.length) return false;
    this.#length += encoder.encodeInto(text, room).written;
    return true;
  }

  /** Returns the buffer for bytes until the next flush. */
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

  /** Closes the file until the next write. */
  park(): void {
    this.flush();
    if (this.#fd === undefined) return;
    this.#parkedLength = fstatSync(this.#fd).size;
    closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Reopens a parked file for appending. Throws if it is not the same file. */
  resume(): number {
    if (this.#fd !== undefined) return this.#fd;
    this.#check();
    this.#fd = openSync(this.#path, AT_END);
    return this.#fd;
  }

  /** Renames the cassette to `path`, or to the next free name. */
  rename(path: string): void {
    const [next, fd] = createNext(path);
    closeSync(fd);
    renameFile(this.#path, next);
    this.#path = next;
  }

  /** Closes the file for good. Throws if the file was removed, replaced or changed by another program. */
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
      // Closing may report a full disk once more.
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

/**
 * Creates the first free file among the names derived from `path`. Creation is exclusive, so no other process can take
 * it.
 */
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

/** Returns the name that a new cassette at `path` gets, unless another process takes it first. */
export function nextName(path: string): string {
  let n = 1;
  while (n < NAMES_MAX && existsSync(numberedName(path, n))) n = n < NAMES_TRIED ? n + 1 : nextFree(path, n);
  return numberedName(path, n);
}

/**
 * Returns the number of a free name after a taken one, by binary search. Ten thousand sessions do not try each other's
 * names one by one.
 */
function nextFree(path: string, taken: number): number {
  const isTaken = (n: number) => existsSync(numberedName(path, n));
  let [low, high] = [taken, taken * 2];
  while (high < NAMES_MAX && isTaken(high)) [low, high] = [high, high * 2];
  high = Math.min(high, NAMES_MAX);
  const next = low + 1;
  return next + firstWhere(high - next, (n) => !isTaken(next + n));
}
