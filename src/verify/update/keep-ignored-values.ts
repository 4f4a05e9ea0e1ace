import { type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { type JsonPath, locate } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * The text of `live` with the recorded tokens where `pointers` name what does not count, and both have something there:
 * a cassette that takes a new answer keeps its own ids, cursors and times, which other events of it repeat.
 */
export function keepIgnoredValues(recorded: JsonText, live: JsonText, pointers: readonly Pointer[]): string {
  const kept = pointers
    .flatMap((pointer) => pathsIn(live.value, parsePointer(pointer)))
    .flatMap((path) => {
      const [there, here] = [locate(recorded.text, path), locate(live.text, path)];
      return there && here ? [{ here, token: recorded.text.slice(there.start, there.end) }] : [];
    })
    .sort((a, b) => a.here.start - b.here.start);
  let text = '';
  let from = 0;
  for (const { here, token } of kept) {
    // Within what was kept as a whole.
    if (here.start < from) continue;
    text += live.text.slice(from, here.start) + token;
    from = here.end;
  }
  return text + live.text.slice(from);
}

/** Every place of `value` that the steps of a pointer mean; `*` is any key or index. */
function pathsIn(value: unknown, [step, ...rest]: readonly string[]): JsonPath[] {
  if (step === undefined) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isObject(value) ? value : {});
  return members
    .filter(([key]) => step === '*' || step === String(key))
    .flatMap(([key, member]) => pathsIn(member, rest).map((path) => [key, ...path]));
}
