import type { Cassette } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { expressionIn } from '../../kernel/linear-regex.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { isObject, isRequest, paramsOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';

/** Special characters of regular expressions. A source without them matches only its own text. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/**
 * Refuses a client that would send a regular expression as an argument: `cassette().calls(…)` has no other text for it.
 * @throws McpRecordError CASSETTE_UNPLAYABLE
 */
export function refuseRegexArguments({ file, events }: Cassette): void {
  for (const { frame, match, line } of events) {
    if (frame.kind !== 'message' || frame.from !== 'client' || !isObject(match?.arguments)) continue;
    const { value } = frame.json;
    const sent = isRequest(value) ? paramsOf(value).arguments : undefined;
    for (const { value: written, path } of leavesOf(match.arguments, [])) {
      const source = expressionIn(written)?.source;
      if (source === undefined || !SPECIAL.test(source) || valueAt(sent, path) !== source) continue;
      throw new McpRecordError({
        code: 'CASSETTE_UNPLAYABLE',
        what: `Cannot play the client of ${file}`,
        why: `a pattern cannot be played: the argument ${path.join('.')} is ${String(written)}`,
        next: 'Write the value that the client sends. A pattern stands for calls that a server gets.',
        place: { file, line },
      });
    }
  }
}
