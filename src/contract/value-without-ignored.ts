import { exactValue } from '../match/exact-numbers.ts';
import { type Pointer, without } from '../match/ignore-rules.ts';
import type { JsonText } from '../protocol/json-text.ts';

/** What is compared of a message: its value without rounding, less what `ignore` names. Absent messages stay absent. */
export function valueWithoutIgnored(json: JsonText | undefined, ignore: readonly Pointer[]): unknown {
  return json === undefined ? undefined : without(exactValue(json), ignore);
}
