/** The value of a variable that cassettes must not hold. */
export const SECRET = 'zebra-92-lamp-orbit';

/** What is kept of a text in which it stands. */
export function safe(text) {
  return text.replaceAll(SECRET, '[redacted:SOAK_TOKEN:1]');
}
