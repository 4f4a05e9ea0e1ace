import { describe, expect, it } from 'vitest';
import { conversation, inSession, POST } from '../http-conversation.ts';

const request = (method: string, id: unknown = 0) => ({ jsonrpc: '2.0', id, method });
const result = { jsonrpc: '2.0', id: 0, result: {} };

describe('a session', () => {
  it('has a cassette of its own, from the answer that issues its id, which is not on it', () => {
    using line = conversation();
    line.open('secret-id');
    expect(line.cassetteText()).toContain('  stream: 1\n  session: new\n');
    expect(line.cassetteText()).not.toContain('secret-id');
    expect(line.cassettes()).toEqual(['cassette.yaml']);
  });

  it('redacts the credential of a request as the id of an event without any, and as the id that is resumed', () => {
    using line = conversation({ redacts: true });
    line.open('s');
    const headers = inSession('s', { Authorization: 'Bearer clientOpaque55Xyz789Qq' });
    const data = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    line.ask({ method: 'GET', headers }).stream({}).says(`id: clientOpaque55Xyz789Qq\ndata: ${data}\n\n`).ends();
    line.ask({ method: 'GET', headers: { ...headers, 'Last-Event-ID': 'clientOpaque55Xyz789Qq' } });
    expect(line.cassetteText()).not.toContain('clientOpaque');
    expect(line.cassetteText()).toContain('id: "[redacted:authorization:1]"');
    expect(line.cassetteText()).toContain('resumes: "[redacted:authorization:1]"');
  });

  it('has nothing of the credentials that its requests carry, where the server repeats them', () => {
    using line = conversation({ redacts: true });
    const authorized = (credentials: string, more: Record<string, string> = {}) => ({
      ...POST,
      Authorization: `Bearer ${credentials}`,
      ...more,
    });
    const said = (text: string) => ({ jsonrpc: '2.0', id: 0, result: { text: `you are ${text}` } });
    const session = { 'Mcp-Session-Id': 's' };
    line
      .ask({ body: request('initialize'), headers: authorized('firstOpaque55Xyz789Qq') })
      .json(said('firstOpaque55Xyz789Qq'), session);
    line
      .ask({ body: request('tools/list'), headers: authorized('firstOpaque55Xyz789Qq', session) })
      .json(said('firstOpaque55Xyz789Qq'));
    line
      .ask({ body: request('tools/call'), headers: authorized('laterOpaque66Abc123Zz', session) })
      .stream()
      .event(said('laterOpaque66Abc123Zz'))
      .ends();
    line.recorder.end('complete');
    expect(line.cassetteText()).not.toMatch(/Opaque/);
    expect(line.cassetteText().match(/you are \[redacted:authorization:[12]\]/g)).toHaveLength(3);
  });

  it('is never confused with another, whatever their ids (§2)', () => {
    using line = conversation();
    const asks = ['a', 'b', 'c'].map((id) => {
      line.open(id);
      return [id, line.ask({ body: { ...request('tools/call'), who: id }, headers: inSession(id) })] as const;
    });
    for (const [id, exchange] of asks.reverse()) exchange.json({ ...result, who: id });
    line.recorder.end('complete');
    expect(line.cassettes()).toEqual(['cassette-2.yaml', 'cassette-3.yaml', 'cassette.yaml']);
    for (const [name, who] of [
      ['cassette.yaml', 'a'],
      ['cassette-2.yaml', 'b'],
      ['cassette-3.yaml', 'c'],
    ] as const)
      expect(line.cassetteText(name).match(/who: \w/g)).toEqual([`who: ${who}`, `who: ${who}`]);
  });

  it('has what was sent in place of its server as optional, and a note as a line of standard error', () => {
    using line = conversation();
    line.open('s');
    const error = { jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'lost' } };
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const bytes = (text: string) => ({ at: 0, from: 'server', data: Buffer.from(text), optional: true }) as const;
    const listens = line.recorder.exchange();
    const inPlace = (take: typeof listens, method: string, type: string, text: string) => {
      take({ kind: 'request', at: 0, method, path: '/mcp', headers: Object.entries(inSession('s')).flat() });
      if (method === 'POST')
        take({ kind: 'data', at: 0, from: 'client', data: Buffer.from(JSON.stringify(request('tools/call'))) });
      take({ kind: 'end', at: 0, from: 'client' });
      take({ kind: 'response', at: 0, status: 200, headers: ['Content-Type', type] });
      take({ kind: 'data', ...bytes(text) });
    };
    inPlace(listens, 'GET', 'text/event-stream', `data: ${JSON.stringify(changed)}\n\n`);
    listens({ kind: 'note', at: 0, text: 'The server is back.' });
    listens({ kind: 'data', at: 0, from: 'server', data: Buffer.from(`data: ${JSON.stringify(changed)}\n\n`) });
    const calls = line.recorder.exchange();
    inPlace(calls, 'POST', 'application/json', JSON.stringify(error));
    calls({ kind: 'end', at: 0, from: 'server' });
    line.recorder.end('complete');
    line.clock.endTurn();
    const { events, warnings } = line.cassette();
    expect(warnings).toEqual([]);
    expect(events.slice(3).map(({ frame, match }) => [frame.kind, frame.stream, match?.optional])).toEqual([
      ['message', 2, true],
      ['line', undefined, undefined],
      ['message', 2, undefined],
      ['message', 3, undefined],
      ['message', 3, true],
    ]);
    expect(line.cassetteText()).toContain('- stderr: "mcp-record: The server is back."\n- server:');
  });

  it('ends when it was deleted, after the last of its exchanges', () => {
    using line = conversation();
    line.open('s');
    const get = line.ask({ method: 'GET', headers: inSession('s', { Accept: 'text/event-stream' }) }).stream();
    line
      .ask({ method: 'DELETE', headers: inSession('s') })
      .head(200)
      .ends();
    expect(line.cassetteText()).not.toContain('end:');
    get.ends();
    expect(line.cassetteText()).toMatch(
      /- open: DELETE\n {2}stream: 3\n- close: server\n {2}stream: 2\n- end: session deleted\n$/,
    );
  });

  it('has ended with the head of the answer to DELETE: a later request is outside of it', () => {
    using line = conversation();
    line.open('s');
    const deleted = line.ask({ method: 'DELETE', headers: inSession('s') }).head(200);
    line.ask({ body: request('tools/list', 1), headers: inSession('s') }).json({ error: {} }, {}, 404);
    deleted.ends();
    expect(line.cassetteText()).toMatch(/- open: DELETE\n {2}stream: 2\n- end: session deleted\n$/);
  });

  it('ends when the server does not know it any more (§6)', () => {
    using line = conversation();
    line.open('s');
    line.ask({ body: request('tools/list', 1), headers: inSession('s') }).json({ error: {} }, {}, 404);
    expect(line.cassetteText()).toMatch(/- response: 404\n(?: .*\n)*- end: session not found\n$/);
    line.open('t');
    expect(line.cassettes()).toEqual(['cassette-2.yaml', 'cassette.yaml']);
  });

  it('ends when it idles, but not while an exchange is under way; if it comes back it has a new cassette', () => {
    using line = conversation();
    line.open('s');
    const get = line.ask({ method: 'GET', headers: inSession('s', { Accept: 'text/event-stream' }) }).stream();
    line.clock.advance(5000);
    expect(line.cassetteText()).not.toContain('end:');
    get.gone('client', 'fin');
    line.clock.advance(999);
    expect(line.cassetteText()).not.toContain('end:');
    line.clock.advance(1);
    expect(line.cassetteText()).toMatch(/- end: idle\n$/);
    line.ask({ body: request('tools/list', 1), headers: inSession('s') }).json(result);
    expect(line.cassetteText('cassette-2.yaml')).toContain('method: tools/list');
  });

  it('that is idle gives way when there are too many', () => {
    using line = conversation({ sessionsMax: 2 });
    for (const id of ['a', 'b', 'c']) line.open(id);
    expect(line.cassetteText('cassette.yaml')).toMatch(/- end: idle\n$/);
    expect(line.cassetteText('cassette-2.yaml')).not.toContain('end:');
  });

  it('may have an id that would be a path, which names no file', () => {
    using line = conversation();
    line.open('../../../etc/passwd');
    expect(line.cassettes()).toEqual(['cassette.yaml']);
  });
});

describe('a session over HTTP with SSE (§5)', () => {
  it('is one stream and the messages posted to its endpoint', () => {
    using line = conversation();
    const get = line.ask({ method: 'GET', headers: { Accept: 'text/event-stream' } }).stream();
    get.says('event: endpoint\ndata: /message?sessionId=secret\n\n');
    line
      .ask({
        path: '/message?sessionId=secret',
        headers: { 'Content-Type': 'application/json' },
        body: request('initialize'),
      })
      .head(202)
      .says('Accepted')
      .ends();
    get.event(result);
    get.gone('client', 'fin');
    expect(line.cassetteText()).toBe(
      [
        '- open: GET\n  stream: 1',
        '- sse:\n    event: endpoint\n    data: /message?sessionId=[redacted:sessionId:1]\n  stream: 1',
        '- client:\n    jsonrpc: "2.0"\n    id: 0\n    method: initialize\n  stream: 2',
        '- server:\n    jsonrpc: "2.0"\n    id: 0\n    result: {}\n  stream: 1\n  sse: {}',
        '- close: client\n  stream: 1\n  how: fin',
        '- end: stream closed\n',
      ].join('\n'),
    );
  });

  const listens = { method: 'GET', headers: { Accept: 'text/event-stream' } };
  const ENDPOINT = 'event: endpoint\ndata: /message?sessionId=secret\n\n';
  const posted = (body: unknown) => ({
    path: '/message?sessionId=secret',
    headers: { 'Content-Type': 'application/json' },
    body,
  });

  it.each([
    ['a comment', [': ping\n\n'], ['- comment: " ping"\n  stream: 1']],
    [
      'comments in pieces',
      [': o', 'ne\n', ': two\n\n'],
      ['- comment: " one"\n  stream: 1', '- comment: " two"\n  stream: 1'],
    ],
    ['a time to reconnect', ['retry: 3000\n\n'], ['- sse:\n    retry: 3000\n  stream: 1']],
  ])('has %s before its endpoint, and nothing is on a cassette of the run', (_what, pieces, events) => {
    using line = conversation();
    const get = line.ask(listens).stream();
    for (const piece of pieces) get.says(piece);
    get.says(ENDPOINT);
    line
      .ask(posted(request('initialize')))
      .head(202)
      .says('Accepted')
      .ends();
    get.event(result);
    get.gone('client', 'fin');
    expect(line.cassettes()).toEqual(['cassette.yaml']);
    const text = line.cassetteText();
    expect(text.startsWith(['- open: GET\n  stream: 1', ...events, '- sse:\n    event: endpoint'].join('\n'))).toBe(
      true,
    );
    expect(text).toContain('method: initialize\n  stream: 2');
    expect(text).toMatch(/- end: stream closed\n$/);
  });

  it('of two clients, each after a comment, has a cassette for each', () => {
    using line = conversation();
    const streams = ['one', 'two'].map((id) => {
      const get = line.ask(listens).stream().says(': ping\n\n');
      return get.says(`event: endpoint\ndata: /message?sessionId=${id}\n\n`);
    });
    for (const get of streams) get.gone('client', 'fin');
    expect(line.cassettes()).toEqual(['cassette-2.yaml', 'cassette.yaml']);
  });

  it('that never names its endpoint is on the cassette of the run, also if the recorder ends before it does', () => {
    using ended = conversation();
    ended.ask(listens).stream().says(': ping\n\n').ends();
    using open = conversation();
    open.ask(listens).stream().says(': ping\n\n');
    for (const line of [ended, open]) {
      line.recorder.end('complete');
      expect(line.cassetteText()).toMatch(/^- open: GET\n {2}stream: 1\n- comment: " ping"\n {2}stream: 1\n/);
    }
  });

  it('that sends comments without end is on the cassette of the run, and does not fill the memory', () => {
    using line = conversation();
    const get = line.ask(listens).stream();
    for (let sent = 0; sent < 999; sent++) get.says(': ping\n\n');
    expect(line.cassettes()).toEqual([]);
    for (let sent = 0; sent < 2; sent++) get.says(': ping\n\n');
    line.recorder.end('complete');
    expect(line.cassetteText().match(/comment: " ping"/g)).toHaveLength(1001);
  });
});

describe('what belongs to no session', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const modern = (method: string) => ({ ...request(method), params: { _meta } });

  it('is on the run’s own cassette, each exchange a stream', () => {
    using line = conversation();
    const first = line.ask({ body: modern('tools/list') });
    line.ask({ body: modern('tools/call') }).json({ ...result, n: 2 });
    first.json({ ...result, n: 1 });
    expect(line.cassetteText().match(/stream: \d/g)).toEqual(['stream: 1', 'stream: 2', 'stream: 2', 'stream: 1']);
  });

  it('has nothing of what a browser asks before a page may go on, in a session or without one', () => {
    using line = conversation();
    const preflight = { method: 'OPTIONS', headers: { Origin: 'http://localhost:5173' } };
    line.ask(preflight).head(204).ends();
    expect(line.cassettes()).toEqual([]);
    line.open('s');
    const before = line.cassetteText();
    line.ask(preflight).head(204).ends();
    expect([line.cassettes(), line.cassetteText()]).toEqual([['cassette.yaml'], before]);
  });

  it('is a probe’s as long as nothing but a question what the server can do succeeds', () => {
    using line = conversation();
    line.ask({ body: modern('server/discover') }).json(result);
    line.ask({ body: request('initialize') }).json({ error: 'unauthorized' }, {}, 401);
    expect(line.cassettes()).toEqual(['cassette.probe.yaml']);
    line.open('s');
    expect(line.cassettes()).toEqual(['cassette.probe.yaml', 'cassette.yaml']);
    line.ask({ body: modern('tools/list') }).json(result);
    expect(line.cassettes()).toEqual(['cassette-2.yaml', 'cassette.yaml']);
  });

  it('is no probe’s where it was asked as from 2026-07-28 on, though all was refused', () => {
    using line = conversation();
    line.ask({ body: modern('server/discover') }).json({ ...result, result: undefined, error: {} });
    expect(line.cassettes()).toEqual(['cassette.probe.yaml']);
    line.ask({ body: modern('tools/list') }).json({ jsonrpc: '2.0', id: 0, error: { code: -32022 } }, {}, 400);
    expect(line.cassettes()).toEqual(['cassette.yaml']);
  });

  it('is no probe’s in the end where something else was refused and no session came of it', () => {
    using line = conversation();
    line
      .ask({ method: 'GET', headers: { Accept: 'text/event-stream' } })
      .head(404)
      .ends();
    line.clock.endTurn();
    expect(line.cassettes()).toEqual(['cassette.probe.yaml']);
    line.recorder.end('complete');
    expect(line.cassettes()).toEqual(['cassette.yaml']);
    expect(line.named).toEqual(['cassette.probe.yaml', 'cassette.yaml']);
  });

  it('stays a probe’s in the end where nothing else was asked, or where a session came of it', () => {
    using only = conversation();
    only.ask({ body: modern('server/discover') }).json(result);
    only.recorder.end('complete');
    expect([only.cassettes(), only.named]).toEqual([['cassette.probe.yaml'], ['cassette.probe.yaml']]);
    using line = conversation();
    line.ask({ body: request('initialize') }).json({ error: 'unauthorized' }, {}, 401);
    line.open('s');
    line.recorder.end('complete');
    expect(line.cassettes()).toEqual(['cassette.probe.yaml', 'cassette.yaml']);
  });

  it('is where a server that issues no id is', () => {
    using line = conversation();
    line.ask({ body: request('initialize') }).json(result);
    const get = line.ask({ method: 'GET', headers: { Accept: 'text/event-stream' } }).stream();
    get.event({ jsonrpc: '2.0', method: 'notifications/x' });
    expect(line.cassetteText()).toContain('- open: GET\n  stream: 2\n- server:\n');
  });

  it('shows what is ordinary there no more than in a session', () => {
    using line = conversation();
    const headers = { ...POST, Authorization: 'Bearer x' };
    const initialized = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
    line.ask({ body: request('initialize'), headers }).json(initialized);
    const later = { ...headers, 'MCP-Protocol-Version': '2025-11-25' };
    line
      .ask({ method: 'GET', headers: { ...later, Accept: 'text/event-stream' } })
      .head(405)
      .ends();
    for (const id of [1, 2]) line.ask({ body: request('tools/list', id), headers: later }).json(result);
    line.ask({ body: request('tools/list', 3), headers: { ...later, Authorization: 'Basic x' } }).json(result);
    expect(line.cassetteText().match(/headers:\n(?: {4}.*\n)+/g)).toEqual([
      'headers:\n    authorization: Bearer\n',
      'headers:\n    authorization: Basic\n',
    ]);
  });

  it('is where an unknown session is turned away', () => {
    using line = conversation();
    line.ask({ body: request('tools/list'), headers: inSession('gone') }).json({ error: {} }, {}, 404);
    expect(line.cassettes()).toEqual(['cassette.probe.yaml']);
  });

  it('is not recorded where it is not MCP', () => {
    using line = conversation();
    line.ask({ method: 'GET', path: '/.well-known/oauth-authorization-server' }).json({});
    line.ask({ path: '/token', body: 'code=secret' }).json({ access_token: 'secret' });
    expect(line.cassettes()).toEqual([]);
  });
});

describe('the end of the recording', () => {
  it('ends every cassette, and nothing is recorded after it', () => {
    using line = conversation();
    line.open('s');
    const get = line.ask({ method: 'GET', headers: inSession('s', { Accept: 'text/event-stream' }) }).stream();
    line.ask({ body: request('tools/list') }).json(result);
    line.recorder.end('complete');
    get.event(result).ends();
    line.open('t');
    expect(line.cassettes()).toEqual(['cassette-2.yaml', 'cassette.yaml']);
    for (const tape of line.cassettes()) expect(line.cassette(tape)).toMatchObject({ end: 'complete', warnings: [] });
  });
});

describe('a system that allows no more open files', () => {
  it('has a cassette closed for the time being that was not written to for longest', () => {
    using line = conversation();
    const get = line.ask({ method: 'GET', headers: inSession('a', { Accept: 'text/event-stream' }) }).stream();
    line.open('b');
    line.crowds();
    line.open('c');
    get.event(result).ends();
    line.recorder.end('complete');
    expect(line.failures).toEqual([]);
    expect(line.cassettes()).toHaveLength(3);
    for (const tape of line.cassettes()) expect(line.cassette(tape)).toMatchObject({ end: 'complete', warnings: [] });
    expect(line.cassetteText()).toContain('result: {}');
  });

  it('and where none is open says so', () => {
    using line = conversation();
    line.crowds();
    line.open('a');
    expect(line.failures).toMatchObject([{ code: 'EMFILE' }]);
  });
});

describe('a cassette that cannot be written', () => {
  it('is told of once, and the others go on', () => {
    using line = conversation();
    line.open('s');
    line.breaks(true);
    line.open('t');
    line.ask({ body: request('tools/list'), headers: inSession('t') }).json(result);
    line.breaks(false);
    line.ask({ body: request('tools/list'), headers: inSession('s') }).json(result);
    expect(line.failures).toEqual([new Error('no room')]);
    expect(line.cassetteText()).toContain('method: tools/list');
  });
});
