import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventMatch } from '../../../src/cassette/cassette.ts';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame, Side } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { call, cassette, client, notification, request, result, server } from '../../support/conversation.ts';
import { fuzzed } from '../../support/fuzz.ts';
import { workOf } from '../../support/work.ts';

/** The entries of a cassette, with their links. */
function linked(events: Parameters<typeof eventsToEntries>[0]) {
  const entries = eventsToEntries(events);
  return { entries, links: correlateEntries(entries) };
}

interface Reading {
  side?: Side;
  ignore?: string[];
}

/** A matcher of a cassette; `happened` holds the positions that have happened live. */
function reading(frames: Frame[], { side = 'client', ignore = [] }: Reading = {}) {
  const happened = new Set<number>();
  const entries = eventsToEntries(cassette(...frames).events);
  const matcher = new RequestMatcher({
    entries,
    links: correlateEntries(entries),
    side,
    ignore,
    happened: (entry) => happened.has(entry),
  });
  const take = (message: unknown) => matcher.take(new JsonText(JSON.stringify(message)))?.entry.index;
  return { matcher, happened, take };
}

const list = (id: number, cursor?: string) => request(id, 'tools/list', cursor === undefined ? {} : { cursor });
const poll = (id: number, taskId: string) => request(id, 'tasks/get', { taskId });
const changed = notification('tools/list_changed');
const log = (data: string) => notification('message', { level: 'info', data });

describe('a call', () => {
  it('is used once, in recorded order, whatever its id', () => {
    const { take } = reading([client(call(1, 'a')), client(call(2, 'b')), client(call(3, 'a'))]);
    expect([take(call(9, 'a')), take(call(9, 'a')), take(call(9, 'a')), take(call(9, 'b'))]).toEqual([
      0,
      2,
      undefined,
      1,
    ]);
  });

  it('stays used up however often it is asked for', () => {
    const { take, matcher } = reading([client(call(1, 'a'))]);
    for (let n = 0; n < 5; n++) take(call(n, 'a'));
    expect(matcher.requests.map(({ uses }) => uses)).toEqual([1]);
  });

  it('is found without what is ignored', () => {
    const { take } = reading([client(call(1, 'a', { now: 1 }))], { ignore: ['/params/arguments/now'] });
    expect(take(call(1, 'a', { now: 2 }))).toBe(0);
  });

  it('of one side is not taken for that of the other', () => {
    const frames = [
      client(request(0, 'tasks/result', { taskId: 't' })),
      server(request(0, 'tasks/result', { taskId: 't' })),
    ];
    const taken = (['client', 'server'] as const).map((side) =>
      reading(frames, { side }).take(request(5, 'tasks/result', { taskId: 't' })),
    );
    expect(taken).toEqual([0, 1]);
  });
});

describe('a call that is made again with the state of its input_required result', () => {
  const [name, inputResponses] = ['book', { sure: { action: 'accept' } }];
  const again = (id: number, params: object) => request(id, 'tools/call', { name, ...params });
  const asksInput = (id: number, requestState: string) =>
    server({ jsonrpc: '2.0', id, result: { resultType: 'input_required', requestState } });
  const frames = [
    client(call(1, name)),
    asksInput(1, 'state 1'),
    client(call(2, name)),
    asksInput(2, 'state 2'),
    client(again(3, { inputResponses, requestState: 'state 1' })),
    client(again(4, { inputResponses, requestState: 'state 2' })),
    client(again(5, { inputResponses })),
  ];

  it('is found by that state', () => {
    const { take } = reading(frames);
    expect(take(again(9, { requestState: 'state 2', inputResponses }))).toBe(5);
    expect(take(again(8, { requestState: 'state 1', inputResponses }))).toBe(4);
    expect(take(again(7, { inputResponses }))).toBe(6);
  });

  it.each([{ requestState: 'garbage' }, { requestState: null }, {}])('is not found with %j instead', (state) => {
    const { take } = reading(frames.slice(0, -1));
    expect(take(again(9, { inputResponses, ...state }))).toBeUndefined();
  });

  it.each(['prompts/get', 'resources/read'])('is not found with another state in %s', (method) => {
    const of = (requestState: string) => request(1, method, { name, uri: 'x://1', requestState });
    const { take } = reading([client(of('a'))]);
    expect([take(of('b')), take(of('a'))]).toEqual([undefined, 0]);
  });
});

describe('a list', () => {
  const frames = [
    client(list(1)),
    server(result(1, 'before')),
    client(call(2, 'change')),
    server(changed),
    server(result(2, 'ok')),
    client(list(3)),
    client(list(4)),
  ];

  it('repeats its answer until what preceded the next one has happened', () => {
    const { take, happened } = reading(frames);
    expect([take(list(7)), take(list(7))]).toEqual([0, 0]);
    happened.add(2);
    expect(take(list(7))).toBe(0);
    happened.add(3);
    expect([take(list(7)), take(list(7)), take(list(7))]).toEqual([5, 6, 6]);
  });

  it('is answered with its first answer though nothing before it has happened', () => {
    expect(reading(frames.slice(2)).take(list(7))).toBe(3);
  });

  it('has an answer for each of its pages', () => {
    const { take } = reading([client(list(1)), client(list(2, 'x')), client(list(3, ''))]);
    expect([take(list(7, '')), take(list(7, 'x')), take(list(7)), take(list(7, 'y'))]).toEqual([2, 1, 0, undefined]);
  });

  it('is not held back by a poll, a ping, or what the other side asks', () => {
    const { take } = reading([
      client(list(1)),
      client(poll(2, 't')),
      client(request(3, 'ping')),
      server(request(0, 'sampling/createMessage')),
      client(list(4)),
    ]);
    expect([take(list(7)), take(list(7))]).toEqual([0, 4]);
  });
});

describe('a poll', () => {
  it('goes through the recorded states of its own task, and stays at the last', () => {
    const { take } = reading([client(poll(1, 's')), client(poll(2, 't')), client(poll(3, 's'))]);
    const asked = ['s', 's', 's', 't', 't'].map((task) => take(poll(7, task)));
    expect(asked).toEqual([0, 2, 2, 1, 1]);
  });

  it('of a long session costs no memory: a million more are the same few entries', () => {
    const { matcher, take } = reading([client(poll(1, 't')), client(poll(2, 't'))]);
    for (let n = 0; n < 1_000; n++) take(poll(n, 't'));
    expect(matcher.requests.map(({ uses }) => uses)).toEqual([1, 999]);
  });
});

describe('what a server tells, by its method alone', () => {
  it('is the next that nothing has taken', () => {
    const { matcher, take } = reading([server(log('a')), server(log('b')), server(log('c'))], {
      side: 'server',
    });
    expect(take(log('b'))).toBe(1);
    const next = () => matcher.takeNext('notifications/message')?.entry.index;
    expect([next(), next(), next()]).toEqual([0, 2, undefined]);
    expect(matcher.takeNext('notifications/other')).toBeUndefined();
  });

  it('is not found again by its content', () => {
    const { matcher, take } = reading([server(log('a')), server(log('a'))], { side: 'server' });
    matcher.takeNext('notifications/message');
    expect([take(log('a')), take(log('a'))]).toEqual([1, undefined]);
  });
});

it('what is asked in its turn is what its identity would find', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, (recorded, asked) => {
      const frames = recorded.map((letter, n) => client(call(n, letter)));
      // Where anything is ignored, all are found by their identities.
      const [inTurn, byKey] = [reading(frames), reading(frames, { ignore: ['/none'] })];
      const takenFrom = ({ take }: typeof inTurn) => asked.map((letter, n) => take(call(n, letter)));
      expect(takenFrom(inTurn)).toEqual(takenFrom(byKey));
    }),
    fuzzed(),
  );
});

it('taking from a book ten times as long is the same work', () => {
  const work = [100, 1_000].map((size) => {
    const { matcher, take } = reading(
      Array.from({ length: size }, (_, n) => server(log(String(n)))),
      { side: 'server' },
    );
    // What is asked out of turn is looked for in an index, which is made then.
    take(log('60'));
    return workOf(() => {
      take(log('50'));
      take(log('50'));
      matcher.takeNext('notifications/message');
    });
  });
  expect(work[1]).toBe(work[0]);
});

describe('an event that says how it is matched', () => {
  const at = (time: number) => call(1, 'now', { time, city: 'Oslo' });
  const matched = (frames: Frame[], match: EventMatch) => {
    const events = cassette(...frames).events.map((event, index) => (index === 0 ? { ...event, match } : event));
    const matcher = new RequestMatcher({ ...linked(events), side: 'client', happened: () => true });
    return (message: unknown) => matcher.take(new JsonText(JSON.stringify(message)))?.entry.index;
  };

  it('leaves out what it names, and the others do not', () => {
    const take = matched([client(at(1)), client(at(2))], { ignore: ['/params/arguments/time'] });
    expect([take(at(2)), take(at(3)), take(at(3))]).toEqual([1, 0, undefined]);
  });

  it('leaves out what its expression matches, each event by its own', () => {
    const asks = (query: string) => call(1, 'ask', { query });
    const events = cassette(client(asks('Oslo on 2026-01-01')), client(asks('Rome at 12:00'))).events;
    const matcher = new RequestMatcher({
      ...linked([
        { ...events[0]!, match: { ignore: ['/\\d{4}-\\d\\d-\\d\\d/'] } },
        { ...events[1]!, match: { ignore: ['/\\d\\d:\\d\\d/'] } },
      ]),
      side: 'client',
      happened: () => true,
    });
    const take = (message: unknown) => matcher.take(new JsonText(JSON.stringify(message)))?.entry.index;
    expect([take(asks('Rome at 2026-02-02')), take(asks('Rome at 13:30')), take(asks('Oslo on 2026-02-02'))]).toEqual([
      undefined,
      1,
      0,
    ]);
  });

  it('still wants all the rest', () => {
    const take = matched([client(at(1))], { ignore: ['/params/arguments/time'] });
    expect(take(call(1, 'now', { city: 'Rome' }))).toBeUndefined();
  });

  it('may serve again and again, or once', () => {
    const again = matched([client(at(1))], { repeat: 'last' });
    expect([again(at(1)), again(at(1)), again(at(1))]).toEqual([0, 0, 0]);
    const once = matched([client(request(1, 'tools/list'))], { repeat: 'once' });
    expect([once(request(1, 'tools/list')), once(request(2, 'tools/list'))]).toEqual([0, undefined]);
    const alone = matched([client(at(1))], { repeat: 'cycle' });
    expect([alone(at(1)), alone(at(1))]).toEqual([0, 0]);
  });

  it.each([
    [
      ['once', 'last'],
      [0, 1, 1, 1],
    ],
    [
      ['once', 'once', 'last'],
      [0, 1, 2, 2],
    ],
    [
      ['last', 'once'],
      [0, 1, 0, 0],
    ],
    [
      ['once', 'cycle', 'cycle'],
      [0, 1, 2, 1],
    ],
    [
      ['cycle', 'once', 'cycle'],
      [0, 1, 2, 0],
    ],
  ] as const)('may be equal to one that says otherwise: %j', (repeats, expected) => {
    const events = cassette(...repeats.map(() => client(at(1)))).events.map((event, index) => {
      return { ...event, match: { repeat: repeats[index]! } };
    });
    const matcher = new RequestMatcher({ ...linked(events), side: 'client', happened: () => true });
    const live = new JsonText(JSON.stringify(at(1)));
    expect(expected.map(() => matcher.take(live)?.entry.index)).toEqual(expected);
  });

  it('goes round with others where the session says so, and others do as their method does', () => {
    const frames = [client(call(1, 'a')), client(call(2, 'a')), client(request(3, 'prompts/get', { name: 'p' }))];
    const { events } = cassette(...frames);
    const repeat = { 'tools/call': 'cycle' } as const;
    const matcher = new RequestMatcher({ ...linked(events), side: 'client', happened: () => false, repeat });
    const take = (message: unknown) => matcher.take(new JsonText(JSON.stringify(message)))?.entry.index;
    expect([take(call(5, 'a')), take(call(6, 'a')), take(call(7, 'a')), take(call(8, 'a'))]).toEqual([0, 1, 0, 1]);
    const prompt = request(9, 'prompts/get', { name: 'p' });
    expect([take(prompt), take(prompt)]).toEqual([2, undefined]);
  });
});
