import { existsSync, realpathSync } from 'node:fs';
import { OWNER_ONLY, writeNew } from '../../cassette/write/atomic-write.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { printDocument } from '../io/output.ts';

/**
 * Writes an edited cassette to a new file readable by its owner only, or to standard output without `out`. Files in
 * `inputs` are never overwritten.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export async function writeNewCassette(
  out: string | undefined,
  text: string,
  inputs: readonly string[],
): Promise<void> {
  if (out === undefined) return await printDocument(text);
  if (existsSync(out)) {
    const isInput = inputs.some((input) => realpathSync(input) === realpathSync(out));
    const why = isInput ? 'it is a cassette that is read, and is never overwritten' : 'there is such a file';
    throw cannotWrite(out, why, isInput ? 'Name another file.' : 'Name another file, or remove it.');
  }
  try {
    writeNew(out, text, OWNER_ONLY);
  } catch (error) {
    throw cannotWrite(out, messageOf(error), 'Name a file in a folder that exists and may be written to.');
  }
}

function cannotWrite(out: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_CANNOT_WRITE', what: `Cannot write ${out}`, why, next });
}
