import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { FollowUps, isEndlessList, repeatPollOrPage } from '../../../src/replay/player/send-extra-polls-and-pages.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const answer = (fields: object) => ({ jsonrpc: '2.0', id: 0, result: fields });

/** What is asked after the live answer to the first request of a cassette. */
function after(live: object, ...frames: Frame[]) {
  const entries = eventsToEntries(cassette(...frames).events);
  const [asked, recorded] = entries;
  return repeatPollOrPage({
    request: asked!,
    recorded: recorded!,
    live: new JsonText(JSON.stringify(live)),
    entries,
  });
}

describe('a task that is not yet where it was in the cassette', () => {
  const poll = (id: number, taskId = 't') => client(request(id, 'tasks/get', { taskId }));
  const done = server(answer({ status: 'completed' }));

  it('is polled again, as often as its server says', () => {
    expect(after(answer({ status: 'working', pollInterval: 50 }), poll(0), done)).toEqual({
      params: {},
      delay: 50,
    });
    expect(after(answer({ status: 'working', pollIntervalMs: 70 }), poll(0), done)?.delay).toBe(70);
    expect(after(answer({ status: 'working' }), poll(0), done)?.delay).toBe(200);
    expect(after(answer({ status: 'working', pollInterval: 'soon' }), poll(0), done)?.delay).toBe(200);
  });

  it.each(['completed', 'failed', 'cancelled'])('is not polled again once it is %s', (status) => {
    expect(after(answer({ status }), poll(0), done)).toBeUndefined();
  });

  it('is not polled again where it is as in the cassette, or where the cassette polls on', () => {
    const working = server(answer({ status: 'working' }));
    expect(after(answer({ status: 'working' }), poll(0), working)).toBeUndefined();
    expect(after(answer({ status: 'working' }), poll(0), done, poll(1))).toBeUndefined();
    expect(after(answer({ status: 'working' }), poll(0), done, poll(1, 'other'))).toBeDefined();
  });

  it('is not polled again after an error', () => {
    expect(after({ id: 0, error: { code: -32602, message: 'no task' } }, poll(0), done)).toBeUndefined();
  });
});

describe('a list with more pages than in the cassette', () => {
  const list = client(request(0, 'tools/list'));
  const last = server(answer({ tools: [] }));

  it('is turned, also to an empty cursor', () => {
    expect(after(answer({ nextCursor: 'x' }), list, last)).toEqual({ params: { cursor: 'x' }, delay: 0 });
    expect(after(answer({ nextCursor: '' }), list, last)).toEqual({ params: { cursor: '' }, delay: 0 });
  });

  it('is not turned at its end, nor where the cassette turns it itself', () => {
    expect(after(answer({ tools: [] }), list, last)).toBeUndefined();
    expect(after(answer({ nextCursor: 'x' }), list, server(answer({ nextCursor: 'y' })))).toBeUndefined();
  });
});

describe('a list that does not end', () => {
  const pages = (count: number, page: (index: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_, at) => page(at));

  it('has a cursor that came before, or ten pages in a row that did', () => {
    expect(
      isEndlessList([
        { tools: [1], nextCursor: 'a' },
        { tools: [2], nextCursor: 'a' },
      ]),
    ).toBe(true);
    const cursor = (nextCursor: number) => ({ nextCursor: `c${nextCursor}` });
    expect(isEndlessList(pages(11, (at) => ({ tools: [], ...cursor(at) })))).toBe(true);
    expect(isEndlessList(pages(10, (at) => ({ tools: [], ...cursor(at) })))).toBe(false);
    expect(isEndlessList(pages(12, (at) => ({ tools: [at % 2], ...cursor(at) })))).toBe(true);
    expect(isEndlessList(pages(50, (at) => ({ tools: [at], ...cursor(at) })))).toBe(false);
    expect(isEndlessList([...pages(20, (at) => ({ tools: [], ...cursor(at) })), { tools: [] }])).toBe(false);
  });

  it('is turned no further', () => {
    const list = client(request(0, 'tools/list'));
    const entries = eventsToEntries(cassette(list, server(answer({ tools: [] }))).events);
    const followUps = new FollowUps();
    const next = (nextCursor: string) => {
      const live = new JsonText(JSON.stringify(answer({ tools: [], nextCursor })));
      return followUps.next({ request: entries[0]!, recorded: entries[1]!, live, entries })?.params;
    };
    expect([next('a'), next('b'), next('a')]).toEqual([{ cursor: 'a' }, { cursor: 'b' }, undefined]);
    expect([followUps.id(), followUps.id()]).toEqual(['mcp-record:0', 'mcp-record:1']);
  });
});

it('after any other answer nothing is asked', () => {
  expect(after(result(0, 'A'), client(call(0, 'a')), server(result(0, 'A')))).toBeUndefined();
  expect(after(result(0, 'A'), server(result(0, 'A')), client(call(0, 'a')))).toBeUndefined();
});
