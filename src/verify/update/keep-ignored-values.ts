import { type Ignore, parsePointer } from '../../match/ignore-rules.ts';
import { type JsonPath, locate } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * Returns the text of `live` with recorded tokens where the pointers of `ignore` lead and both messages have a value of the
 * same type. A cassette with a new answer thus keeps its own ids, cursors and times, which other events repeat.
 */
export function keepIgnoredValues(recorded: JsonText, live: JsonText, ignore: readonly Ignore[]): string {
  const kept = ignore
    .flatMap((rule) => (typeof rule === 'string' ? pathsIn(live.value, parsePointer(rule)) : []))
    .flatMap((path) => {
      const [there, here] = [locate(recorded.text, path), locate(live.text, path)];
      if (there === undefined || here === undefined) return [];
      const token = recorded.text.slice(there.start, there.end);
      return typeOfToken(token) === typeOfToken(live.text.slice(here.start, here.end)) ? [{ here, token }] : [];
    })
    .sort((a, b) => a.here.start - b.here.start);
  let text = '';
  let from = 0;
  for (const { here, token } of kept) {
    // Already replaced as part of a larger value.
    if (here.start < from) continue;
    text += live.text.slice(from, here.start) + token;
    from = here.end;
  }
  return text + live.text.slice(from);
}

/** Returns every path in `value` that a pointer matches. `*` is any key or index. */
function pathsIn(value: unknown, [step, ...rest]: readonly string[]): JsonPath[] {
  if (step === undefined) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isObject(value) ? value : {});
  return members
    .filter(([key]) => step === '*' || step === String(key))
    .flatMap(([key, member]) => pathsIn(member, rest).map((path) => [key, ...path]));
}

/** Returns a character for the type of a JSON token. */
function typeOfToken(token: string): string {
  return /^[-\d]/.test(token) ? '0' : token.charAt(0);
}
