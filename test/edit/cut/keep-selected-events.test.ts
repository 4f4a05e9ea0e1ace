import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { type CutOptions, keepSelectedEvents } from '../../../src/edit/cut/keep-selected-events.ts';

/** A cassette of which each event is a line, and the comment at its end its name. */
function cassetteOf(events: readonly string[], transport = 'http'): string {
  return ['format: mcp-record/1', `transport: ${transport}`, 'events:', ...events, ''].join('\n');
}

const named = (text: string) => [...text.matchAll(/ # (.*)$/gm)].map(([, name]) => name);

/** The names of the events that are left. */
function cut(events: readonly string[], selection: CutOptions['selection'], drop = false, transport = 'http') {
  return named(keepSelectedEvents(cassetteOf(events, transport), 'session.yaml', { selection, drop }).text);
}

const HANDSHAKE = [
  '- client: { id: 0, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: {}, clientInfo: { name: c, version: 1 } } } # initialize',
  '- server: { id: 0, result: { protocolVersion: 2025-11-25, capabilities: {}, serverInfo: { name: s, version: 1 } } } # opened',
  '- client: { method: notifications/initialized } # initialized',
];
const OPENED = ['initialize', 'opened', 'initialized'];

const call = (id: number, tool: string, name: string, more = '') =>
  `- client: { id: ${id}, method: tools/call, params: { name: ${tool}, ${more} } } # ${name}`;
const answer = (id: number, name: string, more = 'content: []') =>
  `- server: { id: ${id}, result: { ${more} } } # ${name}`;

/** Over stdio. */
const onPipe = (events: readonly string[], selection: CutOptions['selection'], drop = false) =>
  cut([...HANDSHAKE, ...events], selection, drop, 'stdio');

describe('what comes along over stdio', () => {
  it('is the handshake, the answer to a kept call, and nothing of other calls', () => {
    const events = [call(1, 'add', 'add'), answer(1, 'three'), call(2, 'echo', 'echo'), answer(2, 'hello')];
    expect(onPipe(events, { tools: ['echo'] })).toEqual([...OPENED, 'echo', 'hello']);
    expect(onPipe(events, { tools: ['echo'] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is the list of tools beside the calls of a tool, with all its pages, since a client may ask for it first', () => {
    const list = (id: number, name: string, params = '{}') =>
      `- client: { id: ${id}, method: tools/list, params: ${params} } # ${name}`;
    const events = [
      list(1, 'list'),
      answer(1, 'page 1', 'tools: [], nextCursor: more'),
      list(2, 'rest', '{ cursor: more }'),
      answer(2, 'page 2', 'tools: []'),
      '- client: { id: 3, method: prompts/list } # prompts',
      answer(3, 'no prompts', 'prompts: []'),
      ...[call(4, 'add', 'add'), answer(4, 'three'), call(5, 'echo', 'echo'), answer(5, 'hello')],
    ];
    const lists = ['list', 'page 1', 'rest', 'page 2'];
    expect(onPipe(events, { tools: ['echo'] })).toEqual([...OPENED, ...lists, 'echo', 'hello']);
    expect(onPipe(events, { tools: ['echo'], methods: ['tools/call'] })).toEqual([...OPENED, 'echo', 'hello']);
    expect(onPipe(events, { methods: ['tools/call'] })).toEqual([...OPENED, 'add', 'three', 'echo', 'hello']);
    expect(onPipe(events, { tools: ['echo'] }, true)).toEqual([
      ...OPENED,
      ...lists,
      'prompts',
      'no prompts',
      'add',
      'three',
    ]);
  });

  it('is the call of a kept answer', () => {
    const events = [call(1, 'add', 'add'), call(2, 'echo', 'echo'), answer(2, 'hello'), answer(1, 'three')];
    expect(onPipe(events, { lines: [{ first: 9, last: 9 }] })).toEqual([...OPENED, 'echo', 'hello']);
    expect(onPipe(events, { lines: [{ first: 9, last: 9 }] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is the progress of a kept call, which goes with it, and can be dropped by itself', () => {
    const progress = (token: number, name: string) =>
      `- server: { method: notifications/progress, params: { progressToken: ${token}, progress: 1 } } # ${name}`;
    const events = [
      call(1, 'add', 'add', '_meta: { progressToken: 1 }'),
      call(2, 'echo', 'echo', '_meta: { progressToken: 2 }'),
      progress(1, 'adding'),
      progress(2, 'echoing'),
      answer(1, 'three'),
      answer(2, 'hello'),
    ];
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'adding', 'three']);
    expect(onPipe(events, { tools: ['add'] }, true)).toEqual([...OPENED, 'echo', 'echoing', 'hello']);
    expect(onPipe(events, { methods: ['notifications/progress'] }, true)).toEqual([
      ...OPENED,
      'add',
      'echo',
      'three',
      'hello',
    ]);
  });

  it('is the cancel of a kept call, without which it would wait for ever', () => {
    const cancel = (id: number, name: string) =>
      `- client: { method: notifications/cancelled, params: { requestId: ${id} } } # ${name}`;
    const events = [call(1, 'add', 'add'), call(2, 'echo', 'echo'), cancel(2, 'give up'), answer(1, 'three')];
    expect(onPipe(events, { tools: ['echo'] })).toEqual([...OPENED, 'echo', 'give up']);
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'three']);
    expect(onPipe(events, { methods: ['notifications/cancelled'] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is a cancel that came too late, which can be dropped by itself', () => {
    const late = '- client: { method: notifications/cancelled, params: { requestId: 1 } } # too late';
    const events = [call(1, 'add', 'add'), answer(1, 'three'), late, call(2, 'echo', 'echo'), answer(2, 'hello')];
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'three', 'too late']);
    expect(onPipe(events, { tools: ['add'] }, true)).toEqual([...OPENED, 'echo', 'hello']);
    expect(onPipe(events, { methods: ['notifications/cancelled'] }, true)).toEqual([
      ...OPENED,
      ...['add', 'three', 'echo', 'hello'],
    ]);
  });

  it('is what the server logged and wrote to standard error meanwhile', () => {
    const log = (name: string) =>
      `- server: { method: notifications/message, params: { level: info, data: x } } # ${name}`;
    const events = [
      call(1, 'add', 'add'),
      log('adds'),
      '- stderr: adding # on stderr',
      answer(1, 'three'),
      call(2, 'echo', 'echo'),
      log('echoes'),
      answer(2, 'hello'),
    ];
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'adds', 'on stderr', 'three']);
    expect(onPipe(events, { tools: ['add'] }, true)).toEqual([...OPENED, 'echo', 'echoes', 'hello']);
    expect(onPipe(events, { methods: ['notifications/message'] }, true)).toEqual([
      ...OPENED,
      'add',
      'on stderr',
      'three',
      'echo',
      'hello',
    ]);
  });

  it('is what the server asked during a kept call, with the progress and the answer of the client', () => {
    const events = [
      call(1, 'add', 'add'),
      answer(1, 'three'),
      call(2, 'ask', 'ask'),
      '- server: { id: 7, method: sampling/createMessage, params: { messages: [], maxTokens: 1, _meta: { progressToken: p } } } # sample',
      '- client: { method: notifications/progress, params: { progressToken: p, progress: 1 } } # sampling',
      '- client: { id: 7, result: { role: assistant, model: m, content: { type: text, text: x } } } # sampled',
      answer(2, 'done'),
    ];
    const asking = [...OPENED, 'ask', 'sample', 'sampling', 'sampled', 'done'];
    expect(onPipe(events, { tools: ['ask'] })).toEqual(asking);
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'three']);
    expect(onPipe(events, { methods: ['sampling/createMessage'] })).toEqual(asking);
    expect(onPipe(events, { methods: ['sampling/createMessage'] }, true)).toEqual([
      ...OPENED,
      ...['add', 'three', 'ask', 'done'],
    ]);
  });

  it('is the call that made a task, for all that asks for the task', () => {
    const task = 'task: { taskId: t1, status: working, createdAt: x, lastUpdatedAt: x, ttl: 1 }';
    const events = [
      call(1, 'add', 'add'),
      answer(1, 'three'),
      call(2, 'slow', 'slow', 'task: {}'),
      answer(2, 'task made', task),
      '- client: { id: 3, method: tasks/get, params: { taskId: t1 } } # poll',
      answer(3, 'polled', 'taskId: t1, status: completed'),
      '- server: { method: notifications/tasks/status, params: { taskId: t1, status: completed } } # status',
      '- client: { id: 4, method: tasks/result, params: { taskId: t1 } } # fetch',
      answer(4, 'fetched'),
    ];
    const all = [...OPENED, 'slow', 'task made', 'poll', 'polled', 'status', 'fetch', 'fetched'];
    for (const method of ['tasks/get', 'tasks/result', 'notifications/tasks/status'])
      expect(onPipe(events, { methods: [method] }), method).toEqual(all);
    expect(onPipe(events, { tools: ['slow'] })).toEqual(all);
    expect(onPipe(events, { tools: ['slow'] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is the page before a page', () => {
    const list = (id: number, name: string, params = '') =>
      `- client: { id: ${id}, method: tools/list, params: { ${params} } } # ${name}`;
    const events = [
      list(1, 'page 1'),
      answer(1, 'of 1', 'tools: [], nextCursor: b'),
      call(2, 'add', 'add'),
      answer(2, 'three'),
      list(3, 'page 2', 'cursor: b'),
      answer(3, 'of 2', 'tools: [], nextCursor: c'),
      list(4, 'page 3', 'cursor: c'),
      answer(4, 'of 3', 'tools: []'),
    ];
    expect(onPipe(events, { lines: [{ first: 13, last: 13 }] })).toEqual([
      ...OPENED,
      ...['page 1', 'of 1', 'page 2', 'of 2', 'page 3', 'of 3'],
    ]);
    expect(onPipe(events, { lines: [{ first: 13, last: 13 }] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is the subscription of an update', () => {
    const events = [
      '- client: { id: 1, method: resources/subscribe, params: { uri: "a:b" } } # subscribe',
      answer(1, 'subscribed', ''),
      call(2, 'add', 'add'),
      answer(2, 'three'),
      call(3, 'touch', 'touch'),
      '- server: { method: notifications/resources/updated, params: { uri: "a:b" } } # updated',
      answer(3, 'touched'),
    ];
    expect(onPipe(events, { tools: ['touch'] })).toEqual([
      ...OPENED,
      ...['subscribe', 'subscribed', 'touch', 'updated', 'touched'],
    ]);
    expect(onPipe(events, { methods: ['resources/subscribe'] }, true)).toEqual([
      ...OPENED,
      ...['add', 'three', 'touch', 'touched'],
    ]);
  });

  it('is what the server wrote before the client spoke', () => {
    const events = ['- stderr: starting # starting', ...HANDSHAKE, call(1, 'add', 'add'), answer(1, 'three')];
    expect(cut(events, { tools: ['add'] }, false, 'stdio')).toEqual(['starting', ...OPENED, 'add', 'three']);
  });

  it('is the end of a session in which a kept call had no answer', () => {
    const events = [call(1, 'crash', 'crash'), '- exit: 1 # died', '- end: complete # end'];
    expect(onPipe(events, { tools: ['crash'] })).toEqual([...OPENED, 'crash', 'died', 'end']);
    const ended = [
      call(1, 'crash', 'crash'),
      call(2, 'add', 'add'),
      answer(2, 'three'),
      '- close: client # bye',
      '- exit: 1 # died',
    ];
    expect(onPipe(ended, { tools: ['add'] })).toEqual([...OPENED, 'add', 'three', 'bye', 'died']);
    // Only the end of the session ends this call.
    expect(onPipe(ended, { lines: [{ first: 11, last: 11 }] }, true)).toEqual([...OPENED, 'add', 'three', 'bye']);
  });

  it('is the whole batch of a message', () => {
    const events = [
      '- client: [ { id: 1, method: tools/call, params: { name: add } }, { id: 2, method: tools/call, params: { name: echo } } ] # batch',
      answer(1, 'three'),
      answer(2, 'hello'),
    ];
    expect(onPipe(events, { tools: ['add'] })).toEqual([...OPENED, 'batch', 'three', 'hello']);
  });
});

describe('what comes along in 2026-07-28', () => {
  const meta =
    '_meta: { io.modelcontextprotocol/protocolVersion: 2026-07-28, io.modelcontextprotocol/clientCapabilities: {} }';
  const discover = [
    `- client: { id: 0, method: server/discover, params: { ${meta} } } # discover`,
    answer(0, 'discovered', 'resultType: complete, supportedVersions: [2026-07-28], capabilities: {}'),
  ];
  const modern = (events: readonly string[], selection: CutOptions['selection'], drop = false) =>
    cut([...discover, ...events], selection, drop, 'stdio');

  it('is the first ask of a call that wants input', () => {
    const events = [
      call(1, 'add', 'add', meta),
      answer(1, 'three', 'resultType: complete, content: []'),
      call(2, 'book', 'book', meta),
      answer(
        2,
        'wants input',
        'resultType: input_required, requestState: s, inputRequests: { a: { method: elicitation/create, params: {} } }',
      ),
      call(3, 'book', 'again', `inputResponses: { a: { action: accept } }, requestState: s, ${meta}`),
      answer(3, 'booked', 'resultType: complete, content: []'),
    ];
    const all = ['discover', 'discovered', 'book', 'wants input', 'again', 'booked'];
    expect(modern(events, { lines: [{ first: 10, last: 10 }] })).toEqual(all);
    expect(modern(events, { lines: [{ first: 8, last: 8 }] })).toEqual(all);
    expect(modern(events, { lines: [{ first: 10, last: 10 }] }, true)).toEqual([
      'discover',
      'discovered',
      'add',
      'three',
    ]);
  });

  it('is the subscription of a notification, and the call that brought it about', () => {
    const events = [
      `- client: { id: 1, method: subscriptions/listen, params: { notifications: { toolsListChanged: true }, ${meta} } } # listen`,
      '- server: { method: notifications/subscriptions/acknowledged, params: { _meta: { io.modelcontextprotocol/subscriptionId: 1 }, notifications: {} } } # listening',
      call(2, 'add', 'add', meta),
      answer(2, 'three', 'resultType: complete, content: []'),
      call(3, 'touch', 'touch', meta),
      '- server: { method: notifications/tools/list_changed, params: { _meta: { io.modelcontextprotocol/subscriptionId: 1 } } } # changed',
      answer(3, 'touched', 'resultType: complete, content: []'),
    ];
    const opened = ['discover', 'discovered', 'listen', 'listening'];
    expect(modern(events, { methods: ['notifications/tools/list_changed'] })).toEqual([
      ...opened,
      ...['touch', 'changed', 'touched'],
    ]);
    expect(modern(events, { methods: ['subscriptions/listen'] }, true)).toEqual([
      ...['discover', 'discovered', 'add', 'three', 'touch', 'touched'],
    ]);
  });
});

const on = (stream: number, line: string, more = '') =>
  line.replace(/ # (.*)$/, (name) => `${name}\n  stream: ${stream}${more}`);
const session = (first: number) => [
  on(first, HANDSHAKE[0]!),
  on(first, HANDSHAKE[1]!, '\n  session: new'),
  on(first + 1, HANDSHAKE[2]!),
];

describe('what comes along over HTTP', () => {
  it('is the whole exchange of a kept call, with the stream that resumes it', () => {
    const events = [
      ...session(1),
      on(3, call(1, 'add', 'add')),
      on(3, answer(1, 'three')),
      on(4, call(2, 'slow', 'slow')),
      '- sse: { id: a1, retry: 300 } # primed\n  stream: 4',
      '- comment: hm # comment\n  stream: 4',
      '- close: server # closed\n  stream: 4',
      '- open: GET # resume\n  stream: 5\n  resumes: a1',
      '- close: server # closed again\n  stream: 5',
      '- open: GET # resume again\n  stream: 6\n  resumes: a1',
      on(6, answer(2, 'done'), '\n  sse: { id: a2 }'),
    ];
    const slow = ['slow', 'primed', 'comment', 'closed', 'resume', 'closed again', 'resume again', 'done'];
    expect(cut(events, { tools: ['slow'] })).toEqual([...OPENED, ...slow]);
    expect(cut(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'three']);
    expect(cut(events, { tools: ['slow'] }, true)).toEqual([...OPENED, 'add', 'three']);
  });

  it('is the stream to listen on, with what a kept call brought about there', () => {
    const events = [
      ...session(1),
      '- open: GET # listen\n  stream: 3',
      on(4, call(1, 'add', 'add')),
      '- server: { method: notifications/tools/list_changed } # changed by add\n  stream: 3\n  sse: {}',
      on(4, answer(1, 'three')),
      on(5, call(2, 'echo', 'echo')),
      '- server: { method: notifications/tools/list_changed } # changed by echo\n  stream: 3\n  sse: {}',
      on(5, answer(2, 'hello')),
      '- open: DELETE # delete\n  stream: 6',
      '- response: 200 # deleted\n  stream: 6',
    ];
    const framed = (...names: string[]) => [...OPENED, 'listen', ...names, 'delete', 'deleted'];
    expect(cut(events, { tools: ['add'] })).toEqual(framed('add', 'changed by add', 'three'));
    expect(cut(events, { tools: ['add'] }, true)).toEqual(framed('echo', 'changed by echo', 'hello'));
  });

  it('is the stream to listen on that another one resumes', () => {
    const events = [
      ...session(1),
      '- open: GET # listen\n  stream: 3',
      on(4, call(1, 'echo', 'echo')),
      '- server: { method: notifications/message, params: { level: info, data: x } } # echoes\n  stream: 3\n  sse: { id: g1 }',
      on(4, answer(1, 'hello')),
      '- close: server # closed\n  stream: 3',
      '- open: GET # resume\n  stream: 5\n  resumes: g1',
      on(6, call(2, 'add', 'add')),
      '- server: { method: notifications/message, params: { level: info, data: x } } # adds\n  stream: 5\n  sse: { id: g2 }',
      on(6, answer(2, 'three')),
    ];
    // The stream goes on after an event of the other call.
    expect(cut(events, { tools: ['add'] })).toEqual(named(cassetteOf(events)));
    expect(cut(events, { tools: ['echo'] })).toEqual([...OPENED, 'listen', 'echo', 'echoes', 'hello', 'closed']);
  });

  it('is an answer that came once more when a stream was resumed', () => {
    const events = [
      ...session(1),
      '- open: GET # listen\n  stream: 3',
      on(4, call(1, 'add', 'add')),
      on(4, answer(1, 'three'), '\n  sse: { id: a1 }'),
      on(5, call(2, 'echo', 'echo')),
      on(3, answer(1, 'three again'), '\n  sse: { id: a2 }'),
      on(5, answer(2, 'hello')),
    ];
    expect(cut(events, { tools: ['add'] })).toEqual([...OPENED, 'listen', 'add', 'three', 'three again']);
    expect(cut(events, { tools: ['echo'] })).toEqual([...OPENED, 'listen', 'echo', 'hello']);
    expect(cut(events, { tools: ['add'] }, true)).toEqual([...OPENED, 'listen', 'echo', 'hello']);
  });

  it('is a status in the place of an answer', () => {
    const events = [
      ...session(1),
      on(3, call(1, 'add', 'add')),
      '- response: 500 # failed\n  stream: 3',
      on(4, call(2, 'echo', 'echo')),
      on(4, answer(2, 'hello')),
    ];
    expect(cut(events, { tools: ['add'] })).toEqual([...OPENED, 'add', 'failed']);
    expect(cut(events, { tools: ['add'] }, true)).toEqual([...OPENED, 'echo', 'hello']);
    const line =
      cassetteOf(events)
        .split('\n')
        .findIndex((text) => text.includes('# failed')) + 1;
    expect(cut(events, { lines: [{ first: line, last: line }] }, true)).toEqual([...OPENED, 'echo', 'hello']);
  });

  it('is the handshake of its own session, and of no other', () => {
    const other = (names: string[]) => names.map((name) => `${name} again`);
    const again = (line: string) => line.replace(/ # (.*)$/m, ' # $1 again');
    const events = [
      ...session(1),
      on(3, call(1, 'add', 'add')),
      on(3, answer(1, 'three')),
      ...session(4).map(again),
      on(6, call(1, 'echo', 'echo')),
      on(6, answer(1, 'hello')),
    ];
    expect(cut(events, { tools: ['echo'] })).toEqual([...other(OPENED), 'echo', 'hello']);
    expect(cut(events, { sessions: [1] })).toEqual([...OPENED, 'add', 'three']);
    expect(cut(events, { sessions: [2] }, true)).toEqual([...OPENED, 'add', 'three']);
    expect(cut(events, { sessions: [1] }, true)).toEqual([...other(OPENED), 'echo', 'hello']);
    expect(cut(events, { methods: ['initialize'] })).toEqual([...OPENED, ...other(OPENED)]);
    expect(() => cut(events, { sessions: [3] })).toThrow(/Cannot select session 3: .* has 2 sessions/);
  });
});

describe('a session over HTTP', () => {
  it('begins with what its client tried before its initialize was accepted, and ends with its last answer', () => {
    const again = (line: string) => line.replace(/ # (.*)$/m, ' # $1 again');
    const events = [
      ...session(1),
      on(3, call(1, 'add', 'add')),
      '- client: { id: 9, method: server/discover } # probe\n  stream: 4',
      '- server: { id: 9, error: { code: -32601, message: no } } # unknown\n  stream: 4',
      on(5, HANDSHAKE[0]!.replace('# initialize', '# first try')),
      '- response: 401 # unauthorized\n  stream: 5',
      ...session(6).map(again),
      on(3, answer(1, 'three')),
      on(8, call(1, 'echo', 'echo')),
      on(8, answer(1, 'hello')),
    ];
    expect(cut(events, { sessions: [1] })).toEqual([...OPENED, 'add', 'three']);
    const tried = ['probe', 'unknown', 'first try', 'unauthorized'];
    const second = [...tried, ...OPENED.map((name) => `${name} again`), 'echo', 'hello'];
    expect(cut(events, { sessions: [2] })).toEqual(second);
    expect(cut(events, { tools: ['echo'] })).toEqual(second);
    expect(cut(events, { sessions: [1] }, true)).toEqual(second);
  });
});

describe('selections', () => {
  const events = [
    call(1, 'add', 'add'),
    '- server: { id: 1, result: { content: [] } } # three\n  after: 400',
    `${call(2, 'echo', 'echo')}\n  after: 1000`,
    answer(2, 'hello'),
  ];

  it('by time count from the beginning of the session', () => {
    expect(onPipe(events, { from: 1_000 })).toEqual([...OPENED, 'echo', 'hello']);
    expect(onPipe(events, { from: 1, to: 400 })).toEqual([...OPENED, 'add', 'three']);
  });

  it('of several kinds keep what meets all of them', () => {
    expect(onPipe(events, { methods: ['tools/call'], from: 1_000 })).toEqual([...OPENED, 'echo', 'hello']);
    expect(() => onPipe(events, { tools: ['add'], from: 1_000 })).toThrow(
      /no event meets all .*USAGE_NOTHING_SELECTED/,
    );
  });

  it('of the handshake alone keep it, and drop nothing of it while something is called', () => {
    expect(onPipe(events, { methods: ['initialize'] })).toEqual(OPENED);
    expect(() => onPipe(events, { methods: ['initialize'] }, true)).toThrow(/all else needs it.*NOTHING_SELECTED/);
    expect(() => onPipe(events, { lines: [{ first: 5, last: 5 }] }, true)).toThrow(/all else needs it/);
    expect(() => onPipe(events, { lines: [{ first: 1, last: 11 }] }, true)).toThrow(/nothing would be left/);
  });

  it('that are not there are refused with what is meant, or what is there', () => {
    expect(() => onPipe(events, { tools: ['ech'] })).toThrow(/Did you mean "echo"\? It has: add, echo\..*/);
    expect(() => onPipe(events, { methods: ['x'] })).toThrow(/USAGE_NOT_IN_CASSETTE/);
    expect(() => onPipe(events, { lines: [{ first: 12, last: 99 }] })).toThrow(/lines 12-99 of .*: it has 12 lines/);
    expect(() => onPipe(events, { lines: [{ first: 1, last: 2 }] })).toThrow(/no event is there/);
    expect(() => onPipe(events, {})).toThrow(/no option says which events/);
  });

  it('are counted with what came along', () => {
    const { counts } = keepSelectedEvents(cassetteOf([...HANDSHAKE, ...events], 'stdio'), 'session.yaml', {
      selection: { tools: ['echo'] },
    });
    expect(counts).toEqual({ all: 7, kept: 5, alsoKept: 4, alsoDropped: 0 });
  });
});

describe('bytes', () => {
  it('of comments, odd layouts and line breaks stay', () => {
    const kept = `\ufeff# mine
format: mcp-record/1
transport: stdio   # a pipe
events:

  # says hello
  - client: {id: 1,   method: tools/call, params: {name: echo}}   # odd
    match: {repeat: last}
  - server:
      id: 1
      result:
        content:
        - type: text
          text: |
            # no comment

            - no event

            # no comment either
`;
    const gone = `  # adds
  - client: {id: 2, method: tools/call, params: {name: add}}
  - server: {id: 2, result: {content: []}}
`;
    const rest = '  # the end\n';
    for (const lineBreak of ['\n', '\r\n']) {
      const text = (part: string) => part.replaceAll('\n', lineBreak);
      const options = { selection: { tools: ['echo'] } };
      expect(keepSelectedEvents(text(kept + gone + rest), 'c.yaml', options).text).toBe(text(kept + rest));
    }
  });

  it('change where a kept call took the time of a removed one, so that it takes as long', () => {
    const events = [
      call(1, 'slow', 'slow'),
      call(2, 'add', 'add'),
      '- server: { id: 2, result: { content: [] } } # three\n  after: 300',
      '- server: { id: 1, result: { content: [] } } # done\n  after: 400',
      '- client: { id: 3, method: ping } # ping\n  after: 5000',
      answer(3, 'pong', ''),
    ];
    const { text } = keepSelectedEvents(cassetteOf(events, 'stdio'), 'c.yaml', { selection: { tools: ['slow'] } });
    expect(parseCassette(text, 'c.yaml').events.map(({ frame }) => frame.at)).toEqual([0, 700]);
    // A task goes on after its call was answered.
    const task = [
      call(1, 'slow', 'slow', 'task: {}'),
      answer(1, 'made', 'task: { taskId: t }'),
      ...[call(2, 'add', 'add'), '- server: { id: 2, result: { content: [] } } # three\n  after: 300'],
      '- server: { method: notifications/tasks/status, params: { taskId: t, status: completed } } # status\n  after: 400',
    ];
    const late = keepSelectedEvents(cassetteOf(task, 'stdio'), 'c.yaml', { selection: { tools: ['slow'] } });
    expect(parseCassette(late.text, 'c.yaml').events.map(({ frame }) => frame.at)).toEqual([0, 0, 700]);
    // Nothing is under way while the client thinks.
    const pause = keepSelectedEvents(cassetteOf(events, 'stdio'), 'c.yaml', {
      selection: { tools: ['slow'] },
      drop: true,
    });
    expect(named(pause.text)).toEqual(['add', 'three', 'ping', 'pong']);
    expect(pause.text).toContain('  after: 5000\n');
  });

  it('are left alone where events do not stand one below the other, or share what goes', () => {
    const inline =
      'format: mcp-record/1\ntransport: stdio\nevents: [ { client: { id: 1, method: ping } }, { server: { id: 1, result: {} } } ]\n';
    expect(() => keepSelectedEvents(inline, 'c.yaml', { selection: { methods: ['ping'] } })).toThrow(
      /CASSETTE_NOT_EDITED/,
    );
    const anchored = cassetteOf(
      [
        '- client: { id: 1, method: tools/call, params: &p { name: add } }',
        '- server: { id: 1, result: {} }',
        '- client: { id: 2, method: tools/call, params: *p }',
        '- server: { id: 2, result: {} }',
      ],
      'stdio',
    );
    expect(() => keepSelectedEvents(anchored, 'c.yaml', { selection: { lines: [{ first: 6, last: 6 }] } })).toThrow(
      /CASSETTE_NOT_EDITED/,
    );
  });

  it('of a cassette that was cut off stay with its unfinished end', () => {
    const text = `format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client:
    jsonrpc: '2.0'
    id: 1
    method: ping
- server:
    jsonrpc: '2.0'
    id: 1
    result: {}
- client:
    jsonrpc: '2.0'
    id: 2
    method: tools/li`;
    const { text: cut, warnings } = keepSelectedEvents(text, 'c.yaml', { selection: { methods: ['ping'] } });
    expect(cut).toBe(text);
    expect(warnings).toHaveLength(1);
  });

  it('warns of lines that select nothing, since another condition leaves their events out', () => {
    const events = [
      ...HANDSHAKE,
      call(1, 'units', 'set'),
      answer(1, 'done'),
      call(2, 'weather', 'asked'),
      answer(2, 'sun'),
    ];
    const [set, asked] = ['set', 'asked'].map((name) => {
      const line =
        cassetteOf(events, 'stdio')
          .split('\n')
          .findIndex((text) => text.endsWith(`# ${name}`)) + 1;
      return { first: line, last: line };
    });
    const warningsOf = (tools: string[]) =>
      keepSelectedEvents(cassetteOf(events, 'stdio'), 'c.yaml', { selection: { tools, lines: [set!, asked!] } })
        .warnings;
    expect(warningsOf(['weather'])).toEqual([
      expect.stringMatching(/^--lines \d+ \(tools\/call "units"\) selects nothing: .* Add its --tool/),
    ]);
    expect(warningsOf(['units', 'weather'])).toEqual([]);
  });
});

it('the authorization flow of a session comes along with it', () => {
  const events = [
    '- authorization: { request: mcp, url: "http://a.example/mcp", status: 401 } # refused',
    ...HANDSHAKE.map((event, index) => event.replace(' #', `\n  stream: ${Math.ceil((index + 1) / 2)} #`)),
    `${call(1, 'add', 'add').replace(' # add', '')}\n  stream: 3 # add`,
    `${answer(1, 'three').replace(' # three', '')}\n  stream: 3 # three`,
    '- authorization: { request: oauth/refresh, url: "http://a.example/token", status: 200 } # refreshed',
  ];
  expect(cut(events, { tools: ['add'] })).toEqual(['refused', ...OPENED, 'add', 'three', 'refreshed']);
});
