import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROWS } from './command-rows.ts';
import { hostilePlaces, violationsOf } from './places.ts';

/** Each row gets one of so many cassettes; `npm run fuzz` tries all with all. */
const SHARE = process.env.FUZZ === undefined ? 10 : 1;

const { folder, good, cassettes } = hostilePlaces();

it.each(ROWS)('$title is steered by no cassette of a stranger', (row) => {
  const first = ROWS.indexOf(row) % SHARE;
  const tasks = cassettes.filter(({ index }) => index % SHARE === first).map((cassette) => ({ row, cassette }));
  expect(violationsOf(tasks, { folder, good })).toEqual([]);
  rmSync(join(folder, 'out'), { recursive: true });
});
