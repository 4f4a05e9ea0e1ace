import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REVISIONS } from '../../src/protocol/revisions.ts';
import { AREAS } from './areas.ts';
import { cellsOf, holdsIn } from './cells.ts';
import { coveragePage } from './page.ts';
import {
  CONVERSATIONS,
  keyOf,
  playKey,
  REQUIREMENTS,
  SCENES,
  shownBySessions,
  showSessions,
  transportsOf,
} from './sessions.ts';

showSessions('newest');

describe('the manifest', () => {
  const { cells, plays } = shownBySessions();

  it('has each requirement once, and what is shown has no others', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...CONVERSATIONS, ...SCENES].flatMap(({ shows }) => shows).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('is shown to hold wherever it has meaning', () => {
    const inCells = REQUIREMENTS.filter(({ shownBy }) => shownBy === undefined);
    const missing = inCells.flatMap((requirement) =>
      cellsOf(requirement)
        .map((cell) => keyOf(requirement.id, cell))
        .filter((key) => !cells.has(key)),
    );
    expect(missing).toEqual([]);
  });

  it('is shown by conversations that are played from each transport over each that there is beside it', () => {
    const expected = CONVERSATIONS.flatMap((conversation) =>
      REVISIONS.filter((revision) => holdsIn(conversation, revision)).flatMap((revision) => {
        const transports = transportsOf(conversation, revision);
        return transports.flatMap((from) => transports.map((to) => playKey(conversation, from, to)));
      }),
    );
    expect([...plays].sort()).toEqual([...new Set(expected)].sort());
  });

  it.each(REQUIREMENTS.filter(({ shownBy }) => shownBy))('$id is shown by a test that there is', ({ shownBy }) => {
    const [file, title] = shownBy!;
    expect(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8')).toContain(title);
  });

  it('is the table in the docs', async () => {
    const page = coveragePage(AREAS, (id, cell) => cells.has(keyOf(id, cell)));
    await expect(page).toMatchFileSnapshot('../../docs/coverage.md');
  });
});
