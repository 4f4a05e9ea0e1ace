import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import { liveValue, type ReturnedValue } from '../../replay/tokens/returned-values.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { isMembers } from './equal-placeholders.ts';

/** A recorded value and the one that the live server returned in its place, and that the recorded client sent. */
export interface ReplacedValue extends ReturnedValue {
  live: string;
  /** The request whose answer returned it. */
  request: SessionEntry;
}

/** Returns the values of a run that the live server made up anew. */
export function replacedValues({ returnedValues, exchanges, sentRequests }: ServerRun): ReplacedValue[] {
  if (returnedValues.length === 0) return [];
  const exchangeOf = new Map<number | undefined, Exchange>();
  for (const exchange of exchanges) exchangeOf.set(exchange.recorded?.index, exchange);
  return returnedValues.flatMap((value) => {
    const { request, recorded, live: answer } = exchangeOf.get(value.returned.entry) ?? {};
    if (request === undefined || recorded?.json === undefined || !sentRequests.has(value.sent.entry)) return [];
    const live = liveValue(value, recorded.json, answer!);
    return live === undefined ? [] : [{ ...value, live, request }];
  });
}

/** Returns the values that answers of earlier requests returned. */
export function replacedBefore({ index }: SessionEntry, replaced: readonly ReplacedValue[]): ReplacedValue[] {
  return replaced.filter(({ request }) => request.index < index);
}

/** Returns a note for each place where the recorded client sent a replaced value. The parts of a replaced text have none. */
export function replacedValueNotes(run: ServerRun): string[] {
  const replaced = replacedValues(run);
  const whole = new Set(replaced.flatMap(({ sent }) => (sent.part === undefined ? [sent.path] : [])));
  const noted = replaced.filter(({ sent }) => sent.part === undefined || !whole.has(sent.path));
  return noted.map(({ recorded, live, request, sent }) => {
    const place = `/${sent.path.map(escapeStep).join('/')} of ${named(run.plan.entries[sent.entry]!)}`;
    return `${named(request)} returned "${live}" in place of "${recorded}": sent so at ${place}.`;
  });
}

function named({ message, line }: SessionEntry): string {
  return `${messageTitle(message)} (line ${line})`;
}

/**
 * Returns `live` with the recorded value where a later answer repeats the replaced one. Another value in its place stays
 * a difference.
 */
export function withRecordedValues(recorded: unknown, live: unknown, replaced: readonly ReplacedValue[]): unknown {
  if (replaced.length === 0) return live;
  if (Array.isArray(recorded) && Array.isArray(live))
    return live.map((item, index) => withRecordedValues(recorded[index], item, replaced));
  if (isMembers(recorded) && isMembers(live)) {
    const members = Object.entries(live).map(([key, item]) => {
      const before = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
      return [key, withRecordedValues(before, item, replaced)];
    });
    return Object.fromEntries(members);
  }
  if (typeof recorded === 'number' && typeof live === 'number')
    return replaced.some((one) => one.recorded === `${recorded}` && one.live === `${live}`) ? recorded : live;
  if (typeof recorded !== 'string' || typeof live !== 'string') return live;
  const repeated = replaced.filter((one) => recorded.includes(one.recorded));
  return repeated.reduce((text, one) => text.replaceAll(one.live, one.recorded), live);
}
