import { JsonText } from '../../protocol/json-text.ts';
import type { Redactor } from '../redactor.ts';

const NUMBERED = /\[redacted:[\w.-]+:\d+\]/g;
const ALIKE = '[redacted]';

/** Whether secrets were taken out of a text. */
export function wasRedacted(text: string): boolean {
  return text.includes('[redacted:');
}

/**
 * Makes of a message what it is compared as where one side is a cassette without its secrets: a secret equals any other, as
 * nothing else is left of it, and neither its name nor its number is the same in every session.
 */
export function maskSecrets(redactor: Redactor): (message: unknown) => unknown {
  return (message) => {
    const { text } = redactor.json(new JsonText(JSON.stringify(message)));
    return JSON.parse(text.replaceAll(NUMBERED, ALIKE));
  };
}
