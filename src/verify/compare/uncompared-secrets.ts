import { ExactNumber } from '../../match/exact-json-value.ts';
import { jsonOf } from '../../protocol/json-text.ts';
import { errorOf, isObject } from '../../protocol/message.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import { isRedacted, placeholderOf, placeholdersIn, variableFor } from '../../redact/replace/placeholder-format.ts';
import { credentialKey } from '../../redact/sent-credential-placeholders.ts';
import type { Exchange } from '../run/run-recorded-client.ts';
import { isMembers, type LiveRedaction } from './equal-placeholders.ts';

/**
 * Reports whether the live server answered a request without an error where the cassette has a result. Otherwise no value
 * of the recorded answer was compared.
 */
export function hasComparedResult({ recorded, live, refusal }: Exchange): boolean {
  const isFailure = refusal !== undefined || errorOf(live.value) !== undefined;
  return !isFailure || !isResult(recorded?.message);
}

function isResult(message: unknown): boolean {
  return isObject(message) && 'result' in message;
}

const UNGIVEN_MAX = 10;

/**
 * Returns a note on the placeholders of compared messages for which nobody gave a value: each equals the first live
 * secret in its place, whatever it is. A credential that the client sends in a header counts as given, and so does a
 * value of the live server that the client sends back (`followed`). Empty: there are none.
 */
export function ungivenSecretNotes(
  recorded: readonly unknown[],
  { sent, followed }: LiveRedaction & { followed?: ReadonlySet<string> },
  howToGive: (variables: readonly string[]) => string,
): string[] {
  const found = new Map(
    recorded
      .flatMap((value) => allPlaceholdersIn(jsonOf(value) ?? ''))
      .filter((one) => !sent?.has(credentialKey(one)) && !followed?.has(placeholderOf(one.name, one.n)))
      .map((one) => [placeholderOf(one.name, one.n), variableFor(one)]),
  );
  if (found.size === 0) return [];
  const [first, ...others] = [...found.keys()];
  const shown = [first, ...others.slice(0, UNGIVEN_MAX - 1)].join(', ');
  const more = found.size > UNGIVEN_MAX ? ` and ${found.size - UNGIVEN_MAX} more` : '';
  const told =
    others.length === 0
      ? 'was not compared with a value, since none was given: any secret passes there.'
      : 'were not compared with values, since none were given: any secret passes there, if it stays the same.';
  return [`${shown}${more} ${told} ${howToGive([...found.values()].slice(0, UNGIVEN_MAX))}`];
}

/** A recorded message, and the live message that was compared with it. */
interface ComparedPair {
  recorded: unknown;
  live: unknown;
}

/**
 * Returns notes on placeholders that passed for what may be no secret: for a number, since a cassette does not have the
 * type of a redacted value, or for the placeholder itself, which a mock server sends.
 */
export function unlikeSecretNotes(pairs: readonly ComparedPair[], { bindings }: LiveRedaction): string[] {
  const [numbers, literals] = [new Set<string>(), new Set<string>()];
  // A placeholder with a value in this run fails where the server sends it.
  const bound = new Set(bindings?.boundPlaceholders());
  const look = (recorded: unknown, live: unknown): void => {
    if (Array.isArray(recorded) && Array.isArray(live)) for (const [i, item] of live.entries()) look(recorded[i], item);
    if (isMembers(recorded) && isMembers(live))
      for (const [key, item] of Object.entries(live)) if (Object.hasOwn(recorded, key)) look(recorded[key], item);
    if (typeof recorded !== 'string') return;
    if ((typeof live === 'number' || live instanceof ExactNumber) && isRedacted(recorded)) numbers.add(recorded.trim());
    const own = typeof live === 'string' ? namesIn(live) : [];
    for (const name of namesIn(recorded)) if (own.includes(name) && !bound.has(name)) literals.add(name);
  };
  for (const { recorded, live } of pairs) look(recorded, live);
  return [
    ...(numbers.size === 0
      ? []
      : [
          `The server sent a number for ${[...numbers].join(', ')}. A cassette does not have the type of a redacted value: if the recorded one was a text, clients may fail.`,
        ]),
    ...(literals.size === 0
      ? []
      : [
          `The server sent ${[...literals].join(', ')} itself, as a mock server does, and no secret: whether a real server still sends one is not known.`,
        ]),
  ];
}

function namesIn(text: string): string[] {
  return placeholdersIn(text).map(({ name, n }) => placeholderOf(name, n));
}
