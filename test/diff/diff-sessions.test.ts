import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import {
  call,
  callOn,
  cancel,
  client,
  exits,
  leaves,
  notification,
  progress,
  request,
  result,
  server,
  stderr,
} from '../support/conversation.ts';
import { a, b, list, tools } from './cassettes.ts';

describe('with a factor', () => {
  const took = (time: number) => [client(call(1, 'add')), server(result(1, '2'), time)] as const;

  it('an answer that took longer differs, and one that did not is the same', () => {
    expect(diffSessions(a(...took(300)), b(...took(700)), []).entries).toEqual([]);
    expect(diffSessions(a(...took(300)), b(...took(600)), [], 2).entries).toEqual([]);
    const [entry, ...others] = diffSessions(a(...took(300)), b(...took(700)), [], 2).entries;
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ kind: 'changed', headline: 'slower: took 700 ms, and 300 ms before' });
    expect(entry).not.toHaveProperty('before');
  });

  it('notes say what becomes slower without a difference, and what rounding may have made one', () => {
    const notes = (before: number, after: number, factor?: number) =>
      diffSessions(a(...took(before)), b(...took(after)), [], factor).notes;
    expect(notes(16, 180)).toEqual([]);
    expect(notes(16, 180, 2)).toEqual([
      'No recorded answer took more than 100 ms, so that none below 200 ms fails as slower. mcp-record verify --max-time limits all answers; mcp-record load compares shorter times of two versions.',
    ]);
    const byRounding = expect.stringMatching(
      /b\.yaml are rounded: tools\/call "add" has 200 ms, may have taken 150 ms/,
    );
    expect(notes(50, 200, 1.5)).toContainEqual(byRounding);
    expect(notes(50, 203, 1.5)).not.toContainEqual(expect.stringContaining('b.yaml are rounded'));
    expect(notes(50, 300, 1.5)).not.toContainEqual(expect.stringContaining('b.yaml are rounded'));
  });

  it('the pages of a list count together, and polls do not', () => {
    const one = a(client(list(1)), server(tools(1, ['x', 'y']), 300));
    const other = b(
      client(list(1)),
      server(tools(1, ['x'], 'c'), 400),
      client(list(2, 'c'), 400),
      server(tools(2, ['y']), 800),
    );
    expect(diffSessions(one, other, [], 2).entries).toMatchObject([
      { headline: 'slower: took 800 ms, and 300 ms before' },
    ]);
    const polls = (time: number) => [client(request(1, 'ping')), server({ id: 1, result: {} }, time)] as const;
    expect(diffSessions(a(...polls(10)), b(...polls(9000)), [], 2).entries).toEqual([]);
  });
});

describe('two sessions are the same', () => {
  it('under other ids, tokens and times', () => {
    const one = a(client(call(1, 'add', { x: 1 }, 'p')), server(progress('p', 1)), server(result(1, '2'), 400));
    const other = b(client(call('q', 'add', { x: 1 }, 7)), server(progress(7, 3)), server(result('q', '2')));
    expect(diffSessions(one, other)).toMatchObject({ entries: [], same: 1 });
  });

  it('where what overlapped overlaps otherwise', () => {
    const one = a(client(call(1, 'x')), client(call(2, 'y')), server(result(2, 'b')), server(result(1, 'a')));
    const other = b(client(call(1, 'y')), client(call(2, 'x')), server(result(1, 'b')), server(result(2, 'a')));
    expect(diffSessions(one, other)).toMatchObject({ entries: [], same: 2 });
  });

  it('where a list comes in other pages, under other cursors', () => {
    const one = a(client(list(1)), server(tools(1, ['x', 'y'])));
    const other = b(client(list(1)), server(tools(1, ['x'], 'c')), client(list(2, 'c')), server(tools(2, ['y'])));
    expect(diffSessions(one, other).entries).toEqual([]);
  });

  it('where the server calls its tasks otherwise, and is asked for them more often', () => {
    const run = (taskId: string, polls: number) => [
      client(call(1, 'slow')),
      server({ id: 1, result: { task: { taskId, status: 'working' } } }),
      ...Array.from({ length: polls }, (_, n) => [
        client(request(10 + n, 'tasks/get', { taskId })),
        server({ id: 10 + n, result: { taskId, status: n + 1 < polls ? 'working' : 'completed' } }),
      ]).flat(),
      client(request(2, 'tasks/result', { taskId })),
      server(result(2, 'done')),
    ];
    expect(diffSessions(a(...run('t-1', 2)), b(...run('8f3a', 4))).entries).toEqual([]);
  });

  it('whatever the server writes to standard error', () => {
    expect(diffSessions(a(stderr('one')), b(stderr('two'))).entries).toEqual([]);
  });

  it('where what differs is ignored', () => {
    const session = (text: string) => [client(call(1, 'now')), server(result(1, text))];
    expect(diffSessions(a(...session('12:00')), b(...session('13:00')), ['/result/text']).entries).toEqual([]);
  });
});

describe('two sessions differ', () => {
  it('in an answer', () => {
    const one = a(client(call(1, 'add')), server(result(1, '2')));
    const other = b(client(call(1, 'add')), server(result(1, '3')));
    expect(diffSessions(one, other)).toMatchObject({
      same: 0,
      entries: [{ kind: 'changed', title: 'tools/call "add"', a: 1, b: 1, headline: '/result/text ("2" → "3")' }],
    });
  });

  it('in what the server promises, judged by what callers rely on', () => {
    const one = a(client(list(1)), server(tools(1, ['add', 'sub'])));
    const other = b(client(list(1)), server(tools(1, ['add'])));
    const [entry] = diffSessions(one, other).entries;
    expect(entry).toMatchObject({
      headline: 'breaking: tool "sub" was removed',
      changes: [{ severity: 'breaking' }],
    });
  });

  it('in what is asked: the nearest call of that tool stands beside it', () => {
    const ask = (id: number, args: Record<string, number>) => [client(call(id, 'add', args)), server(result(id, '0'))];
    const one = a(...ask(1, { x: 1, y: 1 }), ...ask(2, { x: 5, y: 5 }));
    const other = b(...ask(1, { x: 5, y: 6 }), ...ask(2, { x: 1, y: 1 }));
    const changed = diffSessions(one, other).entries.filter(({ kind }) => kind === 'changed');
    expect(changed).toMatchObject([{ a: 3, b: 1, headline: 'asks otherwise: /params/arguments/y (5 → 6)' }]);
  });

  it('in calls that are gone, or new', () => {
    const one = a(client(call(1, 'old')), server(result(1, '')));
    const other = b(client(call(1, 'new')), server(result(1, '')));
    expect(diffSessions(one, other).entries).toMatchObject([
      { kind: 'gone', title: 'tools/call "old"', a: 1 },
      { kind: 'new', title: 'tools/call "new"', b: 1 },
    ]);
  });

  it('in their order, where one call ended before the other began', () => {
    const ask = (id: number, tool: string) => [client(call(id, tool)), server(result(id, ''))];
    const one = a(...ask(1, 'open'), ...ask(2, 'read'), ...ask(3, 'close'));
    const other = b(...ask(1, 'close'), ...ask(2, 'open'), ...ask(3, 'read'));
    expect(diffSessions(one, other).entries).toMatchObject([
      { kind: 'moved', title: 'tools/call "close"', headline: 'now comes before tools/call "open" (line 3)' },
    ]);
  });

  it('in what came of a request', () => {
    const answered = [client(call(1, 'slow')), server(result(1, ''))];
    const cancelled = [client(call(1, 'slow')), client(cancel(1))];
    const headlines = (one: typeof answered, other: typeof answered) =>
      diffSessions(a(...one), b(...other)).entries.map(({ headline }) => headline);
    expect(headlines(answered, cancelled)).toEqual(['answered → cancelled']);
    expect(headlines(cancelled, answered.slice(0, 1))).toEqual(['cancelled → never answered']);
    const left = [callOn(1, 1, 'slow'), leaves(1)];
    expect(headlines([left[0]!, { ...server(result(1, '')), stream: 1 }], left)).toEqual(['answered → cancelled']);
    expect(headlines(left, left.slice(0, 1))).toEqual(['cancelled → never answered']);
    expect(headlines(left, [left[0]!, client(cancel(1))])).toEqual([]);
    const reported = [client(call(1, 'slow', {}, 't')), server(progress('t', 1)), server(result(1, ''))];
    expect(headlines(reported, answered)).toEqual(['1 → 0 reports of progress']);
  });

  it('in notifications, junk and the end of the process', () => {
    const one = a(server(notification('message', { level: 'info', data: 'up' })), exits(0));
    const other = b(
      server(notification('message', { level: 'error', data: 'up' })),
      { kind: 'line', at: 0, from: 'server', on: 'protocol', data: 'listening' },
      exits('SIGKILL'),
    );
    expect(diffSessions(one, other).entries).toMatchObject([
      { kind: 'changed', title: 'notifications/message', headline: '/params/level ("info" → "error")' },
      { kind: 'new', headline: 'server: listening', b: 2 },
      { title: 'exit of the server', headline: '0 → SIGKILL' },
    ]);
  });

  it('in a status of HTTP that came instead of an answer', () => {
    const asked = { ...client(call(1, 'add')), stream: 1 };
    const refused = {
      kind: 'http-response' as const,
      at: 0,
      from: 'server' as const,
      stream: 1,
      status: 404,
      body: 'gone',
    };
    const one = a(asked, { ...server(result(1, '')), stream: 1 });
    expect(diffSessions(one, b(asked, refused)).entries).toMatchObject([
      { headline: 'answered → refused with HTTP 404 gone' },
    ]);
  });
});

it('says where the transports differ, which is no difference', () => {
  const over = (transport: 'stdio' | 'http') => ({
    ...a(),
    header: { format: 'mcp-record/1' as const, transport },
  });
  expect(diffSessions(over('stdio'), over('http'))).toMatchObject({
    entries: [],
    notes: ['The one was recorded over stdio, the other over http.'],
  });
});

describe('every session that there is', () => {
  const folder = join(import.meta.dirname, '..', '..', 'cassettes');
  it.each(readdirSync(folder))('%s is the same as itself, and other than nothing', (file) => {
    const cassette = loadCassette(join(folder, file));
    expect(diffSessions(cassette, cassette).entries).toEqual([]);
    const { same } = diffSessions(cassette, cassette);
    expect(diffSessions(cassette, b()).entries.filter(({ kind }) => kind === 'gone').length).toBeGreaterThanOrEqual(
      same,
    );
  });
});

it('a call that is made again with the state that its server chose is the same with another state', () => {
  const session = (requestState: string, action = 'accept') => [
    client(call(1, 'book')),
    server({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', requestState } }),
    client(request(2, 'tools/call', { name: 'book', requestState, inputResponses: { sure: { action } } })),
    server(result(2, 'booked')),
  ];
  expect(diffSessions(a(...session('s1')), b(...session('s2')), []).entries).toEqual([]);
  expect(diffSessions(a(...session('s1')), b(...session('s2', 'decline')), []).entries).toHaveLength(1);
});
