import { FORMAT } from '../../cassette/cassette.ts';
import { cassetteText as textOf } from '../../cassette/write/cassette-text.ts';
import type { ConvertedSession } from '../converter-types.ts';

/**
 * Formats a session as a cassette, with delays in whole milliseconds. `recorder` is the name and version of this
 * program.
 */
export function cassetteText({ header, frames }: ConvertedSession, recorder: string): string {
  const start = frames[0]?.at ?? 0;
  const events = frames.map((frame) => ({ frame: { ...frame, at: Math.round(frame.at - start) } }));
  return textOf({ header: { format: FORMAT, recorder, ...header }, events, end: 'complete' });
}
