import { normalizeBreaks } from '../cassette/read/source-text.ts';
import { yamlData } from '../cassette/read/yaml/located-data.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { readNamedText } from '../kernel/read-file.ts';
import type { Scenario } from './scenario.ts';
import { readScenario } from './scenario-reader.ts';

/**
 * Reads a scenario, with all of its faults and expectations, before anything starts.
 * @throws McpRecordError SCENARIO_UNREADABLE, and those of `readScenario`, with file and line
 */
export function loadScenario(file: string): Scenario {
  const { value, placeOf } = dataOf(file);
  return readScenario(value, { file, placeOf });
}

function dataOf(file: string): ReturnType<typeof yamlData> {
  try {
    return yamlData({ file, text: normalizeBreaks(readNamedText(file)), line: 1 });
  } catch (error) {
    const known = error instanceof McpRecordError ? error.problem : undefined;
    throw new McpRecordError({
      code: 'SCENARIO_UNREADABLE',
      what: `Cannot read the scenario ${file}`,
      why: known?.why ?? messageOf(error),
      next: 'Name a YAML file with a cassette, a side to play, and what to expect.',
      ...(known?.place && { place: known.place }),
      cause: error,
    });
  }
}
