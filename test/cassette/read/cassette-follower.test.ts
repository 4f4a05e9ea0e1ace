import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { CassetteEvent } from '../../../src/cassette/cassette.ts';
import { CassetteFollower } from '../../../src/cassette/read/cassette-follower.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const HEAD = 'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n';
const ping = (id: number) => `- client:\n    id: ${id}\n    method: ping\n`;
const END = '- end: complete\n';

let file: string;
let count = 0;
beforeEach(() => {
  file = join(folder, `${count++}.yaml`);
});

const idsOf = (events: readonly CassetteEvent[]) =>
  events.map(({ frame, line }) => [frame.kind === 'message' && (frame.json.value as { id: number }).id, line]);

it('returns each event once it is written whole, with its line, and knows when the recording has ended', () => {
  writeFileSync(file, HEAD);
  const follower = new CassetteFollower(file);
  expect(idsOf(follower.read())).toEqual([]);
  appendFileSync(file, ping(1));
  expect(idsOf(follower.read())).toEqual([[1, 5]]);
  expect(idsOf(follower.read())).toEqual([]);
  appendFileSync(file, ping(2) + ping(3));
  expect(idsOf(follower.read())).toEqual([
    [2, 8],
    [3, 11],
  ]);
  expect(follower.isEnded).toBe(false);
  appendFileSync(file, END);
  expect([idsOf(follower.read()), follower.isEnded]).toEqual([[], true]);
});

it('returns what the whole file has, wherever it was cut while it grew', () => {
  const said = `${HEAD}${ping(1)}- server:\n    id: 1\n    result:\n      text: |-\n        one\n\n        - two\n  after: 20\n${ping(2)}${END}`;
  writeFileSync(join(folder, 'whole.yaml'), said);
  const whole = loadCassette(join(folder, 'whole.yaml')).events.map(({ frame }) => JSON.stringify(frame));
  for (let at = 1; at < said.length; at++) {
    writeFileSync(file, said.slice(0, at));
    const follower = new CassetteFollower(file);
    const events = follower.read();
    appendFileSync(file, said.slice(at));
    const rest = follower.read();
    // An event whose first lines are one already was returned as these, and is returned again.
    expect(follower.corrections).toBe(/\n {4,}\S[^\n]*\n+$/.test(said.slice(0, at)) && isWithinEvent(said, at) ? 1 : 0);
    events.splice(events.length - follower.corrections);
    events.push(...rest);
    expect(follower.isEnded).toBe(true);
    expect(follower.replacements).toBe(0);
    expect(events.map(({ frame }) => JSON.stringify(frame))).toEqual(whole);
  }
});

/** Whether what follows a place is the rest of the event before it. */
function isWithinEvent(text: string, at: number): boolean {
  return !text.startsWith('- ', at) && at < text.length;
}

it('reads as much as it is told to, and says that there is more', () => {
  const many = Array.from({ length: 10_000 }, (_, id) => ping(id)).join('');
  writeFileSync(file, HEAD + many);
  const follower = new CassetteFollower(file);
  const read: number[] = [];
  do read.push(follower.read(100_000).length);
  while (follower.hasMore);
  expect(read.length).toBeGreaterThan(3);
  expect(read.reduce((sum, count) => sum + count)).toBe(10_000);
  appendFileSync(file, ping(1) + END);
  expect([follower.read(100_000).length, follower.hasMore, follower.end]).toEqual([1, false, 'complete']);
});

it('sees that a file was written anew in its place, with the same inode and more bytes', () => {
  writeFileSync(file, HEAD + ping(1));
  const follower = new CassetteFollower(file);
  follower.read();
  expect(follower.replacements).toBe(0);
  writeFileSync(file, HEAD + ping(22) + ping(33) + ping(44));
  expect(idsOf(follower.read()).map(([id]) => id)).toEqual([22, 33, 44]);
  expect(follower.replacements).toBe(1);
});

it('reads another file, and one that was cut, from the beginning', () => {
  writeFileSync(file, HEAD + ping(1) + ping(2));
  const follower = new CassetteFollower(file);
  follower.read();
  writeFileSync(`${file}.new`, HEAD + ping(7) + ping(8) + ping(9));
  renameSync(`${file}.new`, file);
  expect(idsOf(follower.read()).map(([id]) => id)).toEqual([7, 8, 9]);
  writeFileSync(file, HEAD + ping(4));
  expect(idsOf(follower.read()).map(([id]) => id)).toEqual([4]);
});

it('throws for a file that is gone, is no cassette, or is damaged', () => {
  const read = (text?: string) => {
    if (text !== undefined) writeFileSync(file, text);
    new CassetteFollower(file).read();
  };
  expect(() => read()).toThrow(/CASSETTE_NOT_FOUND/);
  expect(() => read(`${HEAD}- cliemt:\n    id: 1\n${ping(2)}`)).toThrow(/CASSETTE_BAD_EVENT/);
  expect(() => read(HEAD.replace('/1', '/9') + ping(1) + ping(2))).toThrow(/CASSETTE_NEWER_FORMAT/);
});

it('gives the events before the place that is damaged', () => {
  writeFileSync(file, `${HEAD}${ping(1)}${ping(2)}- cliemt:\n    id: 3\n${ping(4)}`);
  const events: CassetteEvent[] = [];
  expect(() => new CassetteFollower(file).read(1_000, events)).toThrow(/CASSETTE_BAD_EVENT/);
  expect(idsOf(events).map(([id]) => id)).toEqual([1, 2]);
});
