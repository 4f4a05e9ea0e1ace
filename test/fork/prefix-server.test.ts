import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { PrefixServer } from '../../src/fork/prefix-server.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import { titleOf } from '../../src/replay/findings/finding.ts';
import {
  call,
  cancel,
  cassette,
  client,
  notification,
  progress,
  request,
  result,
  server,
  stderr,
} from '../support/conversation.ts';

const greeting = request(0, 'initialize', { capabilities: {} });
const opened = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
const handshake = [client(greeting), server(opened), client(notification('initialized'))];
const lists = (id: number) => ({ jsonrpc: '2.0', id, result: { tools: [] } });

const prefix = cassette(
  ...handshake,
  client(request(1, 'tools/list')),
  server(lists(1)),
  client(call(2, 'add', { a: 1 })),
  server(result(2, 'one')),
  client(call(3, 'add', { a: 2 })),
  server(result(3, 'two')),
);

/** A recorded server, and a live client that the test moves. */
function play(played: Cassette = prefix, { endsAtDifference = false } = {}) {
  const told: unknown[] = [];
  const findings: Finding[] = [];
  const unused: string[][] = [];
  let arrivals = 0;
  let hasArrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => {
    hasArrived = resolve;
  });
  const past = new PrefixServer({
    prefix: played,
    clock,
    ignore: [],
    endsAtDifference,
    report: (finding) => void findings.push(finding),
    arrived: (entries) => void unused.push(entries.map(({ message }) => titleOf(message))),
  });
  const values = (frames: readonly Frame[]) =>
    frames.map((frame) => (frame.kind === 'message' ? frame.json.value : frame.kind));
  const arrived = () => {
    arrivals++;
    hasArrived();
  };
  past.begin({ tell: (frame) => void told.push(...values([frame])), arrived });
  return {
    ...{ past, told, findings, unused, arrival },
    arrivals: () => arrivals,
    /** Says messages. Returns those that are for the live server. */
    says: (...messages: unknown[]) => messages.flatMap((message) => values(past.hear(client(message)))),
  };
}

const adviceIn = (answer: unknown) =>
  (answer as { error: { data: { mcpRecord: { next: string } } } }).error.data.mcpRecord.next;

describe('the recorded server of a prefix', () => {
  it('answers with the ids of the client, until all that is recorded has been said', () => {
    const { says, told, past, arrivals, unused } = play();
    const all = [request('a', 'initialize', { capabilities: {} }), notification('initialized')];
    expect(says(...all, request('b', 'tools/list'), call('c', 'add', { a: 1 }))).toEqual([]);
    expect([past.hasArrived, past.owed.map(({ line }) => line)]).toEqual([false, [8]]);
    expect(says(call('d', 'add', { a: 2 }))).toEqual([]);
    expect(told).toEqual([
      { ...opened, id: 'a' },
      { ...lists(1), id: 'b' },
      result('c' as never, 'one'),
      result('d' as never, 'two'),
    ]);
    expect([past.hasArrived, arrivals(), unused]).toEqual([true, 1, [[]]]);
    expect(says(call('e', 'add', { a: 3 }))).toEqual([call('e', 'add', { a: 3 })]);
  });

  it('lets the client leave out lists, and tells of them', () => {
    const { says, past, unused } = play();
    says(greeting, notification('initialized'), call(1, 'add', { a: 2 }), call(2, 'add', { a: 1 }));
    expect([past.hasArrived, past.owed]).toEqual([false, []]);
    expect(says(call(3, 'add', { a: 1 }))).toEqual([call(3, 'add', { a: 1 })]);
    expect([past.hasArrived, unused]).toEqual([true, [['tools/list']]]);
  });

  it('repeats a list before the line', () => {
    const { says, told } = play();
    says(greeting, notification('initialized'), request(1, 'tools/list'), request(2, 'tools/list'));
    expect(told.slice(1)).toEqual([lists(1), lists(2)]);
  });

  it('refuses a list that is not recorded, and the client still comes to the line', () => {
    const { says, past, findings, told } = play();
    says(greeting, notification('initialized'), request(7, 'prompts/list'));
    expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
    expect(adviceIn(told.at(-1))).toBe(
      'Make this request after the line, where the live server answers it, or remove the extra request from the client.',
    );
    says(request(1, 'tools/list'), call(2, 'add', { a: 1 }), call(3, 'add', { a: 2 }));
    expect([past.isLost, past.hasArrived]).toEqual([false, true]);
  });

  it('loses a client that makes another call, and answers it with an error', () => {
    const { says, past, told, findings, arrivals } = play();
    says(greeting, notification('initialized'), call(1, 'add', { a: 7 }));
    expect(past.isLost).toBe(true);
    expect(findings[0]!.text).toContain('cassette.yaml:6 tools/call "add" differs at /params/arguments/a');
    expect(told.at(-1)).toMatchObject({ id: 1, error: {} });
    expect(adviceIn(told.at(-1))).toMatch(
      /^Add --on-difference report to the fork, .*. Ignore only what differs in every run: \/params/,
    );
    says(request(2, 'tools/list'), call(3, 'add', { a: 1 }), call(4, 'add', { a: 2 }), call(5, 'add', { a: 3 }));
    expect([past.hasArrived, arrivals()]).toEqual([false, 0]);
  });

  it('ends at such a call where that is wanted', () => {
    const { says, past, findings, unused } = play(prefix, { endsAtDifference: true });
    says(greeting, notification('initialized'));
    expect(says(call(1, 'add', { a: 7 }), call(2, 'add', { a: 1 }))).toEqual([
      call(1, 'add', { a: 7 }),
      call(2, 'add', { a: 1 }),
    ]);
    expect([past.hasArrived, findings.map(({ kind }) => kind)]).toEqual([true, ['miss']]);
    expect(unused).toEqual([['tools/list', 'tools/call "add"', 'tools/call "add"']]);
    expect(findings[0]!.text).toContain('\n  The live server answers from this call on. ');
    expect(findings[0]!.text).not.toContain('--on-difference');
  });

  it('does not take a question for the revision for a session', () => {
    const { says, past } = play();
    says(request(0, 'server/discover'));
    expect(past.hasArrived).toBe(false);
    expect(past.owed.map(({ line }) => line)).toEqual([6, 8]);
  });

  it('keeps its own standard error to itself: the live server says its own', () => {
    const { says, told } = play(cassette(stderr('recorded'), ...prefix.events.map(({ frame }) => frame)));
    says(greeting);
    expect(told).toEqual([opened]);
  });
});

describe('a call that waits for the client', () => {
  const asked = cassette(
    ...handshake,
    client(call(1, 'ask')),
    server(request(0, 'elicitation/create', { message: 'name?' })),
    client({ jsonrpc: '2.0', id: 0, result: { action: 'accept' } }),
    server(result(1, 'asked')),
  );

  it('is answered by the recorded server, also if the client has gone on', () => {
    const { says, told, past } = play(asked);
    says(greeting, notification('initialized'), call(1, 'ask'));
    expect(told.at(-1)).toEqual(request(0, 'elicitation/create', { message: 'name?' }));
    expect(says(call(2, 'next'))).toEqual([call(2, 'next')]);
    expect(past.hasArrived).toBe(false);
    says({ jsonrpc: '2.0', id: 0, result: { action: 'accept' } });
    expect(told.at(-1)).toEqual(result(1, 'asked'));
    expect(past.hasArrived).toBe(true);
  });

  it('may be cancelled after the client has gone on', () => {
    const { says, past } = play(asked);
    says(greeting, notification('initialized'), call(1, 'ask'), call(2, 'next'));
    expect(says(cancel(1))).toEqual([]);
    expect(past.hasArrived).toBe(true);
    expect(says(cancel(2))).toEqual([cancel(2)]);
  });
});

it('knows the subscriptions and progress tokens that the client has begun', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const listen = (id: number | string) => request(id, 'subscriptions/listen', { _meta, notifications: {} });
  const { says, past, told, arrival } = play(
    cassette(
      client(listen(0)),
      client({ ...call(1, 'add'), params: { name: 'add', _meta: { ..._meta, progressToken: 1 } } }),
      server(progress(1, 1)),
      server(result(1, 'one')),
    ),
  );
  says(listen('live'), { ...call(9, 'add'), params: { name: 'add', _meta: { ..._meta, progressToken: 'mine' } } });
  // Progress and the answer after it are sent in different turns.
  expect(past.hasArrived).toBe(false);
  await arrival;
  expect(past.begun.subscriptions).toEqual(new Map([['0', '"live"']]));
  expect(past.begun.tokens).toEqual(new Map([['1', '"mine"']]));
  expect(told).toContainEqual(progress('mine', 1));
});
