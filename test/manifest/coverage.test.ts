import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.ts';
import { isModern, REVISIONS, type Revision } from '../../src/protocol/revisions.ts';
import type { Conversation, Scene } from './area.ts';
import { AREAS } from './areas.ts';
import { type Cell, cellsOf, exists, holdsIn, ROLES, TRANSPORTS } from './cells.ts';
import { coveragePage } from './page.ts';
import { showMockClient, showMockServer, showRecorder } from './show.ts';
import { Talk } from './talk.ts';
import type { Transport } from './wire/wire.ts';
import { WIRES } from './wire/wires.ts';

const REQUIREMENTS = AREAS.flatMap(({ requirements }) => requirements);
const CONVERSATIONS = AREAS.flatMap(({ conversations = [] }) => conversations);
const SCENES = AREAS.flatMap(({ scenes = [] }) => scenes);

const keyOf = (id: string, { revision, transport, role }: Cell) => [id, revision, transport, role].join();
/** What ran here and passed. */
const shown = new Set<string>();
/** Conversations that were recorded over one transport and played over one. */
const played = new Set<string>();
const playKey = ({ title }: Conversation, from: Transport, to: Transport) => `${title}: ${from}, played over ${to}`;

const transportsOf = ({ on = TRANSPORTS }: Conversation, revision: Revision) =>
  TRANSPORTS.filter((transport) => on.includes(transport) && exists(transport, revision));

/**
 * Transports over which what was recorded over `from` is played: the same one, and the others in turn from revision to revision, so
 * that each has its turn. Where there are too few revisions for that, all.
 */
function playedOver(conversation: Conversation, from: Transport, revision: Revision): Transport[] {
  const all = transportsOf(conversation, revision);
  const others = all.filter((transport) => transport !== from);
  const alike = REVISIONS.filter(
    (other) => holdsIn(conversation, other) && isDeepStrictEqual(transportsOf(conversation, other), all),
  );
  if (alike.length < others.length) return all;
  const turn = (alike.indexOf(revision) + CONVERSATIONS.indexOf(conversation)) % others.length;
  return [from, ...others.slice(turn, turn + 1)];
}

describe.each(TRANSPORTS)('recorded over %s', (transport) => {
  describe.each(REVISIONS.filter((revision) => exists(transport, revision)))('in %s', (revision) => {
    const isHere = (conversation: Conversation) =>
      holdsIn(conversation, revision) && transportsOf(conversation, revision).includes(transport);
    it.each(CONVERSATIONS.filter(isHere))('$title', async (conversation) => {
      const { lines, shows, breaks } = conversation;
      const said = lines(new Talk(revision));
      // Over HTTP, from 2026-07-28 on, a cancel is the end of a stream, and no message.
      const closesToCancel = isModern(revision) && transport !== 'stdio';
      const kept = said.filter(({ message }) => !closesToCancel || message.method !== 'notifications/cancelled');
      const show = (role: Cell['role'], over: Transport) => {
        for (const id of shows) shown.add(keyOf(id, { revision, transport: over, role }));
      };

      const cassette = await showRecorder(WIRES[transport], said, kept);
      show('recorder', transport);
      if (breaks) {
        const errors = lint(cassette).filter(({ severity }) => severity === 'error');
        expect(errors.map(({ rule }) => rule)).toEqual(breaks);
      }
      for (const over of playedOver(conversation, transport, revision)) {
        await showMockServer(WIRES[over], said, cassette);
        show('mock server', over);
        await showMockClient(WIRES[over], said, cassette);
        show('mock client', over);
        played.add(playKey(conversation, transport, over));
      }
    });

    const isPlayed = ({ on, ...span }: Scene) => holdsIn(span, revision) && on.includes(transport);
    it.each(SCENES.filter(isPlayed))('$title', async ({ shows, as = ROLES, play }) => {
      await play(new Talk(revision));
      for (const id of shows) for (const role of as) shown.add(keyOf(id, { revision, transport, role }));
    });
  });
});

describe('the manifest', () => {
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
        .filter((key) => !shown.has(key)),
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
    expect([...played].sort()).toEqual([...new Set(expected)].sort());
  });

  it.each(REQUIREMENTS.filter(({ shownBy }) => shownBy))('$id is shown by a test that there is', ({ shownBy }) => {
    const [file, title] = shownBy!;
    expect(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8')).toContain(title);
  });

  it('is the table in the docs', async () => {
    const page = coveragePage(AREAS, (id, cell) => shown.has(keyOf(id, cell)));
    await expect(page).toMatchFileSnapshot('../../docs/coverage.md');
  });
});
