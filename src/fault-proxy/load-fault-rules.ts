import { normalizeBreaks, type Source } from '../cassette/read/source-text.ts';
import { yamlData } from '../cassette/read/yaml/located-data.ts';
import type { Ground } from '../faults/fault.ts';
import { readFaults, type WrittenFaults } from '../faults/rules/parse-fault-rules.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { readNamedText } from '../kernel/read-file.ts';

/**
 * Reads a file of faults.
 * @throws McpRecordError FAULTS_UNREADABLE, and those of `readFaults`, with file and line
 */
export function loadFaults(file: string, ground: Ground): WrittenFaults {
  const source = sourceOf(file);
  const { value, placeOf } = attempt(file, () => yamlData(source));
  return readFaults(value, { name: file, ground, placeOf });
}

function sourceOf(file: string): Source {
  return attempt(file, () => ({ file, text: normalizeBreaks(readNamedText(file)), line: 1 }));
}

function attempt<Result>(file: string, task: () => Result): Result {
  try {
    return task();
  } catch (error) {
    const known = error instanceof McpRecordError ? error.problem : undefined;
    throw new McpRecordError({
      code: 'FAULTS_UNREADABLE',
      what: `Cannot read the faults of ${file}`,
      why: known?.why ?? messageOf(error),
      next: 'Name a YAML file with "faults:" and a list of rules.',
      ...(known?.place && { place: known.place }),
      cause: error,
    });
  }
}
