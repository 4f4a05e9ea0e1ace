import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import type { JsonPath } from '../protocol/json-scan.ts';
import { isObject, isRequest, isResponse } from '../protocol/message.ts';
import { valueAt } from '../protocol/scalar-key.ts';
import { issuedInResponse, referencedIn, type TokenLocation } from '../replay/tokens/token-locations.ts';

/**
 * Names for opaque values that a server generates and its client repeats (cursors, task ids, request states; protocol
 * digest: "Volatile values and who must remap"). The third task of one session gets the same name as the third task of
 * another.
 */
export class Aliases {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Takes the next message of the cassette. `request` is the answered request. */
  pass({ message }: SessionEntry, request: SessionEntry | undefined): void {
    if (!isResponse(message) || !isRequest(request?.message)) return;
    for (const place of issuedInResponse(message, request.message, [])) {
      const value = valueAt(message, place.path);
      if (value === undefined || this.#names.has(keyOf(place, value))) continue;
      const count = (this.#counts.get(place.kind) ?? 0) + 1;
      this.#counts.set(place.kind, count);
      this.#names.set(keyOf(place, value), `${place.kind} ${count}`);
    }
  }

  /** Returns a request with names instead of the receiver's opaque values. */
  renamed(message: unknown): unknown {
    if (!isRequest(message)) return message;
    return referencedIn(message, undefined, []).reduce<unknown>((renamed, place) => {
      const value = valueAt(message, place.path);
      const name = value === undefined ? undefined : this.#names.get(keyOf(place, value));
      return name === undefined ? renamed : withValue(renamed, place.path, name);
    }, message);
  }
}

function keyOf({ kind }: TokenLocation, value: unknown): string {
  return `${kind} ${canonicalJson(value)}`;
}

function withValue(holder: unknown, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(holder)) return holder.with(Number(step), withValue(holder[Number(step)], rest, value));
  return isObject(holder) ? { ...holder, [step]: withValue(holder[step], rest, value) } : holder;
}
