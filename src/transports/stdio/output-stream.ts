import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Our own descriptor 1 or 2 as a stream that never blocks and really closes: `process.stdout.end()` leaves the
 * descriptor open, so a reader would never see the end. Files and terminals keep Node's own stream.
 */
export function openOutlet(fd: 1 | 2): Writable {
  const stream = (WINDOWS ? openPipeOfWindows(fd) : openPipe(fd)) ?? (fd === 1 ? process.stdout : process.stderr);
  ignoreErrors(stream);
  return stream;
}

const WINDOWS = process.platform === 'win32';

function openPipe(fd: 1 | 2): Writable | undefined {
  const kind = fstatSync(fd);
  if (!kind.isFIFO() && !kind.isSocket()) return undefined;
  return new Socket({ fd, readable: false, writable: true });
}

/**
 * A pipe that a program of Windows is given blocks whoever writes to it, while nobody reads. Here that is a thread of its
 * own. `isFIFO` is always false there. A program without a console may have no such descriptor: Node's stream is then mute.
 */
function openPipeOfWindows(fd: 1 | 2): Writable | undefined {
  try {
    const kind = fstatSync(fd);
    return kind.isFile() || kind.isCharacterDevice() ? undefined : createWriteStream('', { fd });
  } catch {
    return undefined;
  }
}

/** Ignores write errors of a closed reader. Its data is dropped. */
export function ignoreErrors(stream: Writable): void {
  stream.on('error', () => {});
}

/** Writes unless nobody can read. False: `stream` holds it, and more should wait for `whenDrained`. */
export function writeTo(stream: Writable, data: Uint8Array): boolean {
  return stream.writable ? stream.write(data) : true;
}

/** Calls back once, when `stream` holds nothing any more, or nobody can read it. */
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
  // `drain` follows only where the stream was full.
  if (stream.writable && !stream.writableNeedDrain) stream.write('', done);
}
