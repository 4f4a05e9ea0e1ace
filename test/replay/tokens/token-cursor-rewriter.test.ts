import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type MessageEntry } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { META } from '../../../src/protocol/meta.ts';
import { ReturnedValueRewriter, returnedValues } from '../../../src/replay/tokens/returned-values.ts';
import { NO_BINDINGS, TokenRewriter } from '../../../src/replay/tokens/token-cursor-rewriter.ts';
import type { TokenRule } from '../../../src/replay/tokens/token-locations.ts';
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
} from '../../support/conversation.ts';
import { jsonText } from '../../support/json.ts';

const text = (value: unknown) => new JsonText(JSON.stringify(value));

function rebinding(handles: TokenRule[], ...frames: Frame[]) {
  const entries = eventsToEntries(cassette(...frames).events) as MessageEntry[];
  return { entries, rebinder: new TokenRewriter({ entries, links: correlateEntries(entries) }, handles) };
}

describe('a lane', () => {
  const related = { _meta: { [META.relatedTask]: { taskId: '1' } } };
  const { entries, rebinder } = rebinding(
    [],
    client(call(1, 'a', {}, 1)),
    server(progress(1, 0.5)),
    server(cancel(1)),
    server(request(1, 'elicitation/create', { requestId: 1, id: 1, ...related })),
    server('{"result":{"id":1,"progressToken":1,"text":"1"}, "id" : 1 ,"jsonrpc":"2.0"}'),
  );
  const [asked, reports, withdraws, asks, answers] = entries;

  it('has the live id and token at their places, and what looks the same elsewhere stays', () => {
    const sequence = rebinder.bind(asked!.json, text(call('live', 'a', {}, 'tok')));
    expect(JSON.parse(rebinder.apply(reports!, sequence)!)).toEqual(progress('tok', 0.5));
    expect(rebinder.apply(answers!, sequence)).toBe(
      '{"result":{"id":1,"progressToken":1,"text":"1"}, "id" : "live" ,"jsonrpc":"2.0"}',
    );
    expect([withdraws!, asks!].map((entry) => rebinder.apply(entry, sequence))).toEqual(
      [withdraws!, asks!].map(({ json }) => json.text),
    );
  });

  it('says nothing that repeats a token which the live peer did not mint', () => {
    const sequence = rebinder.bind(asked!.json, text(call(2, 'a')));
    expect(rebinder.apply(reports!, sequence)).toBeUndefined();
    expect(rebinder.apply(answers!, sequence)).toContain('"id" : 2 ,');
  });

  it('is not touched by another lane, or another session', () => {
    const [first, second] = [5, 6].map((id) => rebinder.bind(asked!.json, text(call(id, 'a', {}, id))));
    expect([first, second].map((sequence) => JSON.parse(rebinder.apply(reports!, sequence!)!))).toEqual([
      progress(5, 0.5),
      progress(6, 0.5),
    ]);
    const other = new TokenRewriter({ entries, links: correlateEntries(entries) });
    expect(other.apply(answers!, NO_BINDINGS)).toBe(answers!.json.text);
  });
});

it('every other byte of a message stays, whatever is in it', () => {
  fc.assert(
    fc.property(jsonText({ repeats: true }), fc.oneof(fc.integer(), fc.string()), (body, id) => {
      const spelt = (token: string) => `{ "result" :${body},\n"id":${token} }`;
      const { entries, rebinder } = rebinding([], client(call(1, 'a')), server(spelt('1')));
      const sequence = rebinder.bind(entries[0]!.json, text(call(id, 'a')));
      expect(rebinder.apply(entries[1]!, sequence)).toBe(spelt(JSON.stringify(id)));
    }),
  );
});

it('a message stays JSON, whatever places rules name together', () => {
  const pointer = fc.constantFrom(
    '/id',
    '/params/cursor',
    ...['', '/a', '/*', '/b', '/b/0', '/b/*'].map((end) => `/params/arguments${end}`),
  );
  const rule = fc.record({ capture: fc.constantFrom('/result/x', '/result/y', '/result/*', '/result'), use: pointer });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), (handles) => {
      const asked = request(2, 'tools/call', { name: 'a', cursor: 'x1', arguments: { a: 'x1', b: ['y1', 'x1'] } });
      const { entries, rebinder } = rebinding(
        handles,
        client(call(1, 'a')),
        server({ jsonrpc: '2.0', id: 1, result: { x: 'x1', y: 'y1' } }),
        client(asked),
      );
      rebinder.learn(entries[1]!, text({ jsonrpc: '2.0', id: 1, result: { x: 'x2', y: 'y2' } }));
      const sent = JSON.parse(rebinder.apply(entries[2]!, NO_BINDINGS)!);
      const isKnown = (value: unknown) => ['x1', 'x2', 'y1', 'y2'].includes(value as string);
      expect([sent.params.arguments.a, ...sent.params.arguments.b].every(isKnown)).toBe(true);
    }),
  );
});

it('the last of a repeated id is the one that counts, as for a parser', () => {
  const { entries, rebinder } = rebinding([], client(call(2, 'a')), server('{"id":1,"result":{},"id":2}'));
  const sequence = rebinder.bind(entries[0]!.json, text(call('live', 'a')));
  expect(rebinder.apply(entries[1]!, sequence)).toBe('{"id":1,"result":{},"id":"live"}');
});

describe('a subscription (§7, "subscriptions/listen")', () => {
  const listen = (id: number) => request(id, 'subscriptions/listen', { notifications: {} });

  it('has its live id in its messages, in the cancel that ends it, and in its response', () => {
    const ended = (id: number | string) => ({ id, result: { _meta: { [META.subscriptionId]: id } } });
    const told = (id: number | string) => notification('x', { _meta: { [META.subscriptionId]: id } });
    const { entries, rebinder } = rebinding(
      [],
      client(listen(1)),
      server(told(1)),
      server(cancel(1)),
      server(ended(1)),
    );
    const sequence = rebinder.bind(entries[0]!.json, text(request('L', 'subscriptions/listen')));
    expect(entries.slice(1).map((entry) => JSON.parse(rebinder.apply(entry, sequence)!))).toEqual([
      told('L'),
      cancel('L'),
      ended('L'),
    ]);
  });
});

describe('what a response minted', () => {
  const answer = (id: number, fields: object) => ({ jsonrpc: '2.0', id, result: fields });

  it('is used from then on: cursors, each by its own list though they look alike', () => {
    const { entries, rebinder } = rebinding(
      [],
      client(request(0, 'tools/list')),
      client(request(1, 'prompts/list')),
      server(answer(0, { nextCursor: '1' })),
      server(answer(1, { nextCursor: '1' })),
      client(request(2, 'tools/list', { cursor: '1' })),
      client(request(3, 'prompts/list', { cursor: '1' })),
    );
    expect(rebinder.apply(entries[4]!, NO_BINDINGS)).toBe(entries[4]!.json.text);
    rebinder.learn(entries[2]!, text(answer(0, { nextCursor: 'T' })));
    rebinder.learn(entries[3]!, text(answer(1, { nextCursor: 'P' })));
    expect([4, 5].map((index) => JSON.parse(rebinder.apply(entries[index]!, NO_BINDINGS)!).params.cursor)).toEqual([
      'T',
      'P',
    ]);
  });

  it('and does not mint live cannot be said', () => {
    const { entries, rebinder } = rebinding(
      [],
      client(request(0, 'tools/list')),
      server(answer(0, { nextCursor: '1' })),
      client(request(1, 'tools/list', { cursor: '1' })),
    );
    rebinder.learn(entries[1]!, text(answer(0, {})));
    expect(rebinder.apply(entries[2]!, NO_BINDINGS)).toBeUndefined();
  });

  it('is told from what looks alike and was minted in the other direction: tasks', () => {
    const task = (taskId: string) => ({ task: { taskId, status: 'working' } });
    const done = { _meta: { [META.relatedTask]: { taskId: 't1' } } };
    const { entries, rebinder } = rebinding(
      [],
      server(request(0, 'sampling/createMessage', { task: {} })),
      client(answer(0, task('t1'))),
      server(request(1, 'tasks/result', { taskId: 't1' })),
      client(request(0, 'tools/call', { name: 'slow', task: {} })),
      server(answer(0, task('t1'))),
      client(request(1, 'tasks/result', { taskId: 't1' })),
      server(answer(1, done)),
      server(notification('tasks/status', { taskId: 't1' })),
      server(request(2, 'elicitation/create', done)),
    );
    rebinder.learn(entries[1]!, text(answer(0, task('live'))));
    const said = (index: number) => JSON.parse(rebinder.apply(entries[index]!, NO_BINDINGS)!);
    expect(said(2).params).toEqual({ taskId: 'live' });
    for (const index of [4, 6, 7, 8]) expect(said(index)).toEqual(entries[index]!.json.value);
  });

  it('is what the user says it is, by pointers', () => {
    const handle = { capture: '/result/basket', use: '/params/arguments/basket' };
    const { entries, rebinder } = rebinding(
      [handle],
      client(call(0, 'open')),
      server(answer(0, { basket: 7 })),
      client(call(1, 'fill', { basket: 7, other: 7 })),
    );
    rebinder.learn(entries[1]!, text(answer(0, { basket: 'b-1' })));
    expect(JSON.parse(rebinder.apply(entries[2]!, NO_BINDINGS)!)).toEqual(call(1, 'fill', { basket: 'b-1', other: 7 }));
  });

  it('is what stands at the place that the user names, though another place of the answer has another value', () => {
    const entries = eventsToEntries(
      cassette(
        client(call(0, 'open')),
        server(answer(0, { first: 'ord_8f3a', second: 'ord_8f3a' })),
        client(call(1, 'fill', { order: 'ord_8f3a', other: 'ord_8f3a' })),
      ).events,
    ) as MessageEntry[];
    const links = correlateEntries(entries);
    const handle = { capture: '/result/second', use: '/params/arguments/order' };
    const returned = new ReturnedValueRewriter(returnedValues(entries, links));
    const rebinder = new TokenRewriter({ entries, links }, [handle], returned);
    rebinder.learn(entries[1]!, text(answer(0, { first: 'ord_1111', second: 'ord_2222' })));
    const sent = JSON.parse(rebinder.apply(entries[2]!, NO_BINDINGS)!);
    expect(sent).toEqual(call(1, 'fill', { order: 'ord_2222', other: 'ord_1111' }));
  });

  it('is nothing where the response answers nothing', () => {
    const { entries, rebinder } = rebinding([], server(answer(9, { nextCursor: '1' })));
    expect(() => rebinder.learn(entries[0]!, text(result(9, 'x')))).not.toThrow();
  });
});
