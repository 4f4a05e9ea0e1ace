import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROWS } from './command-rows.ts';
import { hostilePlaces, violationsOf } from './places.ts';

const { folder, good, cassettes } = hostilePlaces();

/** All commands with all cassettes take half an hour: `npm run fuzz`. `hostile-sample.test.ts` tries some at each run. */
it.runIf(process.env.FUZZ !== undefined).each(ROWS)('$title is steered by no cassette of a stranger', (row) => {
  const tasks = cassettes.map((cassette) => ({ row, cassette }));
  expect(violationsOf(tasks, { folder, good })).toEqual([]);
  rmSync(join(folder, 'out'), { recursive: true });
});
