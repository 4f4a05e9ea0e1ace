import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { isLikelyId } from './ids-in-text.ts';
import { type ReturnedValue, textOf, type ValuePlace } from './returned-values.ts';
import { pathsOf, type TokenRule } from './token-locations.ts';

/** Values at the places that a test names with `handles`. */
export interface CapturedValues {
  /** Values that later requests send. */
  values: ReturnedValue[];
  /** Places of the answers that return new values, by the index of the answer. */
  places: ListMap<number, Pointer>;
}

/**
 * Finds the values that token rules name. An answer returns a value if it is the first message with it, and if answers
 * of the same tool return values that a later request sends. A later answer repeats a value: it is no capture.
 */
export function capturedValues(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
  rules: readonly TokenRule[],
): CapturedValues {
  const found: CapturedValues = { values: [], places: new ListMap() };
  for (const { capture, use } of rules) {
    const returned = new Map<string, Capture>();
    const own = new Set<string>();
    const subjects = new Set<string>();
    for (const entry of entries) {
      for (const sent of entry.from === 'client' ? scalarsIn(entry, use) : []) {
        const { recorded, place } = sent;
        const source = returned.get(recorded);
        if (source !== undefined) {
          subjects.add(source.subject);
          const short = isLikelyId(recorded) ? {} : { isShort: true as const };
          found.values.push({ recorded, returned: source.place, sent: place, ...short, isCaptured: true });
        } else own.add(recorded);
      }
      const request = entries[requestOf.get(entry.index) ?? -1]?.message;
      if (entry.from !== 'server' || !isRequest(request) || !isResponse(entry.message)) continue;
      for (const { recorded, place } of scalarsIn(entry, capture)) {
        if (own.has(recorded) || returned.has(recorded)) continue;
        returned.set(recorded, { place, subject: subjectOf(request.method, request.params) });
      }
    }
    for (const { place, subject } of returned.values())
      if (subjects.has(subject)) found.places.add(place.entry, pointerOf(place.path));
  }
  return found;
}

interface Capture {
  place: ValuePlace;
  /** The method and the tool of the request. */
  subject: string;
}

/** Returns the texts and numbers at a pointer of a message, with their places. */
function scalarsIn({ index, message }: SessionEntry, pointer: Pointer): { recorded: string; place: ValuePlace }[] {
  if (message === undefined) return [];
  return pathsOf(message, pointer).flatMap((path) => {
    const recorded = textOf(valueAt(message, path));
    return recorded === undefined ? [] : [{ recorded, place: { entry: index, path } }];
  });
}

/** Returns entries in which the captured values are ignored where they are returned. */
export function withCapturesIgnored(
  entries: readonly SessionEntry[],
  { places }: Pick<CapturedValues, 'places'>,
): SessionEntry[] {
  return entries.map((entry) => {
    const captured = places.get(entry.index);
    if (captured === undefined) return entry;
    return { ...entry, match: { ...entry.match, ignore: [...(entry.match?.ignore ?? []), ...captured] } };
  });
}

/** Returns a plan whose captured values are ignored where they are returned, and these values. */
export function planWithCaptures<Plan extends { entries: SessionEntry[]; links: Links }>(
  plan: Plan,
  rules: readonly TokenRule[],
): { plan: Plan; captured: ReturnedValue[] } {
  const captured = capturedValues(plan.entries, plan.links, rules);
  return { plan: { ...plan, entries: withCapturesIgnored(plan.entries, captured) }, captured: captured.values };
}
