import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { Redactor } from '../redactor.ts';

/** Placeholders in a text. */
export const PLACEHOLDERS: RegExp = /\[redacted:[\w.-]+:\d+\]/g;

/** What stands for every secret in a message that is compared. */
export const MASKED = '[redacted]';

/** Reports whether a text contains placeholders. */
export function wasRedacted(text: string): boolean {
  return text.includes('[redacted:');
}

/** Reports whether a message of a session contains placeholders. */
export function hasRedactedMessages(events: readonly { frame: Frame }[]): boolean {
  return events.some(({ frame }) => frame.kind === 'message' && wasRedacted(frame.json.text));
}

/**
 * Returns a function that masks secrets for comparison with a redacted cassette. All secrets become equal, because
 * their names and numbers differ between sessions.
 */
export function maskSecrets(redactor: Redactor): (message: unknown) => unknown {
  return (message) => {
    const { text } = redactor.json(new JsonText(JSON.stringify(message)));
    return JSON.parse(text.replaceAll(PLACEHOLDERS, MASKED));
  };
}
