import { normalizeBreaks, type SourceText } from '../cassette/read/source-text.ts';
import { yamlData } from '../cassette/read/yaml/located-data.ts';
import type { FaultTransport } from '../faults/fault.ts';
import { parseFaultRules, type WrittenFaults } from '../faults/rules/parse-fault-rules.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { readNamedText } from '../kernel/read-file.ts';

/**
 * Reads a file of fault rules.
 * @throws McpRecordError FAULTS_UNREADABLE, and the errors of `parseFaultRules` with file and line
 */
export function loadFaultRules(file: string, transport: FaultTransport): WrittenFaults {
  const source = sourceOf(file);
  const { value, placeOf } = attempt(file, () => yamlData(source));
  return parseFaultRules(value, { name: file, transport, placeOf });
}

function sourceOf(file: string): SourceText {
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
