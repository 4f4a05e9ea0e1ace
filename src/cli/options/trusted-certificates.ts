import { rootCertificates } from 'node:tls';
import { readNamedText } from '../../kernel/read-regular-file.ts';
import { attempt } from '../reports/wrap-thrown-error.ts';

/**
 * Returns the default root certificates, and those in the PEM file.
 * @throws McpRecordError USAGE_BAD_CA
 */
export function trustedCertificates(file: string): string[] {
  return attempt(() => [...rootCertificates, readNamedText(file)], {
    code: 'USAGE_BAD_CA',
    what: `Cannot read the certificates in ${file}`,
    next: 'Give --ca a file of certificates in PEM.',
  });
}
