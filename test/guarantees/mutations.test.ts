import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Side } from '../../src/channel/frame.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { REVISIONS } from '../../src/protocol/revisions.ts';
import { AREAS } from '../manifest/areas.ts';
import { holdsIn } from '../manifest/cells.ts';
import { Talk } from '../manifest/talk.ts';
import { type Compared, replayedTo, verifiedWith } from '../support/compared-play.ts';
import { cassette as cassetteOf, client, clientCloses, server } from '../support/conversation.ts';
import { mutate } from '../support/session-mutations.ts';
import { LEGACY, MODERN } from './session.ts';
import { uncomparedRow } from './uncompared.ts';

const MUTATIONS = 2_000 * Number(process.env.FUZZ ?? 1);
const folder = join(import.meta.dirname, '..', '..', 'cassettes');

const recorded = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => loadCassette(join(folder, file)));

/** The conversations that show what the protocol demands, in each of its revisions. */
const conversations = AREAS.flatMap(({ conversations: all = [] }) => all).flatMap((conversation) =>
  REVISIONS.filter((revision) => holdsIn(conversation, revision)).map((revision): Cassette => {
    const lines = conversation.lines(new Talk(revision));
    const said = lines.map(({ from, message }) => (from === 'client' ? client(message) : server(message)));
    const cassette = cassetteOf(...said, clientCloses);
    return {
      ...cassette,
      file: `${conversation.title} (${revision})`,
      header: { ...cassette.header, recorder: 'a test' },
    };
  }),
);

/** What fails where the live `side` says what the second cassette has, and the first one was recorded. */
const played: Record<Side, (before: Cassette, live: Cassette) => Promise<Compared>> = {
  client: async (before, live) => replayedTo(live, before),
  server: verifiedWith,
};

it.each(['client', 'server'] as const)(
  'whatever a %s says otherwise is reported, or a row says that it is not compared',
  async (side) => {
    const sessions: Cassette[] = [];
    for (const one of [...recorded, ...conversations, LEGACY, MODERN])
      if ((await played[side](one, one)).failures.length === 0) sessions.push(one);
    // Sessions that are as recorded pass, but for those whose two sides cannot both be played without time.
    expect(sessions.length).toBeGreaterThan(0.9 * (recorded.length + conversations.length));

    const random = seededRandom(Number(process.env.SEED ?? 1), side.length);
    const rows = new Map<string, number>();
    const silent: string[] = [];
    let reported = 0;
    for (let n = 0; n < MUTATIONS; ) {
      const before = sessions[Math.floor(random() * sessions.length)]!;
      const mutation = mutate(before, side, random);
      if (mutation === undefined) continue;
      n++;
      const { failures, said } = await played[side](before, mutation.cassette);
      if (failures.length > 0) {
        reported++;
        continue;
      }
      // A played client polls, and turns pages, by itself: what was left out it may have said all the same.
      const usual = (await played[side](before, before)).said;
      const isUsual = said.length === usual.length && said.every((text, at) => text === usual[at]);
      if (isUsual || said.some((text) => text.includes('"id":"mcp-record:'))) continue;
      const row = uncomparedRow(mutation, side);
      const { how, message, path = [], value } = mutation;
      if (row === undefined)
        silent.push(
          `${before.file}: ${how} ${JSON.stringify(message).slice(0, 200)} ${path.join('/')} ${JSON.stringify(value)}`,
        );
      else rows.set(row, (rows.get(row) ?? 0) + 1);
    }
    expect(silent).toEqual([]);
    // Most differences are compared: a comparison that was switched off would show here.
    expect(reported).toBeGreaterThan(0.6 * MUTATIONS);
    console.log(`${side}: ${reported} reported, not compared: ${JSON.stringify(Object.fromEntries(rows))}`);
  },
  // All of it is work, so that a busy machine takes several times as long.
  240_000,
);
