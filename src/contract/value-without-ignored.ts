import { exactValue } from '../match/exact-json-value.ts';
import { type Ignore, without } from '../match/ignore-rules.ts';
import type { JsonText } from '../protocol/json-text.ts';

/**
 * Returns the value of a message for comparison: without rounding, and without the parts that `ignore` names. Absent
 * messages stay absent.
 */
export function valueWithoutIgnored(json: JsonText | undefined, ignore: readonly Ignore[]): unknown {
  return json === undefined ? undefined : without(exactValue(json), ignore);
}
