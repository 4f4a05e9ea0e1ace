import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { variableNames } from '../../redact/replace/placeholder-format.ts';
import { isEmptySecret, missingSecrets, restored, type SecretSource } from '../../redact/replace/restore-secrets.ts';

/**
 * State of missing secrets. `unlisted`: `source` does not name all of them. `unset`: all are named, some without a
 * value. `empty`: all are named, one with an empty value.
 */
export type MissingState = 'unlisted' | 'unset' | 'empty';

/** Returns the user's next step if the secrets with these names are missing. */
export type NextStep = (missing: readonly string[], state: MissingState) => string;

/**
 * Replaces placeholders in a cassette by the secrets of their names. `side` is the side that cannot be played with
 * placeholders: a live server needs the secrets of a client. Undefined: both can, so that a placeholder stays that nobody
 * has named.
 * @throws McpRecordError SECRETS_MISSING if a message of `side` needs a secret that `source` does not name or that has
 * no value, or any message has one that is named without a value. An empty text is no value.
 */
export function restoreCassetteSecrets(
  cassette: Cassette,
  side: Side | undefined,
  source: SecretSource,
  nextStep: NextStep,
): Cassette {
  const frames = cassette.events.map(({ frame }) => frame);
  const needed = missingSecrets(
    frames.filter(({ from }) => from === side),
    source,
  );
  const isNamed = (name: string) => variablesOf(name).some((variable) => Object.hasOwn(source, variable));
  const valueless = missingSecrets(frames, source).filter(isNamed);
  const missing = [...new Set([...needed, ...valueless])];
  if (missing.length === 0) {
    const events = cassette.events.map((event) => ({ ...event, frame: restored(event.frame, source) }));
    return { ...cassette, events };
  }
  const empty = missing.filter((name) => isEmpty(name, source));
  const unset = missing.filter((name) => isNamed(name) && !empty.includes(name));
  const state = missing.every(isNamed) ? (empty.length > 0 ? 'empty' : 'unset') : 'unlisted';
  const reasons = [
    ...(state === 'unlisted' ? [`secrets were taken out of it: ${missing.join(', ')}`] : []),
    ...(state !== 'unlisted' && unset.length > 0 ? [`these have no value: ${unset.join(', ')}`] : []),
    ...(empty.length > 0 ? [`${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} empty`] : []),
  ];
  throw new McpRecordError({
    code: 'SECRETS_MISSING',
    what: `Cannot play ${cassette.file}`,
    why: [...reasons, ...placesOf(missing, cassette, source)].join('; '),
    next: nextStep(missing, state),
  });
}

/** Returns the lines in which each of several missing secrets stands first, which show the values that they stand for. */
function placesOf(missing: readonly string[], { events }: Cassette, source: SecretSource): string[] {
  if (missing.length < 2) return [];
  const places = missing.map((name) => {
    const event = events.find(({ frame }) => missingSecrets([frame], source).includes(name));
    return `${name} in line ${event?.line}`;
  });
  return [`first ${places.join(', ')}`];
}

/**
 * Returns the names that a source may use for a missing secret. The first secret of a name may also have its number.
 */
function variablesOf(name: string): string[] {
  return variableNames(name).flatMap((variable) => [variable, `${variable}_1`]);
}

function isEmpty(name: string, source: SecretSource): boolean {
  return variablesOf(name).some((variable) => isEmptySecret(source[variable]));
}
