import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { isLikelyId } from './ids-in-text.ts';
import { type ReturnedValue, textOf, type ValuePlace } from './returned-values.ts';
import { pathOf, type TokenRule } from './token-locations.ts';

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
      const sent = entry.from === 'client' ? scalarIn(entry, use) : undefined;
      const source = sent && returned.get(sent.recorded);
      if (source !== undefined) {
        subjects.add(source.subject);
        const { recorded, place } = sent!;
        const short = isLikelyId(recorded) ? {} : { isShort: true as const };
        found.values.push({ recorded, returned: source.place, sent: place, ...short, isCaptured: true });
      } else if (sent !== undefined) own.add(sent.recorded);
      const request = entries[requestOf.get(entry.index) ?? -1]?.message;
      if (entry.from !== 'server' || !isRequest(request) || !isResponse(entry.message)) continue;
      const value = scalarIn(entry, capture);
      if (value === undefined || own.has(value.recorded) || returned.has(value.recorded)) continue;
      returned.set(value.recorded, { place: value.place, subject: subjectOf(request.method, request.params) });
    }
    for (const { place, subject } of returned.values())
      if (subjects.has(subject)) found.places.add(place.entry, capture);
  }
  return found;
}

interface Capture {
  place: ValuePlace;
  /** The method and the tool of the request. */
  subject: string;
}

/** Returns the text or number at a pointer of a message, with its place. Undefined: there is none. */
function scalarIn(
  { index, message }: SessionEntry,
  pointer: Pointer,
): { recorded: string; place: ValuePlace } | undefined {
  if (message === undefined) return undefined;
  const path = pathOf(message, pointer);
  const recorded = textOf(valueAt(message, path));
  return recorded === undefined ? undefined : { recorded, place: { entry: index, path } };
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
