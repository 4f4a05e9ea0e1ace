import { closeSync, createWriteStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import type { Writable } from 'node:stream';

/**
 * Opens our own descriptor 1 or 2 as a stream that never blocks and really closes. `process.stdout.end()` leaves the
 * descriptor open, so a reader would never see the end. Files and terminals keep Node's own stream.
 */
export function openOutputStream(fd: 1 | 2): Writable {
  const stream = (WINDOWS ? openPipeOfWindows(fd) : openPipe(fd)) ?? (fd === 1 ? process.stdout : process.stderr);
  ignoreErrors(stream);
  return stream;
}

const WINDOWS = process.platform === 'win32';

function openPipe(fd: 1 | 2): Writable | undefined {
  const kind = fstatSync(fd);
  if (!kind.isFIFO() && !kind.isSocket()) return undefined;
  const stream = new Socket({ fd, readable: false, writable: true });
  // The end of a socket is a shutdown, which its reader sees. A pipe must be closed.
  if (kind.isFIFO()) stream.once('close', () => closePipe(fd));
  return stream;
}

/**
 * Closes a pipe whose stream is closed: libuv leaves descriptors 0 to 2 open. The null device takes its place at once,
 * because a new descriptor is the lowest free one. Else the next file or socket would get the number of our output.
 */
function closePipe(fd: 1 | 2): void {
  closeSync(fd);
  const replacement = openSync(devNull, 'w');
  if (replacement !== fd) closeSync(replacement);
}

/**
 * Opens a pipe on Windows. A synchronous write to it blocks while nobody reads, so it is written in a thread. `isFIFO`
 * is always false on Windows. A program without a console may have no such descriptor: Node's stream then discards
 * output.
 */
function openPipeOfWindows(fd: 1 | 2): Writable | undefined {
  try {
    const kind = fstatSync(fd);
    return kind.isFile() || kind.isCharacterDevice() ? undefined : createWriteStream('', { fd });
  } catch {
    return undefined;
  }
}

/** Ignores write errors after the reader has closed. The data is dropped. */
export function ignoreErrors(stream: Writable): void {
  stream.on('error', () => {});
}

/** Writes data, unless the stream is closed. False: `stream` buffers it; wait for `whenDrained` before writing more. */
export function writeTo(stream: Writable, data: Uint8Array): boolean {
  return stream.writable ? stream.write(data) : true;
}

/** Calls `resume` once, when `stream` has an empty buffer or is closed. */
export function whenDrained(stream: Writable, resume: () => void): void {
  if (!stream.writable && stream.closed) return resume();
  let isDone = false;
  const done = () => {
    if (isDone) return;
    isDone = true;
    stream.off('drain', done).off('close', done);
    resume();
  };
  stream.on('drain', done).on('close', done);
  // Node emits `drain` only for a stream that was full.
  if (stream.writable && !stream.writableNeedDrain) stream.write('', done);
}
