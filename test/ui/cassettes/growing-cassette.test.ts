import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { GrowingCassette } from '../../../src/ui/cassettes/growing-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();
const TITLE = '# MCP session recorded by mcp-record. Format: mcp-record/1\n';
const HEAD = `${TITLE}format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n`;
const ping = (id: number) => `- client:\n    id: ${id}\n    method: ping\n`;

let file: string;
let count = 0;
beforeEach(() => {
  file = join(folder, `${count++}.yaml`);
});

const read = (cassette: GrowingCassette) => {
  const { events, isAnew, hasMore } = cassette.read();
  const state = cassette.stateAt(cassette.changed?.getTime() ?? 0);
  return [events.length, isAnew, hasMore, state];
};

it('is growing from its first byte on, and ended with its end', () => {
  writeFileSync(file, '');
  const cassette = new GrowingCassette(file);
  expect(read(cassette)).toEqual([0, true, false, 'growing']);
  for (const piece of [TITLE.slice(0, 10), TITLE.slice(10), HEAD.slice(TITLE.length)]) {
    appendFileSync(file, piece);
    expect(read(cassette)).toEqual([0, false, false, 'growing']);
  }
  appendFileSync(file, ping(1));
  expect(read(cassette)).toEqual([1, false, false, 'growing']);
  appendFileSync(file, '- end: complete\n');
  expect(read(cassette)).toEqual([0, false, false, 'ended']);
});

it('is unfinished when nothing was written for a minute', () => {
  writeFileSync(file, HEAD + ping(1));
  const cassette = new GrowingCassette(file);
  cassette.read();
  const changed = cassette.changed!.getTime();
  expect([59_999, 60_000].map((after) => cassette.stateAt(changed + after))).toEqual(['growing', 'unfinished']);
});

it('comes in slices when it is long', () => {
  writeFileSync(file, HEAD + Array.from({ length: 10_000 }, (_, id) => ping(id)).join(''));
  const cassette = new GrowingCassette(file);
  const news = [cassette.read(), cassette.read()];
  while (news.at(-1)!.hasMore) news.push(cassette.read());
  expect(news.map(({ isAnew }) => isAnew).filter((isAnew) => isAnew)).toEqual([true]);
  expect(news[0]!.events.length).toBeLessThan(9_000);
  expect(news.reduce((sum, { events }) => sum + events.length, 0)).toBe(10_000);
});

it('that was replaced, or was removed and came again, begins anew', () => {
  writeFileSync(file, HEAD + ping(1) + ping(2));
  const cassette = new GrowingCassette(file);
  expect(read(cassette)).toEqual([2, true, false, 'growing']);
  writeFileSync(file, HEAD + ping(33) + ping(44) + ping(55));
  expect(read(cassette)).toEqual([3, true, false, 'growing']);
  expect(cassette.replacements).toBe(1);
  rmSync(file);
  expect(read(cassette)).toEqual([0, false, false, 'removed']);
  writeFileSync(file, HEAD + ping(6));
  expect(read(cassette)).toEqual([1, true, false, 'growing']);
  expect(cassette.replacements).toBe(2);
});

it('an event of which only the first lines were there is read again', () => {
  writeFileSync(file, `${HEAD}${ping(1)}- client:\n    id: 2\n    method: tools/call\n`);
  const cassette = new GrowingCassette(file);
  expect(read(cassette)).toEqual([2, true, false, 'growing']);
  appendFileSync(file, '    params:\n      name: a\n');
  const { events, isAnew } = cassette.read();
  expect([events.length, isAnew]).toEqual([2, true]);
  expect(events[1]!.frame).toMatchObject({ json: { text: expect.stringContaining('"name":"a"') } });
});

it('gives what stands before the damage, says where it is, and is read anew after a change', () => {
  writeFileSync(file, HEAD + ping(1));
  const cassette = new GrowingCassette(file);
  cassette.read();
  appendFileSync(file, `${ping(2)}- cliemt:\n    id: 3\n${ping(4)}`);
  expect(read(cassette)).toEqual([1, false, false, 'damaged']);
  expect(cassette.problem).toMatchObject({
    code: 'CASSETTE_BAD_EVENT',
    message: expect.stringMatching(/cliemt.*\(line 12\)\.$/),
  });
  writeFileSync(file, HEAD + ping(1) + ping(2));
  expect(read(cassette)).toEqual([2, true, false, 'growing']);
  expect(cassette.problem).toBeUndefined();
});

it('written by hand is read as a whole, each time', () => {
  const own = (name: string) =>
    `format: mcp-record/1\ntransport: stdio\nevents:\n- client: {method: tools/call, params: {name: ${name}}}\n- server: {result: {}}`;
  writeFileSync(file, own('one'));
  const cassette = new GrowingCassette(file);
  expect(read(cassette)).toEqual([2, true, false, 'by-hand']);
  expect(read(cassette)).toEqual([2, true, false, 'by-hand']);
  writeFileSync(file, HEAD + ping(1));
  expect(read(cassette)).toEqual([1, true, false, 'growing']);
});

it('what is no cassette is foreign, and a folder is a problem', () => {
  writeFileSync(file, 'services: []\n');
  expect(read(new GrowingCassette(file))[3]).toBe('foreign');
  mkdirSync(`${file}.folder`);
  const cassette = new GrowingCassette(`${file}.folder`);
  expect(read(cassette)[3]).toBe('damaged');
  expect(cassette.problem?.code).toBe('CASSETTE_IS_DIRECTORY');
});

itOnPosix('pipes', 'a pipe is a problem that nobody waits for', () => {
  execFileSync('mkfifo', [`${file}.pipe`]);
  const cassette = new GrowingCassette(`${file}.pipe`);
  expect(read(cassette)[3]).toBe('damaged');
  expect(cassette.problem?.code).toBe('CASSETTE_NOT_A_FILE');
});
