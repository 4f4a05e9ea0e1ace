import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { Redactor } from '../../redact/redactor.ts';

/** Returns the redacted frame. A line is redacted like a message, without being parsed first, because it probably is one. */
export function redactBeforeWriting(frame: Frame, redactor: Redactor): Frame {
  if (frame.kind !== 'line' || frame.on !== 'protocol' || typeof frame.data !== 'string') {
    return redactor.frame(frame);
  }
  if (!OPENS_CONTAINER.test(frame.data)) return redactor.frame(frame);
  const { text } = redactor.json(new JsonText(frame.data));
  return text === frame.data ? frame : { ...frame, data: text };
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
