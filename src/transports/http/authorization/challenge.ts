/** `resource_metadata`, which RFC 9728 (5.1) adds to a challenge: quoted, or a token. */
const METADATA = /(\bresource_metadata\s*=\s*)(?:"([^"]*)"|([^\s,"]+))/gi;

/** Returns a `WWW-Authenticate` field with a rewritten metadata address (RFC 9728, 5.1). */
export function challengeThrough(field: string, change: (uri: string) => string): string {
  return field.replace(METADATA, (_, name: string, quoted?: string, token?: string) => {
    const uri = quoted ?? token ?? '';
    return `${name}"${change(uri)}"`;
  });
}
