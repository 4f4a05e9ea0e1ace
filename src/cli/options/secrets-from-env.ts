import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Normalize } from '../../match/ignore-rules.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import type { SecretSource } from '../../redact/replace/restore-secrets.ts';

/**
 * Returns rules that mask secrets in live messages, for their comparison with a redacted cassette. An unredacted
 * cassette needs none.
 */
export async function maskSecretsFor(cassette: Cassette, rules: RedactionRules): Promise<Normalize[]> {
  if (!wasRedacted(cassette)) return [];
  const [{ maskSecrets }, { createRedactor }] = await Promise.all([
    import('../../redact/replace/mask-for-compare.ts'),
    import('../../redact/redactor.ts'),
  ]);
  return [maskSecrets(createRedactor({ env: process.env, ...rules }))];
}

/**
 * Returns the values of environment variables by name. `given` is a comma-separated list of allowed names, because a
 * cassette of another author could name any variable.
 */
export function secretsFromEnv(given = ''): SecretSource {
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/**
 * Replaces placeholders in a cassette by the secrets of their names.
 * @throws McpRecordError SECRETS_MISSING if a message of `side` needs a variable that is not listed or not set
 */
export async function withSecrets(cassette: Cassette, side: Side, source: SecretSource): Promise<Cassette> {
  const { missingSecrets, restored } = await import('../../redact/replace/restore-secrets.ts');
  const said = cassette.events.map(({ frame }) => frame).filter(({ from }) => from === side);
  const missing = missingSecrets(said, source);
  if (missing.length > 0) throw secretsMissing(cassette.file, missing, Object.keys(source));
  return {
    ...cassette,
    events: cassette.events.map((event) => ({ ...event, frame: restored(event.frame, source) })),
  };
}

function wasRedacted({ events }: Cassette): boolean {
  return events.some(({ frame }) => frame.kind === 'message' && frame.json.text.includes('[redacted:'));
}

function secretsMissing(file: string, missing: readonly string[], given: readonly string[]): McpRecordError {
  const variables = missing.join(', ');
  const areGiven = missing.every((name) => given.includes(name));
  return new McpRecordError({
    code: 'SECRETS_MISSING',
    what: `Cannot say what ${file} says`,
    why: areGiven ? `these variables are not set: ${variables}` : `secrets were taken out of it: ${variables}`,
    next: areGiven
      ? 'Set them, each to the secret that its placeholder stands for.'
      : `Set variables of these names, and add --secrets-from-env ${[...given, ...missing].join(',')}.`,
  });
}
