import { existsSync } from 'node:fs';
import { loadCassette } from '../cassette/read/load-cassette.ts';
import { readYamlFile } from '../cassette/read/yaml/located-data.ts';
import { usesMethod } from '../cassette/uses-method.ts';
import type { Scenario } from './scenario.ts';
import { readScenario } from './scenario-reader.ts';

/**
 * Reads a scenario, with all of its faults and expectations, before anything starts.
 * @throws McpRecordError SCENARIO_UNREADABLE, and those of `readScenario`, with file and line
 */
export function loadScenario(file: string): Scenario {
  const { value, placeOf } = readYamlFile(file, {
    code: 'SCENARIO_UNREADABLE',
    what: `Cannot read the scenario ${file}`,
    next: 'Name a YAML file with a cassette, a side to play, and what to expect.',
  });
  // Whoever plays the scenario reports a missing cassette.
  const usesRecorded = (cassette: string, method: string) =>
    !existsSync(cassette) || usesMethod([loadCassette(cassette)], method);
  return readScenario(value, { file, placeOf, usesMethod: usesRecorded });
}
