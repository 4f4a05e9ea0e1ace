import { rootCertificates } from 'node:tls';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { readNamedText } from '../../kernel/read-file.ts';

/**
 * Returns the default root certificates, and those in the PEM file.
 * @throws McpRecordError USAGE_BAD_CA
 */
export function trustedCertificates(file: string): string[] {
  try {
    return [...rootCertificates, readNamedText(file)];
  } catch (cause) {
    throw new McpRecordError({
      code: 'USAGE_BAD_CA',
      what: `Cannot read the certificates in ${file}`,
      why: messageOf(cause),
      next: 'Give --ca a file of certificates in PEM.',
      cause,
    });
  }
}
