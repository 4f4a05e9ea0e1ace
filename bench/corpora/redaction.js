/** What our own redactor makes of the text of a tool's result. */
import { JsonText } from '../../dist/protocol/json-text.js';
import { createRedactor } from '../../dist/redact/redactor.js';

/** A shorter piece of a secret says nothing. */
const PIECE_MIN = 6;

export function redactedText(text) {
  const result = { content: [{ type: 'text', text }] };
  const message = new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  return createRedactor({ env: {} }).json(message).value.result.content[0].text;
}

/**
 * Whether nothing is left of the secrets in what was made of a text: no piece of half their length. Where a URL leads is no secret, nor is a piece that
 * the text has elsewhere, too: a word, or a token that the other scanner takes for none since it is cut or stands in a longer word.
 */
export function areGone(secrets, { text, redacted }) {
  const others = secrets.reduce((left, secret) => left.replaceAll(secret, '\n'), text);
  const rest = redacted.replace(/\[redacted:[^\]]*\]/g, '\n');
  return secrets.every((url) => {
    const secret = url.replace(/^\w+:\/\/[\w.-]+\//, '');
    const length = Math.max(Math.ceil(secret.length / 2), Math.min(PIECE_MIN, secret.length));
    for (let at = 0; at + length <= secret.length; at++) {
      const piece = secret.slice(at, at + length);
      if (rest.includes(piece) && !others.includes(piece)) return false;
    }
    return true;
  });
}
