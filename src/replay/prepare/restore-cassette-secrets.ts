import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { variableNames } from '../../redact/replace/placeholders.ts';
import { missingSecrets, restored, type SecretSource } from '../../redact/replace/restore-secrets.ts';

/** Returns the next step of a user whose secrets of these names are missing. `isListed`: all are named, without a value. */
export type NextStep = (missing: readonly string[], isListed: boolean) => string;

/**
 * Replaces placeholders in a cassette by the secrets of their names. `side` is the played side.
 * @throws McpRecordError SECRETS_MISSING if a message of `side` needs a secret that `source` does not name or that has
 * no value, or any message has one that is named without a value
 */
export function restoreCassetteSecrets(
  cassette: Cassette,
  side: Side,
  source: SecretSource,
  nextStep: NextStep,
): Cassette {
  const frames = cassette.events.map(({ frame }) => frame);
  const needed = missingSecrets(
    frames.filter(({ from }) => from === side),
    source,
  );
  const isNamed = (name: string) => variableNames(name).some((variable) => Object.hasOwn(source, variable));
  const unset = missingSecrets(frames, source).filter(isNamed);
  const missing = [...new Set([...needed, ...unset])];
  if (missing.length === 0) {
    const events = cassette.events.map((event) => ({ ...event, frame: restored(event.frame, source) }));
    return { ...cassette, events };
  }
  const names = missing.join(', ');
  const isListed = missing.every(isNamed);
  throw new McpRecordError({
    code: 'SECRETS_MISSING',
    what: `Cannot play ${cassette.file}`,
    why: isListed ? `these have no value: ${names}` : `secrets were taken out of it: ${names}`,
    next: nextStep(missing, isListed),
  });
}
