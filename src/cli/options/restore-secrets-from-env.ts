import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import type { Normalize } from '../../match/ignore-rules.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import type { SecretSource } from '../../redact/replace/restore-secrets.ts';
import { missingVariablesAdvice } from '../io/client-environment.ts';
import { say } from '../io/output.ts';

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

/** Returns the secrets of `--secrets-from-env`. */
export async function secretsFromEnv(given = ''): Promise<SecretSource> {
  if (given === '') return {};
  return (await import('../../redact/rules/rules-for-secrets.ts')).secretsNamed(given, process.env);
}

/**
 * Replaces placeholders in a cassette by the secrets of their names. `side` as for `restoreCassetteSecrets`.
 * @param furtherAdvice next step after that of a missing secret
 * @throws McpRecordError SECRETS_MISSING, as `restoreCassetteSecrets`
 */
export async function withSecrets(
  cassette: Cassette,
  side: Side | undefined,
  source: SecretSource,
  furtherAdvice = '',
): Promise<Cassette> {
  const [{ restoreCassetteSecrets }, { exportableName }] = await Promise.all([
    import('../../replay/prepare/restore-cassette-secrets.ts'),
    import('../../redact/replace/placeholder-format.ts'),
  ]);
  for (const name of await misspelt(cassette, source))
    say(
      `Note: --secrets-from-env names ${name}, which is not set, and no placeholder of ${cassette.file} has this name.`,
    );
  return restoreCassetteSecrets(cassette, side, source, (missing, state) => {
    const advice = missingVariablesAdvice(missing.map(exportableName));
    if (state === 'empty') return `${SET} ${EMPTY_IN_CI}`;
    if (state === 'unset') return `${SET}${advice}`;
    const renamed = missing.filter((name) => exportableName(name) !== name);
    const others = renamed.map((name) => `for ${name}: ${exportableName(name)}`).join(', ');
    const names = new Set([...Object.keys(source), ...missing.map(exportableName)]);
    return `Set variables of these names${others && ` (${others})`}, and add --secrets-from-env ${[...names].join(',')}.${advice}${furtherAdvice}`;
  });
}

/** Returns the names of a source without a value that no placeholder of a cassette has. */
async function misspelt({ events }: Cassette, source: SecretSource): Promise<string[]> {
  const unset = Object.keys(source).filter((name) => source[name] === undefined);
  if (unset.length === 0) return [];
  const [{ allPlaceholdersIn }, { variableNames }] = await Promise.all([
    import('../../redact/decode/find-encoded-placeholders.ts'),
    import('../../redact/replace/placeholder-format.ts'),
  ]);
  const placeholders = events.flatMap(({ frame }) =>
    frame.kind === 'message' ? allPlaceholdersIn(frame.json.text) : [],
  );
  const names = new Set(
    placeholders.flatMap(({ name, n }) => variableNames(name).flatMap((variable) => [variable, `${variable}_${n}`])),
  );
  return unset.filter((name) => !names.has(name));
}

const SET = 'Set these environment variables, each to the secret that its placeholder stands for.';
const EMPTY_IN_CI =
  'In CI, a secret with a misspelled name is empty, and all are in a pull request from a fork: skip the check there.';

/** Reports whether messages of a cassette have placeholders. */
export function wasRedacted({ events }: Cassette): boolean {
  return events.some(({ frame }) => frame.kind === 'message' && frame.json.text.includes('[redacted:'));
}
