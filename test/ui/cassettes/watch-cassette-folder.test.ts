import { appendFileSync, copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { SessionList } from '../../../src/ui/cassettes/watch-cassette-folder.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const root = temporaryFolder();
const HEAD = 'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n';
const ping = (id: number) => `- client:\n    id: ${id}\n    method: ping\n`;
const NOW = new Date('2026-11-24T12:00:00Z');

let folder: string;
let clock: ManualClock;
let list: SessionList;
let told: string[];
let count = 0;
beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
  clock = new ManualClock(NOW);
  list = new SessionList({ folder, isWanted: (name) => name.endsWith('.yaml'), hasSubfolders: true, clock });
  told = [];
  list.onRow((name) => told.push(name));
});
afterEach(() => list.stop());

/** Writes a file as if it were done now, by the clock. */
const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), clock.date(), clock.date());
};
const states = () => Object.fromEntries(list.rows.map(({ name, state, events }) => [name, [state, events]]));

it('has what is there and what comes, and reads each again when it has changed', () => {
  put('one.yaml', HEAD + ping(1));
  put('notes.txt', 'no cassette');
  expect(list.isEmpty).toBe(false);
  list.start();
  clock.advance(20);
  expect(states()).toEqual({ 'one.yaml': ['growing', 1] });
  put('two.yaml', HEAD);
  appendFileSync(join(folder, 'one.yaml'), `${ping(2)}- end: complete\n`);
  clock.advance(2_020);
  expect(states()).toEqual({ 'one.yaml': ['ended', 2], 'two.yaml': ['growing', 0] });
  told.length = 0;
  clock.advance(10_000);
  expect(told).toEqual([]);
});

it('has the cassettes of subfolders, as wrap and Vitest write them, and nothing else of these', () => {
  mkdirSync(join(folder, 'booking/later'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/it'), { recursive: true });
  mkdirSync(join(folder, '.cache'));
  put('booking/one.yaml', HEAD + ping(1));
  put('booking/docker-compose.yaml', 'services: {}\n');
  put('booking/weather.mock.yaml', 'format: mcp-record-mock/1\n');
  put('node_modules/it/one.yaml', HEAD);
  put('.cache/one.yaml', HEAD);
  expect(list.isEmpty).toBe(false);
  list.start();
  clock.advance(20);
  expect(states()).toEqual({ 'booking/one.yaml': ['growing', 1] });
  expect(list.fileOf('booking/one.yaml')).toBe(join(folder, 'booking', 'one.yaml'));
  put('booking/later/two.yaml', HEAD);
  mkdirSync(join(folder, 'summ'));
  put('summ/three.yaml', HEAD);
  clock.advance(2_020);
  expect(Object.keys(states())).toEqual(['booking/one.yaml', 'summ/three.yaml', 'booking/later/two.yaml']);
  rmSync(join(folder, 'booking'), { recursive: true });
  clock.advance(2_020);
  expect(states()).toMatchObject({ 'booking/one.yaml': ['removed', 1], 'summ/three.yaml': ['growing', 0] });
});

it('has subfolders to a depth of four', () => {
  const deep = ['a', 'b', 'c', 'd', 'e'].map((_, index, all) => all.slice(0, index + 1).join('/'));
  mkdirSync(join(folder, deep.at(-1)!), { recursive: true });
  for (const one of deep) put(`${one}/x.yaml`, HEAD);
  list.start();
  clock.advance(20);
  expect(Object.keys(states())).toEqual(deep.slice(0, 4).map((one) => `${one}/x.yaml`));
});

it('has no subfolders where it is of one file', () => {
  mkdirSync(join(folder, 'sub'));
  put('sub/one.yaml', HEAD);
  put('one.yaml', HEAD);
  list = new SessionList({ folder, isWanted: (name) => name === 'one.yaml', clock });
  list.start();
  clock.advance(20);
  expect(Object.keys(states())).toEqual(['one.yaml']);
});

it('says that a recording is silent, that a file is gone, and when another took its place', () => {
  put('one.yaml', HEAD + ping(1));
  list.start();
  clock.advance(20);
  clock.advance(62_000);
  expect(states()).toEqual({ 'one.yaml': ['unfinished', 1] });
  rmSync(join(folder, 'one.yaml'));
  clock.advance(2_020);
  expect(states()).toEqual({ 'one.yaml': ['removed', 1] });
  put('one.yaml', HEAD + ping(1) + ping(2));
  clock.advance(2_020);
  expect(list.row('one.yaml')).toMatchObject({
    state: 'growing',
    events: 2,
    replacedAt: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
  });
});

it('knows the peers, and when the recording began', () => {
  copyFileSync('cassettes/everything.yaml', join(folder, 'everything.yaml'));
  list.start();
  clock.advance(20);
  expect(list.row('everything.yaml')).toMatchObject({
    client: 'demo-client 1.0.0',
    server: 'mcp-servers/everything 2.0.0',
    events: 164,
    recorded: '2026-11-21T06:12:32Z',
    changed: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  });
});

it('outlives the folder', () => {
  put('one.yaml', HEAD + ping(1));
  list.start();
  clock.advance(20);
  rmSync(folder, { recursive: true });
  clock.advance(2_020);
  expect(states()).toEqual({ 'one.yaml': ['removed', 1] });
});

it('of a folder without cassettes is empty', () => {
  put('notes.txt', 'no cassette');
  list.start();
  clock.advance(2_020);
  expect([list.isEmpty, list.rows]).toEqual([true, []]);
});
