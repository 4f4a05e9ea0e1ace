import type { Frame } from '../channel/frame.ts';
import type { Redactor } from '../redact/redactor.ts';

/** Whether nothing of `kept` needs the last look: it was just looked at, and is a message and nothing else. */
export function needsNoLook(kept: Frame, redactor: Redactor): boolean {
  if (kept.kind !== 'message' && kept.kind !== 'noise') return false;
  const { headers, sse } = kept;
  if (headers !== undefined || sse?.id !== undefined || sse?.event !== undefined) return false;
  const text = kept.kind === 'message' ? kept.json.text : kept.data;
  return typeof text === 'string' && redactor.isTokenless(text);
}

/**
 * The text of an event as it may be written: what still looks like a secret beyond doubt becomes a word that says of what
 * kind it was. The word needs no quotes, wherever in YAML it stands. The event itself is never dropped.
 */
export function lastLook(text: string, redactor: Redactor): string {
  let safe = '';
  let rest = text;
  for (let left = redactor.suspicious(rest); left !== undefined; left = redactor.suspicious(rest)) {
    safe += `${rest.slice(0, left.start)}redacted.${left.name}`;
    rest = rest.slice(left.end);
  }
  return safe + rest;
}
