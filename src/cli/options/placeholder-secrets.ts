import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Normalize } from '../../match/ignore-rules.ts';
import type { RedactionRules } from '../../redact/redactor.ts';

/** What makes live messages compare with those of a cassette that secrets were taken out of, also by `rules`; none, where none were. */
export async function maskSecretsFor(cassette: Cassette, rules: RedactionRules): Promise<Normalize[]> {
  if (!wasRedacted(cassette)) return [];
  const [{ maskSecrets }, { createRedactor }] = await Promise.all([
    import('../../redact/replace/mask-for-compare.ts'),
    import('../../redact/redactor.ts'),
  ]);
  return [maskSecrets(createRedactor({ env: process.env, ...rules }))];
}

/**
 * The cassette with the secrets of the environment in the stead of their placeholders.
 * @throws McpRecordError SECRETS_MISSING where what `side` says needs one that is not there
 */
export async function withSecrets(cassette: Cassette, side: Side, isWanted: boolean): Promise<Cassette> {
  if (!wasRedacted(cassette)) return cassette;
  const { placeholderNames, restored } = await import('../../redact/replace/restore-secrets.ts');
  const source = isWanted ? process.env : {};
  const said = cassette.events.map(({ frame }) => frame).filter(({ from }) => from === side);
  const missing = placeholderNames(said).filter((name) => source[name] === undefined);
  if (missing.length > 0) throw secretsMissing(cassette.file, missing, isWanted);
  return {
    ...cassette,
    events: cassette.events.map((event) => ({ ...event, frame: restored(event.frame, source) })),
  };
}

function wasRedacted({ events }: Cassette): boolean {
  return events.some(({ frame }) => frame.kind === 'message' && frame.json.text.includes('[redacted:'));
}

function secretsMissing(file: string, names: readonly string[], isWanted: boolean): McpRecordError {
  const variables = names.join(', ');
  return new McpRecordError({
    code: 'SECRETS_MISSING',
    what: `Cannot say what ${file} says`,
    why: isWanted ? `these variables are not set: ${variables}` : `secrets were taken out of it: ${variables}`,
    next: isWanted
      ? 'Set them, each to the secret that its placeholder stands for.'
      : 'Set variables of these names, and add --secrets-from-env.',
  });
}
