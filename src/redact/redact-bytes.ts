import { decompressed } from './decode/compressed-bytes.ts';
import { isRedacted } from './replace/placeholder-format.ts';

/** Name in the placeholder of a compressed body. */
export const COMPRESSED_BODY = 'compressed-body';

/** Functions of a redactor. */
export interface RedactBytesParts {
  text(text: string): string;
  /** Returns the placeholder of a secret. */
  secret(name: string, value: string): string;
}

/**
 * Redacts bytes that are no UTF-8. Compressed bytes with a secret are replaced as a whole, and so are those that cannot be
 * decompressed, because nobody can say what they contain. `encoding`: the header `Content-Encoding` beside them.
 */
export function redactBytes(data: Uint8Array, encoding: string | undefined, parts: RedactBytesParts): Uint8Array {
  const plain = latin1(data);
  if (isRedacted(plain)) return data;
  const inner = decompressed(data, encoding);
  if (inner === undefined) {
    const safe = parts.text(plain);
    return safe === plain ? data : bytesOf(safe);
  }
  const isHarmless = inner !== 'unreadable' && parts.text(latin1(inner)) === latin1(inner);
  return isHarmless ? data : bytesOf(parts.secret(COMPRESSED_BODY, digestOf(data)));
}

/** Returns what tells bodies apart. The module is loaded with the first compressed body. */
function digestOf(data: Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex');
}

function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
