import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeStaleRecordings } from '../../src/modes/record-session.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const HEAD = 'format: mcp-record/1\nrecorder: mcp-record/0.1.0\ntransport: stdio\nevents:\n';
const EVENT = '- client: { jsonrpc: "2.0", id: 1, method: ping }\n';
const COMPLETE = `${HEAD}${EVENT}- end: complete\n`;

it('removes what failed runs of a test have left, by exact name', () => {
  const own = ['a.recording.yaml', 'a.recording-2.yaml', 'a.recording.probe.yaml'];
  const others = ['a.yaml', 'aa.recording.yaml', 'a.recording-4.yaml', 'b.recording.yaml'];
  for (const name of [...own, ...others]) writeFileSync(at(name), COMPLETE);
  removeStaleRecordings(at('a.yaml'));
  expect([...own, ...others].filter((name) => existsSync(at(name)))).toEqual(others);
});

it('leaves what may be being written, and what is no cassette', () => {
  writeFileSync(at('c.recording.yaml'), HEAD + EVENT);
  writeFileSync(at('c.recording-2.yaml'), 'notes of mine');
  writeFileSync(at('c.recording-3.yaml'), COMPLETE);
  removeStaleRecordings(at('c.yaml'));
  expect([1, 2, 3].map((n) => existsSync(at(`c.recording${n > 1 ? `-${n}` : ''}.yaml`)))).toEqual([true, true, false]);
});
