import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFaultRules } from '../../src/fault-proxy/load-fault-rules.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();

function load(text: string) {
  const file = join(folder, 'faults.yaml');
  writeFileSync(file, text);
  return loadFaultRules(file, 'stdio');
}

it('a file of faults is read, anchors and comments too', () => {
  const { seed, rules } = load('seed: 7 # why\nfaults:\n- &a { do: drop }\n- do: stall\n  for: 5\n- *a\n');
  expect([seed, rules.map(({ fault }) => fault.kind.name)]).toEqual([7, ['drop', 'stall', 'drop']]);
});

describe('what is wrong in it has a place', () => {
  it.each([
    ['an unknown fault', 'faults:\n- do: drop\n- do: dorp\n', 'faults.yaml:3:3'],
    ['an unknown key', 'faults:\n- do: drop\n  whn: {}\n', 'faults.yaml:3:3'],
    ['a wrong value', 'faults:\n- do: slice\n  size: 0\n', 'faults.yaml:3:3'],
    ['a wrong key of when', 'faults:\n- do: drop\n  when: { metod: x }\n', 'faults.yaml:3:11'],
    ['a missing parameter', 'faults:\n- do: latency\n', 'faults.yaml:2:3'],
    ['broken YAML', 'faults:\n- do: [\n', 'faults.yaml:2:8'],
  ])('%s', (_, text, place) => expect(() => load(text)).toThrow(place));
});

it('a file that is not there is an error of ours', () => {
  expect(() => loadFaultRules(join(folder, 'none.yaml'), 'stdio')).toThrow(/\[FAULTS_UNREADABLE\]/);
});
