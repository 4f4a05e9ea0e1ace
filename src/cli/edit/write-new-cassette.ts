import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { OWNER_ONLY, replaceFile, writeNew } from '../../cassette/write/atomic-write.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { readNamedText } from '../../kernel/read-regular-file.ts';
import { printDocument, say } from '../io/output.ts';

/**
 * Writes an edited cassette to a new file readable by its owner only, or to standard output without `out`. Files in
 * `inputs` are never overwritten, nor is any other file but one whose text `isReplaceable` accepts.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export async function writeNewCassette(
  out: string | undefined,
  text: string,
  inputs: readonly string[],
  isReplaceable: (earlier: string) => boolean = () => false,
): Promise<void> {
  if (out === undefined) return await printDocument(text);
  const isLink = lstatSync(out, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink || existsSync(out)) {
    const isInput = existsSync(out) && inputs.some((input) => realpathSync(input) === realpathSync(out));
    if (isLink && !isInput)
      throw cannotWrite(out, 'it is a symbolic link, which is not followed', 'Name another file, or remove it.');
    if (!isInput && statSync(out).isFile() && isReplaceable(readNamedText(out))) {
      say(`${out} is an earlier cut of the same cassette, and is replaced`);
      return write(out, () => replaceFile(out, text));
    }
    const why = isInput ? 'it is a cassette that is read, and is never overwritten' : 'there is such a file';
    throw cannotWrite(out, why, isInput ? 'Name another file.' : 'Name another file, or remove it.');
  }
  write(out, () => writeNew(out, text, OWNER_ONLY));
}

function write(out: string, toDisk: () => void): void {
  try {
    toDisk();
  } catch (error) {
    throw cannotWrite(out, messageOf(error), 'Name a file in a folder that exists and may be written to.');
  }
}

function cannotWrite(out: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_CANNOT_WRITE', what: `Cannot write ${out}`, why, next });
}
