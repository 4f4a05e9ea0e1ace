import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import {
  CASSETTE_ENTRY_POINTS,
  CLIENT_ENTRY_POINTS,
  type EntryPoint,
  SERVER_ENTRY_POINTS,
  verdictOf,
} from './entry-points.ts';
import { guaranteesPage, type Section } from './page.ts';
import { CLIENT_ROWS, type Plant, PROCESS_ROWS, type Row, SERVER_ROWS } from './rows.ts';
import { LEGACY, MODERN } from './session.ts';

const name = freeNames(temporaryFolder());

function written({ header, events }: Cassette): string {
  const file = name();
  const frames = events.map(({ frame }) => frame);
  writeFileSync(file, cassetteText({ header, frames, lost: [] }, 'mcp-record 0.0.0'));
  return file;
}

const keyOf = (section: Section, row: Row, entry: EntryPoint) => `${section.title} ${row.id} ${entry.name}`;

const SECTIONS: readonly Section[] = [
  {
    title: 'What a client says',
    rows: CLIENT_ROWS,
    entries: [...CLIENT_ENTRY_POINTS, ...CASSETTE_ENTRY_POINTS],
  },
  {
    title: 'What a server says',
    rows: SERVER_ROWS,
    entries: [...SERVER_ENTRY_POINTS, ...CASSETTE_ENTRY_POINTS],
  },
  {
    title: 'What the process of a server does',
    rows: PROCESS_ROWS,
    entries: SERVER_ENTRY_POINTS.filter(({ name }) => name.includes('COMMAND')),
  },
];

/** The titles of the planted differences that failed, by cell. */
const found = new Map<string, string[]>();

/** Plants a difference: the run fails by itself, on request or not at all, as the entry point has it for the row. */
async function fails(entry: EntryPoint, row: Row, { recorded, live }: Plant): Promise<boolean> {
  const files = [written(recorded), written(live)] as const;
  const verdict = verdictOf(row, entry);
  if (verdict === undefined) return entry.fails(...files, 'default');
  if (verdict === 'request') expect(await entry.fails(...files, 'default')).toBe(false);
  const failed = await entry.fails(...files, verdict === 'default' ? 'default' : 'request');
  expect(failed).toBe(verdict !== 'no');
  return failed;
}

describe.each(SECTIONS)('$title', (section) => {
  describe.each(section.entries)('by $name', { timeout: 60_000 }, (entry) => {
    it.each([
      ['before 2026-07-28', LEGACY],
      ['of 2026-07-28', MODERN],
    ])('passes a session %s that is as recorded', async (_, cassette) => {
      const files = [written(cassette), written(cassette)] as const;
      expect(await entry.fails(...files, 'request')).toBe(false);
    });

    // Most of the time is spent waiting for processes.
    const test = entry.isGlobal ? it : it.concurrent;
    test.each(section.rows)('$what', async (row) => {
      const titles: string[] = [];
      for (const plant of row.plants) if (await fails(entry, row, plant)) titles.push(plant.title);
      found.set(keyOf(section, row, entry), titles);
    });
  });
});

describe('the page', () => {
  it('has no cell that no planted difference has shown', () => {
    const missing = SECTIONS.flatMap((section) =>
      section.rows.flatMap((row) => section.entries.map((entry) => keyOf(section, row, entry))),
    ).filter((key) => !found.has(key));
    expect(missing).toEqual([]);
  });

  // `npx vitest run test/guarantees -u` writes it anew.
  it('is docs/guarantees.md', async () => {
    const page = guaranteesPage(SECTIONS, (...cell) => found.get(keyOf(...cell)) ?? []);
    await expect(page).toMatchFileSnapshot('../../docs/guarantees.md');
  });
});
