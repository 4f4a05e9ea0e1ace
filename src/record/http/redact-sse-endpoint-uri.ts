/** Minimum length of a session id in a path. Names of folders are shorter or have no digit. */
const ID_LENGTH_MIN = 16;

/**
 * Removes the session id from the URI of an `endpoint` event (2024-11-05), because it is as secret as a password. Query
 * values and id-like path segments become placeholders.
 */
export function redactSseEndpointUri(uri: string): string {
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
