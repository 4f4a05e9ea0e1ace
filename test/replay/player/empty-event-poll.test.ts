import { describe, expect, it } from 'vitest';
import {
  call,
  cassette,
  client,
  notification,
  play,
  playClient,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const poll = (id: number, cursor: string | null) => request(id, 'events/poll', { name: 'incident', cursor });
const answered = (id: number, fields: object) => ({ jsonrpc: '2.0', id, result: fields });
const incident = { eventId: 'e1', name: 'incident', data: { service: 'db' } };
const brings = (id: number, cursor: string, ...events: object[]) =>
  answered(id, { events, cursor, hasMore: false, nextPollMs: 50 });

describe('a poll for events of a mock server', () => {
  const recorded = cassette(
    client(poll(1, null)),
    server(brings(1, 'c1')),
    client(poll(2, 'c1')),
    server(brings(2, 'c2')),
    client(call(3, 'break')),
    server(result(3, 'broken')),
    client(poll(4, 'c2')),
    server(brings(4, 'c3', incident)),
  );

  it('brings an event after the call that caused it, and not before, however often the client polls', () => {
    const session = play(recorded);
    session.says(poll(11, null), poll(12, 'c1'), poll(13, 'c2'), poll(14, 'c2'));
    expect(session.hears()).toEqual([brings(11, 'c1'), brings(12, 'c2'), brings(13, 'c2'), brings(14, 'c2')]);
    session.says(call(15, 'break'), poll(16, 'c2'));
    expect(session.hears()).toEqual([result(15, 'broken'), brings(16, 'c3', incident)]);
  });

  it('beyond those of the cassette brings nothing more, and repeats what the client asks for again', () => {
    const session = play(recorded);
    session.says(poll(11, null), poll(12, 'c1'), call(13, 'break'), poll(14, 'c2'));
    session.hears();
    session.says(poll(15, 'c3'), poll(16, 'c3'));
    expect(session.hears()).toEqual([brings(15, 'c3'), brings(16, 'c3')]);
    session.says(poll(17, 'c2'));
    expect(session.hears()).toEqual([brings(17, 'c3', incident)]);
    session.player.finish();
    expect(session.findings).toEqual([]);
  });

  it('that was in vain need not come again, and one that brought an event must', () => {
    const session = play(recorded);
    session.says(poll(11, null), call(12, 'break'));
    session.player.finish();
    expect(session.findings.map(({ kind, text }) => [kind, text.match(/events\/poll/g)?.length])).toEqual([
      ['unused', 1],
    ]);
  });

  it('of a type that cannot be replayed, whose position is null, brings each event once', () => {
    const event = answered(1, { events: [incident], cursor: null, nextPollMs: 5 });
    const session = play(cassette(client(poll(1, null)), server(event)));
    session.says(poll(1, null), poll(1, null));
    expect(session.hears()).toEqual([event, answered(1, { events: [], cursor: null, nextPollMs: 5 })]);
  });

  it('of an unknown extension repeats its last answer, whatever its position, as the answer names the time of the next poll', () => {
    const watch = (id: number, cursor: string) => request(id, 'acme/watch', { name: 'a', cursor });
    const seen = (id: number, cursor: string) => answered(id, { seen: [], cursor, nextPollMs: 5 });
    const session = play(
      cassette(client(watch(1, 'a')), server(seen(1, 'b')), client(watch(2, 'b')), server(seen(2, 'c'))),
    );
    session.says(watch(5, 'a'), watch(6, 'b'), watch(7, 'c'), watch(8, 'c'));
    expect(session.hears()).toEqual([seen(5, 'b'), seen(6, 'c'), seen(7, 'c'), seen(8, 'c')]);
    expect(session.findings).toEqual([]);
  });
});

it('a subscription to events may be renewed as often as the client likes', () => {
  const subscribe = (id: number, url: string) =>
    request(id, 'events/subscribe', { name: 'incident', delivery: { mode: 'webhook', url, secret: 'whsec_a' } });
  const subscribed = (id: number) => answered(id, { id: 's1', refreshBefore: null, cursor: 'c1', truncated: false });
  const recorded = cassette(
    client(subscribe(1, 'https://a.test')),
    server(subscribed(1)),
    client(subscribe(2, 'https://a.test')),
    server(subscribed(2)),
  );
  const [often, once] = [play(recorded), play(recorded)];
  often.says(subscribe(5, 'https://b.test'), subscribe(6, 'https://b.test'), subscribe(7, 'https://b.test'));
  expect(often.hears()).toEqual([subscribed(5), subscribed(6), subscribed(7)]);
  once.says(subscribe(5, 'https://b.test'));
  once.player.finish();
  expect([...often.findings, ...once.findings]).toEqual([]);
});

describe('a poll for events of a mock client', () => {
  const recorded = cassette(
    client(poll(1, null)),
    server(brings(1, 'c1')),
    client(poll(2, 'c1')),
    server(brings(2, 'c2', incident)),
    client(poll(3, 'c2')),
    server(brings(3, 'c2')),
  );

  it('goes on from the live position, and comes again until the event does', () => {
    const session = playClient(recorded);
    expect(session.hears()).toEqual([poll(1, null)]);
    session.says(brings(1, 'live-1'));
    expect(session.hears()).toEqual([poll(2, 'live-1')]);
    session.says(brings(2, 'live-2'));
    expect(session.hears()).toEqual([]);
    session.clock.advance(50);
    expect(session.hears()).toEqual([{ ...poll(2, 'live-2'), id: 'mcp-record:0' }]);
    session.says({ ...brings(2, 'live-3', incident), id: 'mcp-record:0' });
    expect(session.hears()).toEqual([poll(3, 'live-3')]);
  });
});

describe('a stream of events', () => {
  const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
  const stream = (id: number, cursor: string | null = null) =>
    request(id, 'events/stream', { name: 'incident', cursor });
  const told = (method: string, id: number, params: object) =>
    notification(method, { ...params, _meta: { [SUBSCRIPTION]: id } });
  const recorded = cassette(
    client(stream(1)),
    server(told('events/active', 1, { cursor: 'c1', truncated: false })),
    client(call(2, 'break')),
    server(result(2, 'broken')),
    server(told('events/event', 1, { ...incident, cursor: 'c2' })),
    client(stream(3, 'c2')),
    server(told('events/active', 3, { cursor: 'c2', truncated: false })),
  );

  it('is confirmed at once, and says each event after the call that caused it, with the live id of its request', () => {
    const session = play(recorded);
    session.says(stream(7));
    expect(session.hears()).toEqual([told('events/active', 7, { cursor: 'c1', truncated: false })]);
    session.says(call(8, 'break'));
    session.clock.advance(1);
    expect(session.hears()).toEqual([told('events/event', 7, { ...incident, cursor: 'c2' }), result(8, 'broken')]);
    session.says(stream(9, 'c2'));
    expect(session.hears()).toEqual([told('events/active', 9, { cursor: 'c2', truncated: false })]);
    session.player.finish();
    expect(session.findings).toEqual([]);
  });

  it('is opened again by a mock client at the position of the last live event', () => {
    const session = playClient(recorded);
    expect(session.hears()).toEqual([stream(1), call(2, 'break')]);
    session.says(told('events/active', 1, { cursor: 'live-1' }), result(2, 'broken'));
    session.says(told('events/event', 1, { ...incident, cursor: 'live-2' }));
    expect(session.hears()).toEqual([stream(3, 'live-2')]);
  });

  it('of an unknown extension is known by the ids that its notifications carry', () => {
    const watch = (id: number) => request(id, 'acme/stream', { name: 'a' });
    const session = play(
      cassette(client(watch(1)), client(call(2, 'a')), server(result(2, 'A')), server(told('acme/seen', 1, { n: 1 }))),
    );
    session.says(watch(5));
    expect(session.hears()).toEqual([]);
    session.says(call(6, 'a'));
    session.clock.advance(1);
    expect(session.hears()).toEqual([told('acme/seen', 5, { n: 1 }), result(6, 'A')]);
  });
});

it('a list of skills is asked for again, and one skill too', () => {
  const skill = { uri: 'skill://a/SKILL.md', frontmatter: { name: 'a', description: 'A.' }, resources: 'dynamic' };
  const list = (id: number) => request(id, 'skills/list', {});
  const get = (id: number) => request(id, 'skills/get', { uri: skill.uri });
  const session = play(
    cassette(client(list(1)), server(answered(1, { skills: [skill] })), client(get(2)), server(answered(2, { skill }))),
  );
  session.says(list(5), list(6), get(7), get(8));
  expect(session.hears()).toEqual([
    answered(5, { skills: [skill] }),
    answered(6, { skills: [skill] }),
    answered(7, { skill }),
    answered(8, { skill }),
  ]);
  expect(session.findings).toEqual([]);
});
