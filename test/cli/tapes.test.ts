import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tapesAt } from '../../src/cli/tapes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-tapes-'));
  const names = ['t-10.yaml', 't-2.yaml', 't.yaml', 't.probe.yaml', 'notes.md'];
  for (const name of names)
    writeFileSync(join(folder, name), 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
  mkdirSync(join(folder, 'empty'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('A folder stands for its tapes, in the order of their numbers, but those of probes', () => {
  expect(tapesAt(folder).map(({ file }) => basename(file))).toEqual(['t.yaml', 't-2.yaml', 't-10.yaml']);
});

it('A file stands for itself', () => {
  expect(tapesAt(join(folder, 't-2.yaml')).map(({ file }) => basename(file))).toEqual(['t-2.yaml']);
});

it('A folder without tapes is none', () => {
  expect(() => tapesAt(join(folder, 'empty'))).toThrow(
    expect.objectContaining({ code: 'TAPE_IS_DIRECTORY' }),
  );
});
