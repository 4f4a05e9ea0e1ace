import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Ignore, rulesAsWritten } from '../../match/ignore-rules.ts';

/** Returns the ignore rules of a session, and the rules beside these entries in the cassette. */
export function withOwnRules(
  ignore: readonly Ignore[],
  ...entries: readonly (SessionEntry | undefined)[]
): readonly Ignore[] {
  const own = entries.flatMap((entry) => rulesAsWritten(entry?.match?.ignore ?? []));
  return own.length === 0 ? ignore : [...ignore, ...own];
}
