import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';

/**
 * Maps messages of a mock server over HTTP to lines of the cassette. The fault proxy in front of the mock server parses
 * the messages again, so the lines are found by message text. Equal texts get their lines in order.
 */
export class PlayedLines {
  readonly #lines = new ListMap<string, number>();

  /** Notes a frame that the mock server plays from a recorded entry. */
  readonly sent = (frame: Frame, { line }: SessionEntry): void => {
    if (frame.kind === 'message') this.#lines.add(frame.json.text, line);
  };

  /**
   * Returns the line of a message. A resumed stream may repeat a message. Undefined: the cassette does not contain the
   * message.
   */
  readonly lineOf = (frame: Frame): number | undefined => {
    if (frame.kind !== 'message') return undefined;
    for (const { text } of elementsOf(frame.json)) {
      const lines = this.#lines.get(text) ?? [];
      if (lines.length > 0) return lines.length > 1 ? lines.shift() : lines[0];
    }
    return undefined;
  };
}
