import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';

/**
 * Returns the secrets of a redacted text in order. Placeholders that also occur in `written`, the text before
 * redaction, are recorded ones.
 */
export function secretsInText(redacted: string, written: string): string[] {
  const own = new Set(allPlaceholdersIn(written).map(numberedName));
  return allPlaceholdersIn(redacted).map((secret) => {
    const name = numberedName(secret);
    return `[${own.has(name) ? 'recorded' : 'live'} ${name}]`;
  });
}

function numberedName({ name, n }: { name: string; n: number }): string {
  return `${name}:${n}`;
}
