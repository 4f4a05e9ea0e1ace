import { readYamlFile } from '../cassette/read/yaml/located-data.ts';
import type { Side } from '../channel/frame.ts';
import type { FaultTransport } from '../faults/fault.ts';
import { parseFaultRules, type WrittenFaults } from '../faults/rules/parse-fault-rules.ts';
import type { UsesMethod } from '../faults/rules/unknown-rule-method.ts';

/**
 * Reads a file of fault rules. `from` is the side of rules that name none. Default: the server.
 * @throws McpRecordError FAULTS_UNREADABLE, and the errors of `parseFaultRules` with file and line
 */
export function loadFaultRules(
  file: string,
  transport: FaultTransport,
  from?: Side,
  usesMethod?: UsesMethod,
): WrittenFaults {
  const { value, placeOf } = readYamlFile(file, {
    code: 'FAULTS_UNREADABLE',
    what: `Cannot read the faults of ${file}`,
    next: 'Name a YAML file with "faults:" and a list of rules.',
  });
  return parseFaultRules(value, { name: file, transport, placeOf, usesMethod, ...(from && { from }) });
}
