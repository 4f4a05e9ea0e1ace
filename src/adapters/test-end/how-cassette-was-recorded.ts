import type { Transport } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';

export interface RecordedBy {
  /** Absent: no recorder wrote the cassette. */
  transport?: Transport;
  isForked?: boolean;
}

/** Returns how a cassette was recorded. One of `cassette()` stands in the file of its test, and is none. */
export function recordedBy(cassette: string): RecordedBy {
  try {
    const { header, events } = loadCassette(cassette);
    // What `fork` plays is optional: a client may leave it out.
    const isForked = events.find(({ frame }) => frame.from === 'client')?.match?.optional === true;
    return header.recorder === undefined ? {} : { transport: header.transport, isForked };
  } catch {
    return {};
  }
}
