/**
 * Part of a regular expression: the fields of a head (RFC 9112, 5), each with the line break before it. Folded fields
 * do not match.
 */
export const FIELDS: string = String.raw`(?:\r\n[!#$%&'*+.^_\x60|~0-9A-Za-z-]+:[\t -~\x80-\xff]*)*`;

const BREAK = '\r\n';

/** Returns alternating names and values of the text that `FIELDS` matched. */
export function fieldsOf(text: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at + BREAK.length;
    const colon = text.indexOf(':', start);
    const next = text.indexOf(BREAK, colon);
    at = next < 0 ? text.length : next;
    fields.push(text.slice(start, colon), withoutBlanks(text.slice(colon + 1, at)));
  }
  return fields;
}

/** Trims blanks around one field value. */
function withoutBlanks(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
