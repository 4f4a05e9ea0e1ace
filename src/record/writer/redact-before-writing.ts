import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { Redactor } from '../../redact/redactor.ts';

/**
 * Returns the redacted frame. A protocol line is redacted as JSON text without being parsed first, because most lines
 * are messages.
 */
export function redactBeforeWriting(frame: Frame, redactor: Redactor): Frame {
  if (frame.kind !== 'line' || frame.on !== 'protocol' || typeof frame.data !== 'string') {
    return redactor.frame(frame);
  }
  if (!OPENS_CONTAINER.test(frame.data)) return redactor.frame(frame);
  const { text } = redactor.json(new JsonText(frame.data));
  return text === frame.data ? frame : { ...frame, data: text };
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
