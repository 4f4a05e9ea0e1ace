import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { cassetteText } from '../../../src/cassette/write/cassette-text.ts';
import { findSweepPoint } from '../../../src/cli/sweep/find-sweep-point.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { failingServer } from '../../../src/sweep/shrink/failing-server.ts';
import { type Shrunk, shrinkFailure } from '../../../src/sweep/shrink/shrink-failure.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { fixture } from '../../support/process.ts';
import { BUGS, session, sweptServer } from '../server/swept-server.ts';

/** `SHRUNK_BUGS=all` shrinks all planted bugs, and prints a table. Otherwise there are a few of each kind. */
const isAll = process.env.SHRUNK_BUGS === 'all';
const folder = temporaryFolder();
const BUDGET = { time: 60_000 };

interface Row {
  bug: string;
  found: string;
  before: number;
  after: number;
  runs: number;
}
const rows: Row[] = [];

function told(bug: string, { observation, messagesBefore, messages, runs }: Shrunk): void {
  rows.push({
    bug,
    found: `${observation.verdict} ${observation.point}`,
    before: messagesBefore,
    after: messages,
    runs,
  });
}

afterAll(() => {
  if (!isAll) return;
  const sorted = rows.map(({ after }) => after).sort((one, other) => one - other);
  console.table([...rows].sort((one, other) => one.bug.localeCompare(other.bug)));
  console.log(`${rows.length} bugs, median ${sorted[sorted.length >> 1]} messages, at most ${sorted.at(-1)}`);
});

/** Number of calls and pings around the session of the sweep's tests. */
const AROUND = 15;
const text = (id: number, value: string) =>
  server({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } });

/** The session of the sweep's tests among thirty other calls. */
function longSession(): Cassette {
  const [opened, opening] = [session.events.slice(0, 3), session.events.slice(3)].map((events) =>
    events.map(({ frame }) => frame),
  ) as [Cassette['events'][number]['frame'][], Cassette['events'][number]['frame'][]];
  const before = Array.from({ length: AROUND }, (_, n) => [
    client(call(100 + n, 'notes')),
    text(100 + n, 'none'.repeat(40)),
  ]);
  const after = Array.from({ length: AROUND }, (_, n) => [
    client(request(200 + n, 'ping')),
    server({ jsonrpc: '2.0', id: 200 + n, result: {} }),
  ]);
  const long = cassette(...opened, ...before.flat(), ...opening, ...after.flat());
  return parseCassette(cassetteText(long), 'long.yaml');
}

const LONG = longSession();
/** Messages of the client before those that the other calls follow. */
const HANDSHAKE = 2;

/** Bugs that leave something behind, so that no later run is like the first one. */
const STICKY = ['locks-its-file'];
const FEW = ['dies-of-a-refusal'];
/** A refusal is no failure to shrink. */
const shrinkable = BUGS.filter(
  ([bug, , verdict]) => !STICKY.includes(bug) && verdict !== 'refused' && (isAll || FEW.includes(bug)),
);

describe.concurrent('a bug of a server', () => {
  it.concurrent.each(shrinkable)('that %s is the same with at most 12 messages', async (bug, name, verdict) => {
    const [fault = '', position] = name.split('@');
    const message = Number(position) > HANDSHAKE ? Number(position) + AROUND : Number(position);
    const point = misbehaviourCases(LONG, [fault]).find((one) => one.message === message)!;
    const target = sweptServer(bug, join(mkdtempSync(join(folder, 'server-')), 'file'));
    const program = failingServer({ target, clock, deadline: 2_000, ignore: [], faults: [fault] });
    const shrunk = await shrinkFailure({ cassette: LONG, lines: [point.line], program, budget: BUDGET, clock });
    told(bug, shrunk);
    expect([shrunk.observation.verdict, shrunk.messagesBefore]).toEqual([verdict, LONG.events.length]);
    expect(shrunk.messages).toBeLessThanOrEqual(12);
  });

  it('that fails in another way when it comes again is not shrunk', async () => {
    const [, name] = BUGS.find(([bug]) => bug === 'locks-its-file')!;
    const point = misbehaviourCases(session, ['truncate']).find((one) => one.name === name)!;
    const target = sweptServer('locks-its-file', join(mkdtempSync(join(folder, 'server-')), 'file'));
    const program = failingServer({ target, clock, deadline: 2_000, ignore: [], faults: ['truncate'] });
    const shrinking = shrinkFailure({ cassette: session, lines: [point.line], program, budget: BUDGET, clock });
    await expect(shrinking).rejects.toMatchObject({ code: 'SHRINK_NOT_REPEATED' });
  });
});

const OPEN = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {}, logging: {} }, serverInfo: { name: calls, version: "1" } } }
- client: { method: notifications/initialized }
`;
const called = (
  n: number,
  name: string,
  args = '',
) => `- client: { id: ${n}, method: tools/call, params: { name: ${name}${args} } }
- server: { id: ${n}, result: { content: [{ type: text, text: ${name} }] } }
- server: { method: notifications/message, params: { level: info, data: "a line of a log, which no client waits for" } }
`;
const calls = (names: readonly string[], args?: string) =>
  OPEN + names.map((name, n) => called(n + 1, name, args)).join('');
const upTo = (count: number) => Array.from({ length: count }, (_, n) => `call-${n + 1}`);
const weather = calls(['weather', ...upTo(12)], ', arguments: { city: Oslo }');

interface ClientBug {
  bug: string;
  point: string;
  verdict: string;
  text: string;
  words: readonly string[];
  deadline: number;
  http?: boolean;
}

const sweptClient = (manner: string, verdict: string, point: string): ClientBug => {
  const { command, args } = fixture('swept.js', manner, '{server}');
  return {
    bug: `client ${manner}`,
    point,
    verdict,
    text: weather,
    words: [command, ...args],
    deadline: manner === 'hangs' ? 8_000 : 60_000,
  };
};
const sdkClient = (verdict: string, point: string): ClientBug => {
  const { command, args } = fixture('swept-sdk.js', '9', '{server}');
  const bug = `SDK client ${verdict}`;
  return {
    bug,
    point,
    verdict,
    text: calls(upTo(9)),
    words: [command, ...args],
    deadline: verdict === 'hung' ? 8_000 : 60_000,
  };
};
const lossy = fixture('loses-answers.js', 'goes-on', '{url}');

// After each answer comes a line of a log: the answer to call n is message 2n of the server.
const CLIENTS: readonly ClientBug[] = [
  sweptClient('hangs', 'hung', 'stall@2'),
  sweptClient('crashes', 'crashed', 'cut@2'),
  sweptClient('leaks', 'leaked', 'error-reply@2'),
  sweptClient('lies', 'lied', 'cut@2'),
  {
    bug: 'client goes-on',
    point: 'drop@2',
    verdict: 'lied',
    text: calls(['one', 'two', ...upTo(8)]),
    words: [lossy.command, ...lossy.args],
    deadline: 8_000,
    http: true,
  },
  sdkClient('hung', 'cut@6'),
  sdkClient('crashed', 'cut@10'),
  sdkClient('leaked', 'cut@14'),
  sdkClient('lied', 'cut@18'),
];

describe.concurrent('a bug of a client', () => {
  const some = isAll ? CLIENTS : CLIENTS.slice(4, 5);
  it.concurrent.each(some.map((one) => [one.bug, one.verdict, one] as const))(
    '(%s) is shrunk: %s',
    async (bug, verdict, one) => {
      const file = join(mkdtempSync(join(folder, 'client-')), 'cassette.yaml');
      writeFileSync(file, one.text);
      const options = { server: false, http: one.http ?? false, header: [], ignore: [], ignorePattern: [] };
      const { deadline, words, point: name } = one;
      const found = await findSweepPoint({ file, name, words, seed: 1, deadline, options });
      try {
        const shrunk = await shrinkFailure({
          cassette: found.cassette,
          lines: found.lines,
          program: found.program({ deadline }),
          budget: BUDGET,
          clock,
        });
        told(bug, shrunk);
        expect(shrunk.observation.verdict).toBe(verdict);
        // A client that makes calls before this one needs the answers to them, and nothing else.
        expect(shrunk.messages).toBeLessThanOrEqual(bug.startsWith('SDK') ? 21 : 7);
      } finally {
        found.remove();
      }
    },
  );
});
