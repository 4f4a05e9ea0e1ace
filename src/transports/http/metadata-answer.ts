import type { IncomingMessage } from 'node:http';
import type { Found } from './authorization/metadata.ts';
import type { Course, ExchangeOptions } from './exchange.ts';
import { lossOf } from './loss.ts';
import { cannotAuthorize, refuse } from './refuse.ts';

/** Documents of metadata are some kilobytes. */
const METADATA_BYTES_MAX = 1024 * 1024;

const TOO_LONG: Found = { text: '', refusal: `the metadata is longer than ${METADATA_BYTES_MAX} bytes` };

interface MetadataAnswer extends Pick<ExchangeOptions, 'response' | 'clock' | 'tap' | 'trouble'> {
  answer: IncomingMessage;
  /** What the client shall have as the head, without a length. */
  headers: readonly string[];
  course: Course;
  metadata(text: string): Found;
}

/** Passes on an answer that is metadata: whole, changed, or refused if what it says cannot be had through us. */
export function relayMetadata(options: MetadataAnswer): void {
  const { response, answer, headers, course, clock, tap, trouble, metadata } = options;
  const pieces: Buffer[] = [];
  let length = 0;
  tap({ kind: 'response', at: clock.now(), status: 200, headers: answer.rawHeaders });
  answer.on('data', (data: Buffer) => {
    if (course.isOver()) return;
    tap({ kind: 'data', at: clock.now(), from: 'server', data });
    length += data.length;
    if (length <= METADATA_BYTES_MAX) pieces.push(data);
  });
  answer.once('end', () => {
    if (course.isOver() || !answer.complete) return;
    const found = length > METADATA_BYTES_MAX ? TOO_LONG : metadata(Buffer.concat(pieces).toString());
    if (found.refusal === undefined) {
      const body = Buffer.from(found.text);
      response.writeHead(200, [...headers, 'Content-Length', String(body.length)]).end(body);
    } else {
      const error = cannotAuthorize(found.refusal);
      trouble(error);
      refuse(response, 502, error);
    }
    course.finish();
    tap({ kind: 'end', at: clock.now(), from: 'server' });
  });
  answer.once('close', () => {
    if (!answer.complete) course.serverGone(lossOf(answer.socket));
  });
}
