import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CassetteFile } from '../../src/cassette/write/cassette-file.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();

/** The names of cassettes that somebody has taken: the first so many. */
let taken = 0;
const isTaken = (path: fs.PathLike) =>
  `${path}`.startsWith(folder) && Number(/-(\d+)\.yaml$/.exec(`${path}`)?.[1] ?? 1) <= taken;

beforeAll(() => {
  const { existsSync, openSync } = fs;
  vi.spyOn(fs, 'existsSync').mockImplementation((path) => isTaken(path) || existsSync(path));
  vi.spyOn(fs, 'openSync').mockImplementation((path, ...how) => {
    if (isTaken(path)) throw Object.assign(new Error(`${path} is there`), { code: 'EEXIST' });
    return openSync(path, ...how);
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const newCassette = () => new CassetteFile(`${folder}/cassette.yaml`);

it('a cassette takes the next free name, up to the millionth', () => {
  for (const [count, name] of [
    [0, 'cassette.yaml'],
    [1, 'cassette-2.yaml'],
    [7, 'cassette-8.yaml'],
    [8, 'cassette-9.yaml'],
    [12_345, 'cassette-12346.yaml'],
    [999_999, 'cassette-1000000.yaml'],
  ] as const) {
    taken = count;
    const cassette = newCassette();
    expect(cassette.path).toBe(`${folder}/${name}`);
    cassette.close();
  }
});

it('with a million names taken there is none, and that is said', () => {
  taken = 1_000_000;
  expect(newCassette).toThrow(/cassette-1000000\.yaml is there/);
});
