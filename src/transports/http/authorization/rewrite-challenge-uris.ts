/** The parameter `resource_metadata` of a challenge (RFC 9728, 5.1): quoted, or a token. */
const METADATA = /(\bresource_metadata\s*=\s*)(?:"([^"]*)"|([^\s,"]+))/gi;

/** Rewrites the metadata address of a `WWW-Authenticate` field (RFC 9728, 5.1). */
export function mapChallengeUris(field: string, change: (uri: string) => string): string {
  return field.replace(METADATA, (_, name: string, quoted?: string, token?: string) => {
    const uri = quoted ?? token ?? '';
    return `${name}"${change(uri)}"`;
  });
}
