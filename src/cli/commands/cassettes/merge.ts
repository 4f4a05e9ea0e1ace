import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import { mergeCassettes } from '../../../edit/merge/merge-cassettes.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { formatCount, grouped } from '../../../kernel/format-count.ts';
import { writeNewCassette } from '../../edit/write-new-cassette.ts';
import { EXIT, say } from '../../io/output.ts';

/** Runs `mcp-record merge A B… -o OUT`: joins the events of several cassettes. */
export async function run(command: Command): Promise<number> {
  const { output, sameSecrets = false } = command.opts<{ output: string; sameSecrets?: boolean }>();
  const files = command.args;
  const inputs = files.map((file) => ({ file, text: Buffer.from(readCassette(file)).toString('utf8') }));
  refuseTwice(files);
  const { text, counts, warnings } = mergeCassettes(inputs, output, { sameSecrets });
  for (const warning of warnings) say(warning);
  await writeNewCassette(output, text, files);
  const { kept, leftOut, renumbered, placeholders } = counts;
  const repeated =
    leftOut > 0 ? `; left out ${grouped(leftOut)} that repeat the handshake or end a session that goes on` : '';
  const ids = renumbered > 0 ? `; gave ${formatCount(renumbered, 'request')} another id` : '';
  say(`merged ${formatCount(kept, 'event')} of ${formatCount(files.length, 'cassette')}${repeated}${ids}`);
  if (placeholders > 0) {
    const what = formatCount(placeholders, 'placeholder');
    say(`gave ${what} another number: an earlier cassette may have it for another secret. If not, use --same-secrets`);
  }
  return EXIT.ok;
}

/**
 * Refuses a cassette that is named twice: the merged one would expect each of its calls twice, and its notifications would come twice.
 * @throws McpRecordError USAGE_CANNOT_MERGE
 */
function refuseTwice(files: readonly string[]): void {
  const paths = files.map((file) => realpathSync(file));
  const twice = paths.findIndex((path, index) => paths.indexOf(path) < index);
  if (twice === -1) return;
  const [file, first] = [files[twice]!, files[paths.indexOf(paths[twice]!)]!];
  throw new McpRecordError({
    code: 'USAGE_CANNOT_MERGE',
    what: `Cannot merge ${file}`,
    why: file === first ? 'it is named twice' : `it is the same file as ${first}`,
    next: 'Name each cassette once. To answer calls more than once, use mcp-record replay --repeat.',
  });
}
