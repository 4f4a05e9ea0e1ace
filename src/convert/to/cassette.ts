import { FORMAT } from '../../cassette/cassette.ts';
import { endText, eventText, headerText } from '../../cassette/write/format-event.ts';
import type { ConvertedSession } from '../converted-session.ts';

/** A session as a cassette; gaps are whole milliseconds. `recorder` is the name and version of this program. */
export function cassetteText({ header, frames }: ConvertedSession, recorder: string): string {
  let at = frames[0]?.at ?? 0;
  const events = frames.map((frame) => {
    const gap = Math.round(frame.at - at);
    if (gap <= 0) return eventText(frame);
    at += gap;
    return eventText(frame, gap);
  });
  return headerText({ format: FORMAT, recorder, ...header }) + events.join('') + endText('complete');
}
