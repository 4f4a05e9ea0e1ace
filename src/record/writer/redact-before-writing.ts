import type { Frame, LineFrame } from '../../channel/frame.ts';
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
  const blank = { ...frame, data: '' };
  // The message comes last: the redactor reports what it had to leave in the latest message.
  const around = frame.headers === undefined && frame.sse === undefined ? blank : redactor.frame(blank);
  const { text } = redactor.json(new JsonText(frame.data));
  if (around === blank) return text === frame.data ? frame : { ...frame, data: text };
  return { ...around, data: text } as LineFrame;
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
