/**
 * A value as a header can carry it: as it is, or, where it is not plain ASCII, begins or ends with a blank, or looks like
 * the mark itself, as base64 of its UTF-8 between marks (2026-07-28, "Value Encoding").
 */
export function headerText(value: string): string {
  if (PLAIN.test(value) && !MARKED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** The value that a header carries: what stands between marks and is no base64, to the last `=`, is the value itself. */
export function headerValue(text: string): string {
  const base64 = ENCODED.exec(text)?.[1];
  return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
}

const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const MARKED = /^=\?base64\?.*\?=$/;
