import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { nothingAsked, tapesAt } from '../../../src/cli/io/find-cassettes.ts';
import { call, client, tape } from '../../support/conversation.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-tapes-'));
  const names = ['t-10.yaml', 't-2.yaml', 't.yaml', 't.probe.yaml', 'notes.md'];
  for (const name of names)
    writeFileSync(join(folder, name), 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
  for (const name of ['empty', 'probes']) mkdirSync(join(folder, name));
  for (const name of ['t.probe.yaml', 't.probe-2.yaml'])
    writeFileSync(join(folder, 'probes', name), 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

it('A folder stands for its tapes, in the order of their numbers, but those of probes', () => {
  expect(tapesAt(folder).map(({ file }) => basename(file))).toEqual(['t.yaml', 't-2.yaml', 't-10.yaml']);
});

it('A file stands for itself', () => {
  expect(tapesAt(join(folder, 't-2.yaml')).map(({ file }) => basename(file))).toEqual(['t-2.yaml']);
});

it('A folder without tapes says so, and so does one that has probes only, which it names', () => {
  expect(() => tapesAt(join(folder, 'empty'))).toThrow(
    expect.objectContaining({ code: 'TAPE_NONE_IN_FOLDER', message: expect.stringContaining('no file') }),
  );
  expect(() => tapesAt(join(folder, 'probes'))).toThrow(
    expect.objectContaining({
      code: 'TAPE_NONE_IN_FOLDER',
      message: expect.stringMatching(/t\.probe-2\.yaml, t\.probe\.yaml[\s\S]*name the file itself/),
    }),
  );
});

it('A tape in which no client said anything is said to have nothing to answer with', () => {
  const reply: Frame = { kind: 'reply', at: 0, from: 'server', status: 404, stream: 1 };
  const open: Frame = { kind: 'open', at: 0, from: 'client', method: 'GET', stream: 1 };
  expect(nothingAsked(tape(open, reply))).toMatch(/^tape\.yaml has no message .* answered with 404\. /);
  expect(nothingAsked(tape())).toMatch(/^tape\.yaml has no message of a client.* miss\. Check/);
  expect(nothingAsked(tape(client(call(1, 'a'))))).toBeUndefined();
});
