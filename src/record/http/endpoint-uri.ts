/** As long as the shortest ids that servers issue; a folder's name is shorter or has no digit. */
const ID_LENGTH_MIN = 16;

/**
 * The URI of an `endpoint` event (2024-11-05) without what identifies the session, which is as good as a password: values
 * in its query, and steps of its path that look like an id.
 */
export function withoutSession(uri: string): string {
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(uri) ?? [];
  let n = 0;
  const redacted = (name: string) => `[redacted:${name}:${++n}]`;
  const steps = path.split('/').map((step) => (isId(step) ? redacted('session') : step));
  const fields = query.replace(/([^?&=]+)=([^&]*)/g, (_, name: string) => `${name}=${redacted(name)}`);
  return steps.join('/') + fields;
}

function isId(step: string): boolean {
  return step.length >= ID_LENGTH_MIN && /^[\w~-]+$/.test(step) && /\d/.test(step);
}
