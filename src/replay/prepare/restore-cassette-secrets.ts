import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isRedacted, placeholderOf, variableNames } from '../../redact/replace/placeholder-format.ts';
import {
  isEmptySecret,
  missingSecrets,
  placeholdersInFrames,
  restored,
  type SecretSource,
} from '../../redact/replace/restore-secrets.ts';
import { returnedValues } from '../tokens/returned-values.ts';

/**
 * State of missing secrets. `unlisted`: `source` does not name all of them. `unset`: all are named, some without a
 * value. `empty`: all are named, one with an empty value.
 */
export type MissingState = 'unlisted' | 'unset' | 'empty';

/** Returns the user's next step if the secrets with these names are missing. */
export type NextStep = (missing: readonly string[], state: MissingState) => string;

/**
 * Replaces placeholders in a cassette by the secrets of their names. `side` is the side that cannot be played with
 * placeholders: a live server needs the secrets of a client. One that the server returned before, and that the client sends
 * back, is not needed: the live server's value is sent. Undefined: both can, so that a placeholder stays that nobody
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
  const returned = side === 'client' ? returnedSecrets(cassette) : [];
  const neededBy = cassette.events.map(({ frame, line }, index) => ({
    line,
    names: frame.from === side ? missingSecrets([frame], source, returned[index]) : [],
  }));
  const needed = neededBy.flatMap(({ names }) => names);
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
    why: [...reasons, ...placesOf(missing, [...neededBy, ...writtenIn(cassette, source)])].join('; '),
    next: nextStep(missing, state),
  });
}

/** A line of a cassette, and the names of the secrets that it has. */
interface SecretsOfLine {
  line: number;
  names: readonly string[];
}

/** Returns the first line that needs each missing secret, which shows the value that it stands for. */
function placesOf([first, ...others]: readonly string[], lines: readonly SecretsOfLine[]): string[] {
  const lineOf = (name: string | undefined) => lines.find(({ names }) => names.includes(name!))?.line;
  if (others.length === 0) return [`line ${lineOf(first)} needs it`];
  return [`first ${[first, ...others].map((name) => `${name} in line ${lineOf(name)}`).join(', ')}`];
}

/** Returns the missing secrets of each line, for those that no line needs: they are named without a value. */
function writtenIn({ events }: Cassette, source: SecretSource): SecretsOfLine[] {
  return events.map(({ frame, line }) => ({ line, names: missingSecrets([frame], source) }));
}

/**
 * Returns, for each event, the placeholders that answers of the server returned before, and that the client sends back
 * everywhere in this event as a readable part of its params. A placeholder elsewhere, such as in a name or in base64,
 * cannot be followed.
 */
function returnedSecrets({ events }: Cassette): Set<string>[] {
  const entries = eventsToEntries(events);
  const places = events.map(() => new Map<string, number>());
  for (const { recorded, sent } of returnedValues(entries, correlateEntries(entries))) {
    const ofEvent = places[entries[sent.entry]!.event]!;
    if (isRedacted(recorded)) ofEvent.set(recorded, (ofEvent.get(recorded) ?? 0) + 1);
  }
  return events.map(({ frame }, index) => {
    const left = places[index]!;
    for (const { name, n } of left.size === 0 ? [] : placeholdersInFrames([frame]))
      left.set(placeholderOf(name, n), (left.get(placeholderOf(name, n)) ?? 0) - 1);
    return new Set([...left].flatMap(([placeholder, count]) => (count === 0 ? [placeholder] : [])));
  });
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
