import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Our own descriptor 1 or 2 as a stream that never blocks and really closes: `process.stdout.end()` leaves the
 * descriptor open, so a reader would never see the end. Files and terminals keep Node's own stream.
 */
export function openOutlet(fd: 1 | 2): Writable {
  const kind = fstatSync(fd);
  const own = kind.isFIFO() || kind.isSocket();
  const stream = own ? new Socket({ fd, readable: false, writable: true }) : fd === 1 ? process.stdout : process.stderr;
  ignoreErrors(stream);
  return stream;
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
  const done = () => {
    stream.off('drain', done).off('close', done);
    resume();
  };
  stream.on('drain', done).on('close', done);
}
