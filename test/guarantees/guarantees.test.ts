import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { CLIENT_ENTRY_POINTS, HTTP_CLIENT_ENTRY_POINTS } from './client-entry-points.ts';
import { type EntryPoint, verdictOf } from './entry-point.ts';
import { HTTP_ROWS, HTTP_SAME } from './http-rows.ts';
import { guaranteesPage, type Section } from './page.ts';
import { CLIENT_ROWS, type Plant, PROCESS_ROWS, type Row, SERVER_ROWS } from './rows.ts';
import { type Run, startRuns } from './runs.ts';
import { CASSETTE_ENTRY_POINTS, SERVER_ENTRY_POINTS } from './server-entry-points.ts';
import { LEGACY, MODERN } from './session.ts';

// A run has its own deadline, and may wait for all runs before it.
vi.setConfig({ testTimeout: 1_800_000 });

const name = freeNames(temporaryFolder());

function written({ header, events }: Cassette): string {
  const file = name();
  const frames = events.map(({ frame }) => frame);
  writeFileSync(file, cassetteText({ header, frames, lost: [] }, 'mcp-record 0.0.0'));
  return file;
}

/** Sessions that are as recorded, to which each entry point is shown to pass. */
const SAME: Section['same'] = [
  { title: 'before 2026-07-28', recorded: LEGACY, live: LEGACY },
  { title: 'of 2026-07-28', recorded: MODERN, live: MODERN },
];

const SECTIONS: readonly Section[] = [
  {
    title: 'What a client says',
    same: SAME,
    rows: CLIENT_ROWS,
    entries: [...CLIENT_ENTRY_POINTS, ...CASSETTE_ENTRY_POINTS],
  },
  {
    title: 'What a client does over HTTP',
    same: HTTP_SAME,
    rows: HTTP_ROWS,
    entries: [...HTTP_CLIENT_ENTRY_POINTS, ...CASSETTE_ENTRY_POINTS],
  },
  {
    title: 'What a server says',
    same: SAME,
    rows: SERVER_ROWS,
    entries: [...SERVER_ENTRY_POINTS, ...CASSETTE_ENTRY_POINTS],
  },
  {
    title: 'What the process of a server does',
    same: SAME,
    rows: PROCESS_ROWS,
    entries: [...SERVER_ENTRY_POINTS.filter(({ name }) => name.includes('COMMAND')), ...CASSETTE_ENTRY_POINTS],
  },
];

/** By default a run fails, or passes; where it passes by default and need not on request, both are shown. */
function runsOf(row: Row, plant: Plant, entry: EntryPoint): Run[] {
  const { recorded, live } = plant;
  const verdict = verdictOf(row, plant, entry);
  const inDefault: Run = { entry, recorded, live, asked: 'default', fails: verdict === 'default' };
  const asked = entry.difference !== undefined && row.compared === 'difference' ? 'difference' : 'request';
  const onRequest: Run = { entry, recorded, live, asked, fails: verdict === 'request' };
  if (verdict === 'default') return [inDefault];
  return verdict === 'no' ? [onRequest] : [inDefault, onRequest];
}

const PLANS = SECTIONS.map(({ title, same, rows, entries }) => ({
  title,
  entries: entries.map((entry) => ({
    name: entry.name,
    same: same.map(({ title, recorded, live }) => ({
      title,
      run: { entry, recorded, live, asked: 'request', fails: false } satisfies Run,
    })),
    cells: rows.map((row) => ({
      what: row.what,
      runs: row.plants.flatMap((plant) => runsOf(row, plant, entry).map((run) => ({ title: plant.title, run }))),
    })),
  })),
}));

// Most of the time goes to processes: all of them are started before the first test asks how its own have ended. The tests are
// concurrent: a mock that starts meanwhile would end with the test that happens to run.
describe('planted differences', { concurrent: true }, () => {
  let results: ReturnType<typeof startRuns>;
  beforeAll(() => {
    const plans = PLANS.flatMap(({ entries }) => entries);
    const runs = plans.flatMap(({ same, cells }) => [...same, ...cells.flatMap(({ runs }) => runs)]);
    results = startRuns(
      runs.map(({ run }) => run),
      written,
    );
  });

  describe.each(PLANS)('$title', ({ entries }) => {
    describe.each(entries)('by $name', ({ same, cells }) => {
      it.each(same)('passes a session $title that is as recorded', async ({ run }) => {
        expect(await results.get(run)).toBe(false);
      });

      it.each(cells)('$what', async ({ runs }) => {
        const ended = runs.map(async ({ title, run }) => ({
          title,
          asked: run.asked,
          // The report of a failure that should be none is shown.
          fails: run.fails ? (await results.get(run)) !== false : await results.get(run),
        }));
        expect(await Promise.all(ended)).toEqual(
          runs.map(({ title, run: { asked, fails } }) => ({ title, asked, fails })),
        );
      });
    });
  });
});

describe('the page', () => {
  // `npx vitest run test/guarantees -u` writes it anew.
  it('is docs/guarantees.md', async () => {
    await expect(guaranteesPage(SECTIONS)).toMatchFileSnapshot('../../docs/guarantees.md');
  });
});
