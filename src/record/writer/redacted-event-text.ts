import { eventPieces, eventText } from '../../cassette/write/format-event.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { redactFrame } from '../../redact/redact-frame.ts';
import type { Redactor } from '../../redact/redactor.ts';

/** Returns the text of an event after a final check for secrets. */
export function redactedEventText(kept: Frame, after: Milliseconds | undefined, redactor: Redactor): string {
  return redactedEventPieces(kept, after, redactor).join('');
}

/** Returns the text of an event in pieces, after a final check for secrets. */
export function redactedEventPieces(kept: Frame, after: Milliseconds | undefined, redactor: Redactor): string[] {
  if (needsNoLook(kept, redactor)) return eventPieces(kept, after);
  return [withoutTokens(eventText(hasBytes(kept) ? withSafeBytes(kept, redactor) : kept, after), redactor)];
}

/**
 * Replaces unmistakable secrets by a word that names their kind. The word needs no quotes anywhere in YAML. The event
 * itself is never dropped.
 */
export function withoutTokens(text: string, redactor: Redactor): string {
  let safe = '';
  let rest = text;
  for (let left = redactor.suspicious(rest); left !== undefined; left = redactor.suspicious(rest)) {
    safe += `${rest.slice(0, left.start)}${left.name === 'base64' ? AS_BASE64 : `redacted.${left.name}`}`;
    rest = rest.slice(left.end);
  }
  return safe + rest;
}

/** Replacement inside base64, where a placeholder would break decoding. */
const AS_BASE64 = 'redacted';

/** Reports whether `kept` needs no final check: it is a plain message that has just been checked. */
export function needsNoLook(kept: Frame, redactor: Redactor): boolean {
  if (kept.kind !== 'message' && kept.kind !== 'line') return false;
  const { headers, sse } = kept;
  if (headers !== undefined || sse?.id !== undefined || sse?.event !== undefined) return false;
  const text = kept.kind === 'message' ? kept.json.text : kept.data;
  return typeof text === 'string' && redactor.isTokenless(text);
}

/** Reports whether the event's text contains base64, which hides tokens. */
function hasBytes(kept: Frame): boolean {
  if (kept.kind === 'line') return typeof kept.data !== 'string';
  return (kept.kind === 'open' || kept.kind === 'http-response') && kept.body instanceof Uint8Array;
}

function withSafeBytes(kept: Frame, redactor: Redactor): Frame {
  const same = <T>(value: T) => value;
  const bytes = (data: Uint8Array) => {
    const text = Buffer.from(data).toString('latin1');
    const safe = withoutTokens(text, redactor);
    return safe === text ? data : new Uint8Array(Buffer.from(safe, 'latin1'));
  };
  return redactFrame(kept, { json: same, text: same, eventField: same, url: same, header: (_, value) => value, bytes });
}
