import { describe, expect, it } from 'vitest';
import {
  capabilityOf,
  cursorKind,
  identityNames,
  identityParams,
  isContinued,
  isDeclared,
  isPoll,
  isRequestMethod,
  isStream,
  repeatOf,
  subjectOf,
} from '../../src/protocol/method-table.ts';

describe('what identifies a request', () => {
  it.each([
    [
      'tools/call',
      { name: 'add', arguments: { a: 1 }, _meta: { progressToken: 1 } },
      { name: 'add', arguments: { a: 1 } },
    ],
    ['tools/call', { name: 'add', arguments: {} }, { name: 'add' }],
    ['tools/call', { name: 'add', task: { ttl: 5 } }, { name: 'add', task: true }],
    [
      'tools/call',
      { name: 'add', inputResponses: { a: 1 }, requestState: 's' },
      { name: 'add', inputResponses: { a: 1 }, requestState: 's' },
    ],
    ['tools/list', { cursor: '' }, { cursor: '' }],
    ['initialize', { protocolVersion: '2025-11-25' }, {}],
    ['ping', undefined, {}],
    ['acme/search', { query: 'x', _meta: { a: 1 } }, { query: 'x' }],
    ['acme/search', undefined, {}],
  ])('%s %j → %j', (method, params, identity) => {
    expect(identityParams(method, params)).toEqual(identity);
  });
});

/** §11, "Method table": by what each is identified, and whether its answer is used once or its last one repeats. */
const TABLE = `
  initialize                 once
  server/discover            last
  ping                       last
  tools/list                 last  cursor
  prompts/list               last  cursor
  resources/list             last  cursor
  resources/templates/list   last  cursor
  tools/call                 once  name arguments task inputResponses requestState
  prompts/get                once  name arguments inputResponses requestState
  resources/read             once  uri inputResponses requestState
  resources/subscribe        once  uri
  resources/unsubscribe      once  uri
  subscriptions/listen       once  notifications
  completion/complete        once  ref argument context
  logging/setLevel           last  level
  roots/list                 last
  elicitation/create         once  mode message requestedSchema
  tasks/get                  last  taskId
  tasks/result               once  taskId
  tasks/cancel               once  taskId
  tasks/update               once  taskId inputResponses
  tasks/list                 last  cursor
  skills/list                last  cursor
  skills/get                 last  uri
  resources/directory/read   last  uri cursor
  events/list                last  cursor
  events/poll                last  name arguments
  events/stream              once  name arguments
  events/subscribe           last  name arguments
  events/unsubscribe         once  name arguments
  notifications/cancelled    once  requestId
`;
const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

describe('§11, "Method table":', () => {
  const names = new Set(ROWS.flatMap(([, , ...params]) => params));
  const all = Object.fromEntries([...names, '_meta', 'other'].map((name) => [name, `any ${name}`]));

  it.each(ROWS.map(([method, repeat, ...params]) => ({ method: method!, repeat, params })))(
    '$method is identified by $params, and answered $repeat',
    ({ method, repeat, params }) => {
      const taken = Object.fromEntries(params.map((name) => [name, name === 'task' ? true : all[name]]));
      expect(identityParams(method, all)).toStrictEqual(taken);
      expect(identityParams(method, { other: 1 })).toStrictEqual({});
      expect(identityNames(method)).toEqual(params);
      expect(repeatOf(method)).toBe(repeat);
      expect(isRequestMethod(method)).toBe(method !== 'notifications/cancelled');
    },
  );

  it('a list of an extension repeats, and is identified by all that it asks', () => {
    expect(repeatOf('acme/list')).toBe('last');
    expect(identityNames('acme/list')).toBeUndefined();
    expect(repeatOf('acme/listing')).toBe('once');
  });

  it.each([{ nextPollMs: 100 }, { ttlMs: 0 }, { nextCursor: 'b' }])(
    'an answer with %j may be asked for again',
    (result) => {
      expect(repeatOf('acme/watch', undefined, result)).toBe('last');
      expect(repeatOf('acme/watch', { 'acme/watch': 'cycle' }, result)).toBe('cycle');
      expect(repeatOf('tools/call', undefined, result)).toBe('once');
    },
  );

  it('names what each needs: the capability of its receiver, in the era of the session', () => {
    expect(capabilityOf('resources/subscribe')).toEqual(['resources', 'subscribe']);
    expect(capabilityOf('tasks/get')).toEqual(['tasks']);
    expect(capabilityOf('tasks/get', { modern: true })).toEqual(['extensions', 'io.modelcontextprotocol/tasks']);
    expect(capabilityOf('resources/directory/read')).toEqual([
      'extensions',
      'io.modelcontextprotocol/skills',
      'directoryRead',
    ]);
    expect(capabilityOf('notifications/events/list_changed')).toEqual([
      'extensions',
      'io.modelcontextprotocol/events',
      'listChanged',
    ]);
    expect(['ping', 'acme/search'].map((method) => capabilityOf(method))).toEqual([undefined, undefined]);
  });

  it('takes Events for declared by the capability of its draft, which servers and clients in the field have', () => {
    const list = capabilityOf('events/list')!;
    const changed = capabilityOf('notifications/events/list_changed')!;
    expect(isDeclared(list, { events: {} })).toBe(true);
    expect(isDeclared(changed, { events: { listChanged: true } })).toBe(true);
    expect(isDeclared(changed, { events: {}, extensions: {} })).toBe(false);
    expect(isDeclared(capabilityOf('skills/list')!, { events: {}, skills: {} })).toBe(false);
  });

  it('knows what stays open, what timers ask, and which answers go on where others ended', () => {
    expect(['subscriptions/listen', 'events/stream', 'events/poll', 'acme/stream'].map(isStream)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['ping', 'tasks/get', 'events/poll', 'tools/list'].map(isPoll)).toEqual([true, true, true, false]);
    expect(isContinued('skills/list', { cursor: '' })).toBe(true);
    expect(isContinued('skills/list', {})).toBe(false);
    expect(isContinued('events/poll', { cursor: 'c1' })).toBe(true);
    expect(isContinued('events/poll', { cursor: null })).toBe(false);
    expect(isContinued('tools/call', { cursor: 'c1' })).toBe(false);
    expect(cursorKind('events/poll')).toBe(cursorKind('events/stream'));
    expect(cursorKind('tools/list')).not.toBe(cursorKind('skills/list'));
  });

  it('a method that it does not have is used once, and no request that the protocol knows', () => {
    expect(repeatOf('acme/search')).toBe('once');
    expect(identityNames('acme/search')).toBeUndefined();
    expect(['acme/search', 'notifications/progress'].map(isRequestMethod)).toEqual([false, false]);
  });
});

it('names what a request is about', () => {
  expect(subjectOf('tools/call', { name: 'add' })).toBe('tools/call "add"');
  expect(subjectOf('resources/read', { uri: 'demo://x' })).toBe('resources/read "demo://x"');
  expect(subjectOf('tasks/get', { taskId: 't1' })).toBe('tasks/get "t1"');
  expect(subjectOf('ping', undefined)).toBe('ping');
  expect(subjectOf('acme/odd', { name: 7 })).toBe('acme/odd');
});
