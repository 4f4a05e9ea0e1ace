import { readYamlFile } from '../cassette/read/yaml/located-data.ts';
import type { FaultTransport } from '../faults/fault.ts';
import { parseFaultRules, type WrittenFaults } from '../faults/rules/parse-fault-rules.ts';

/**
 * Reads a file of fault rules.
 * @throws McpRecordError FAULTS_UNREADABLE, and the errors of `parseFaultRules` with file and line
 */
export function loadFaultRules(file: string, transport: FaultTransport): WrittenFaults {
  const { value, placeOf } = readYamlFile(file, {
    code: 'FAULTS_UNREADABLE',
    what: `Cannot read the faults of ${file}`,
    next: 'Name a YAML file with "faults:" and a list of rules.',
  });
  return parseFaultRules(value, { name: file, transport, placeOf });
}
