/**
 * Encodes a value for a header (2026-07-28, "Value Encoding"). Plain ASCII stays unchanged. Other text, outer blanks,
 * and text that looks encoded become marked base64 of the UTF-8 bytes.
 */
export function headerText(value: string): string {
  if (PLAIN.test(value) && !MARKED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Decodes the value of a header. Marked text that is not valid base64 is taken literally. */
export function headerValue(text: string): string {
  const base64 = ENCODED.exec(text)?.[1];
  return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
}

const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const MARKED = /^=\?base64\?.*\?=$/;
