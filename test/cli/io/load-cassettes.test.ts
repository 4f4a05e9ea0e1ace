import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { loadCassettes, warningOfNoRequests } from '../../../src/cli/io/load-cassettes.ts';
import { call, cassette, client } from '../../support/conversation.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-cassettes-'));
  const names = ['t-10.yaml', 't-2.yaml', 't.yaml', 't.probe.yaml', 'notes.md'];
  for (const name of names) writeFileSync(join(folder, name), 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
  for (const name of ['empty', 'probes']) mkdirSync(join(folder, name));
  for (const name of ['t.probe.yaml', 't.probe-2.yaml'])
    writeFileSync(join(folder, 'probes', name), 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

it('A folder stands for its cassettes, in the order of their numbers, but those of probes', () => {
  expect(loadCassettes(folder).map(({ file }) => basename(file))).toEqual(['t.yaml', 't-2.yaml', 't-10.yaml']);
});

it('A file stands for itself', () => {
  expect(loadCassettes(join(folder, 't-2.yaml')).map(({ file }) => basename(file))).toEqual(['t-2.yaml']);
});

it('A folder without cassettes says so, and so does one that has probes only, which it names', () => {
  expect(() => loadCassettes(join(folder, 'empty'))).toThrow(
    expect.objectContaining({ code: 'CASSETTE_NONE_IN_FOLDER', message: expect.stringContaining('no file') }),
  );
  expect(() => loadCassettes(join(folder, 'probes'))).toThrow(
    expect.objectContaining({
      code: 'CASSETTE_NONE_IN_FOLDER',
      message: expect.stringMatching(/t\.probe-2\.yaml, t\.probe\.yaml[\s\S]*name the file itself/),
    }),
  );
});

it('A cassette in which no client said anything is said to have nothing to answer with', () => {
  const reply: Frame = { kind: 'http-response', at: 0, from: 'server', status: 404, stream: 1 };
  const open: Frame = { kind: 'open', at: 0, from: 'client', method: 'GET', stream: 1 };
  expect(warningOfNoRequests(cassette(open, reply))).toMatch(
    /^cassette\.yaml has no client message.* answered with 404\. /,
  );
  expect(warningOfNoRequests(cassette())).toMatch(/^cassette\.yaml has no client message.* miss\. Check/);
  expect(warningOfNoRequests(cassette(client(call(1, 'a'))))).toBeUndefined();
});
