import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.ts';
import { isModern, REVISIONS, type Revision } from '../../src/protocol/revisions.ts';
import type { Conversation, Requirement, Scene } from './area.ts';
import { AREAS } from './areas.ts';
import { type Cell, exists, holdsIn, ROLES, TRANSPORTS } from './cells.ts';
import { showMockClient, showMockServer, showRecorder } from './show.ts';
import { Talk } from './talk.ts';
import type { Transport } from './wire/wire.ts';
import { WIRES } from './wire/wires.ts';

export const REQUIREMENTS: readonly Requirement[] = AREAS.flatMap(({ requirements }) => requirements);
export const CONVERSATIONS: readonly Conversation[] = AREAS.flatMap(({ conversations = [] }) => conversations);
export const SCENES: readonly Scene[] = AREAS.flatMap(({ scenes = [] }) => scenes);

export const keyOf = (id: string, { revision, transport, role }: Cell): string =>
  [id, revision, transport, role].join();
export const playKey = ({ title }: Conversation, from: Transport, to: Transport): string =>
  `${title}: ${from}, played over ${to}`;

/** Returns the transports over which a conversation can happen in a revision. */
export const transportsOf = ({ on = TRANSPORTS }: Conversation, revision: Revision): Transport[] =>
  TRANSPORTS.filter((transport) => on.includes(transport) && exists(transport, revision));

const isHeld = (conversation: Conversation, transport: Transport, revision: Revision) =>
  holdsIn(conversation, revision) && transportsOf(conversation, revision).includes(transport);
const isPlayed = ({ on, ...span }: Scene, transport: Transport, revision: Revision) =>
  holdsIn(span, revision) && on.includes(transport) && exists(transport, revision);

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

/** What all sessions show, of which each is a test of {@link showSessions}: cells of requirements, and what is played over what. */
export function shownBySessions(): { cells: ReadonlySet<string>; plays: ReadonlySet<string> } {
  const cells = new Set<string>();
  const plays = new Set<string>();
  for (const revision of REVISIONS) {
    for (const transport of TRANSPORTS) {
      const add = (ids: readonly string[], role: Cell['role'], over = transport) => {
        for (const id of ids) cells.add(keyOf(id, { revision, transport: over, role }));
      };
      for (const conversation of CONVERSATIONS.filter((one) => isHeld(one, transport, revision))) {
        add(conversation.shows, 'recorder');
        for (const over of playedOver(conversation, transport, revision)) {
          add(conversation.shows, 'mock server', over);
          add(conversation.shows, 'mock client', over);
          plays.add(playKey(conversation, transport, over));
        }
      }
      for (const { shows, as = ROLES } of SCENES.filter((one) => isPlayed(one, transport, revision)))
        for (const role of as) add(shows, role);
    }
  }
  return { cells, plays };
}

/** Plays a conversation to the recorder, and from its cassette to the mock server and the mock client. */
async function show(conversation: Conversation, transport: Transport, revision: Revision): Promise<void> {
  const said = conversation.lines(new Talk(revision));
  // Over HTTP, from 2026-07-28 on, a cancel is the end of a stream, and no message.
  const closesToCancel = isModern(revision) && transport !== 'stdio';
  const kept = said.filter(({ message }) => !closesToCancel || message.method !== 'notifications/cancelled');
  const cassette = await showRecorder(WIRES[transport], said, kept);
  if (conversation.breaks) {
    const errors = lint(cassette).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule }) => rule)).toEqual(conversation.breaks);
  }
  for (const over of playedOver(conversation, transport, revision)) {
    await showMockServer(WIRES[over], said, cassette);
    await showMockClient(WIRES[over], said, cassette);
  }
}

/** The newest revision in which something can happen over a transport. */
const newest = (isIn: (revision: Revision) => boolean) => REVISIONS.filter(isIn).at(-1);

/** Makes a test of each session over each transport: in the newest revision that has it there, or in all older ones. */
export function showSessions(which: 'newest' | 'older'): void {
  const isWanted = (revision: Revision, isIn: (revision: Revision) => boolean) =>
    isIn(revision) && (revision === newest(isIn)) === (which === 'newest');

  describe.each(TRANSPORTS)('recorded over %s', (transport) => {
    const inEach = REVISIONS.map((revision) => ({
      revision,
      conversations: CONVERSATIONS.filter((one) => isWanted(revision, (other) => isHeld(one, transport, other))),
      scenes: SCENES.filter((one) => isWanted(revision, (other) => isPlayed(one, transport, other))),
    }));
    const withSessions = inEach.filter(({ conversations, scenes }) => conversations.length + scenes.length > 0);
    describe.each(withSessions.map((one) => [one.revision, one] as const))('in %s', (revision, one) => {
      const { conversations, scenes } = one;
      it.each(conversations)('$title', (conversation) => show(conversation, transport, revision));
      it.each(scenes)('$title', ({ play }) => play(new Talk(revision)));
    });
  });
}
