import type { Cassette, CassetteEvent } from '../cassette.ts';
import { COMMIT, endText, eventText, headerText } from './format-event.ts';

/** Complete session to write, with the times of its frames. */
export interface WrittenSession extends Pick<Cassette, 'header' | 'end'> {
  events: readonly Pick<CassetteEvent, 'frame' | 'match'>[];
}

/** Time resolution of a cassette: microseconds, as parts of a millisecond. */
const PARTS = 1_000;

/** Returns the text of a cassette. Without `end`, it looks hand-written or torn. */
export function cassetteText({ header, events, end }: WrittenSession): string {
  let at = events[0]?.frame.at ?? 0;
  const texts = events.map(({ frame, match }) => {
    const gap = Math.max(0, Math.round((frame.at - at) * PARTS) / PARTS);
    at += gap;
    const text = gap === 0 ? eventText(frame) : eventText(frame, gap);
    // JSON mappings are valid YAML.
    return match ? `${text.slice(0, -COMMIT.length)}\n  match: ${JSON.stringify(match)}${COMMIT}` : text;
  });
  const text = headerText(header) + texts.join('');
  if (events.length === 0 && end === undefined) return `${text.slice(0, -COMMIT.length)} []\n`;
  return end === undefined ? `${text.slice(0, -COMMIT.length)}\n` : text + endText(end);
}
