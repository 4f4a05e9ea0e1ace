import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { META } from '../../src/protocol/meta.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  notification,
  request,
  result,
  server,
} from '../support/conversation.ts';
import { named } from './performed.ts';
import { BOTH, type Served, served } from './served.ts';

const initialize = (protocolVersion = '2025-11-25') =>
  request(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } });
const initialized = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0' as const,
  id: 0,
  result: { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } },
});
const opening = (revision?: string) => [client(initialize(revision)), server(initialized(revision))];

function legacy(revision = '2025-11-25') {
  const one = served(named('legacy', ...opening(revision), client(call(1, 'a')), server(result(1, 'A'))));
  const { headers } = one.post(initialize(revision));
  const session = { 'mcp-session-id': headers['mcp-session-id']! };
  return { ...one, session };
}

const outcome = ({ status, body }: Served) => [status, (body as { error?: { code: number } })?.error?.code];

describe('Streamable HTTP, 2025-03-26 to 2025-11-25, "Session Management" (§6)', () => {
  it('issues an id with the answer to initialize, and takes it with every request after', () => {
    const { post, ask, session } = legacy();
    expect(session).toEqual({ 'mcp-session-id': 'session-1' });
    expect(post(call(1, 'a'), session)).toMatchObject({ status: 200, body: result(1, 'A') });
    expect(ask('GET', { accept: 'text/event-stream', ...session }).status).toBe(200);
  });

  it('answers 400 to a request without an id, and 404 to one whose session is not, or not any more', () => {
    const { post, ask, session } = legacy();
    expect(outcome(post(call(1, 'a')))).toEqual([400, -32000]);
    expect(outcome(post(call(1, 'a'), { 'mcp-session-id': 'x' }))).toEqual([404, -32001]);
    expect(ask('DELETE', session).status).toBe(200);
    expect(outcome(post(call(1, 'a'), session))).toEqual([404, -32001]);
    expect(ask('GET', { ...BOTH, ...session }).status).toBe(404);
    expect(ask('DELETE', session).status).toBe(404);
  });

  it('initializes a session once', () => {
    const { post, session } = legacy();
    expect(outcome(post(initialize(), session))).toEqual([400, -32600]);
    expect(outcome(post(initialize(), { 'mcp-session-id': 'x' }))).toEqual([404, -32001]);
    expect(post(initialize()).headers['mcp-session-id']).toBe('session-2');
  });
});

describe('Streamable HTTP, 2025-03-26 to 2025-11-25, "Sending Messages to the Server" (§6)', () => {
  it('answers 202 without a body to what asks for nothing', () => {
    const { post, session } = legacy();
    for (const message of [notification('initialized'), result(7, 'x')]) {
      const { status, body, headers } = post(message, session);
      expect({ status, body, headers }).toEqual({ status: 202, body: undefined, headers: {} });
    }
  });

  it.each([
    ['406 to what does not accept both', call(1, 'a'), { accept: 'application/json' }, 406, -32000],
    ['415 to another type', call(1, 'a'), { 'content-type': 'text/plain' }, 415, -32000],
    ['400 to what is no JSON', '{', {}, 400, -32700],
    ['400 to JSON that is no message', { jsonrpc: '2.0' }, {}, 400, -32600],
    ['400 to initialize in a batch', [initialize()], {}, 400, -32600],
  ])('answers %s', (_, body, headers, status, code) => {
    const { post, session } = legacy();
    expect(outcome(post(body, { ...session, ...headers }))).toEqual([status, code]);
  });

  it('answers 405 to other methods, and says which there are', () => {
    const { ask, session } = legacy();
    const { status, headers } = ask('PUT', session);
    expect([status, headers.allow]).toEqual([405, 'POST, GET, DELETE']);
  });
});

describe('Streamable HTTP, 2025-03-26 to 2025-11-25, "Listening for Messages from the Server" (§6)', () => {
  it('answers 406 to a GET that does not accept events', () => {
    const { ask, session } = legacy();
    expect(ask('GET', { ...session, accept: 'text/html' }).status).toBe(406);
  });

  it('answers 405 where the recorded server was not seen to offer a stream', () => {
    const frames = opening().map((frame) => (frame.from === 'server' ? { ...frame, session: 'new' as const } : frame));
    const { header, ...cassette } = cassetteOf(...frames);
    const { ask, post } = served(httpCassette({ ...cassette, header: { ...header, transport: 'http' } }));
    const session = { 'mcp-session-id': post(initialize()).headers['mcp-session-id']! };
    const { status, headers } = ask('GET', { accept: 'text/event-stream', ...session });
    expect([status, headers.allow]).toEqual([405, 'POST, DELETE']);
  });
});

describe('2025-06-18, "Protocol Version Header" (§6)', () => {
  it('answers 400 to a revision that is none, whatever the request', () => {
    const { post, ask, session } = legacy();
    const wrong = { ...session, 'mcp-protocol-version': '1999-01-01' };
    expect(outcome(post(call(1, 'a'), wrong))).toEqual([400, -32000]);
    expect(ask('GET', { ...BOTH, ...wrong }).status).toBe(400);
    expect(ask('DELETE', wrong).status).toBe(400);
  });

  it('takes the revisions there are, none, and one that the cassette has settled on', () => {
    const { post, session } = legacy('2024-10-07');
    for (const named of ['2024-11-05', '2025-06-18', '2025-11-25', '2024-10-07'])
      expect(post(notification('x'), { ...session, 'mcp-protocol-version': named }).status).toBe(202);
    expect(post(call(1, 'a'), session).status).toBe(200);
  });
});

describe('JSON-RPC batches (§2)', () => {
  const batch = [call(1, 'a'), request(2, 'ping')];
  it('are taken in 2025-03-26', () => {
    const { post, session } = legacy('2025-03-26');
    expect(post(batch, session).status).toBe(200);
  });

  it('are refused with 400 in every other revision', () => {
    for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const { post, session } = legacy(revision);
      expect(outcome(post(batch, session))).toEqual([400, -32600]);
    }
    const { post, session } = legacy('2025-03-26');
    expect(post(batch, { ...session, 'mcp-protocol-version': '2025-06-18' }).status).toBe(400);
  });

  it('are taken where the cassette has one that was', () => {
    const again = [call(3, 'a'), call(4, 'a')];
    const frames = [...opening(), client(again), server([result(3, 'A'), result(4, 'B')])];
    const { post } = served(named('batched', ...frames));
    const session = { 'mcp-session-id': post(initialize()).headers['mcp-session-id']! };
    expect(post(again, session).status).toBe(200);
  });
});

const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
const modernCall = (id: number, name: string, args?: object) =>
  request(id, 'tools/call', { name, ...(args && { arguments: args }), _meta });
const demanded = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const marked = (type: string, header: string) => ({ type, 'x-mcp-header': header });

function modern() {
  const properties = { n: marked('integer', 'Count'), s: marked('string', 'Word') };
  const tools = [{ name: 'a', inputSchema: { type: 'object', properties } }];
  const listed = { jsonrpc: '2.0' as const, id: 1, result: { tools } };
  return served(
    named(
      'modern',
      client(request(1, 'tools/list', { _meta })),
      server(listed),
      client(modernCall(2, 'a', { n: 1, s: 'é' })),
      server(result(2, 'A')),
    ),
  );
}

describe('Streamable HTTP, 2026-07-28 (§7)', () => {
  const args = { n: 1, s: 'é' };
  const params = { 'mcp-param-count': '1', 'mcp-param-word': '=?base64?w6k=?=' };
  const right = { ...demanded('a'), ...params };

  it('has no sessions: an id is neither issued nor minded, and there is no GET and no DELETE', () => {
    const { post, ask } = modern();
    const answer = post(modernCall(5, 'a', args), { ...right, 'mcp-session-id': 'x', 'last-event-id': 'y' });
    expect(answer).toMatchObject({ status: 200, body: result(5, 'A') });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect(ask(method, BOTH)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  it('"Standard Request Headers": takes headers that say what the body says, numbers by value', () => {
    expect(modern().post(modernCall(5, 'a', args), right).status).toBe(200);
    expect(modern().post(modernCall(5, 'a', args), { ...right, 'mcp-param-count': '1.0' }).status).toBe(200);
    expect(
      modern().post(request(5, 'tools/list', { _meta }), { ...demanded(''), 'mcp-method': 'tools/list' }).status,
    ).toBe(200);
  });

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-count', 'mcp-param-word'])(
    '"Standard Request Headers": answers 400 and HeaderMismatch where %s is missing or says something else',
    (name) => {
      const { [name]: _, ...without } = right as Record<string, string>;
      for (const headers of [without, { ...right, [name]: '2' }]) {
        const answer = modern().post(modernCall(5, 'a', args), headers);
        expect([...outcome(answer), (answer.body as { id: number }).id]).toEqual([400, -32020, 5]);
      }
    },
  );

  it('"Custom Headers from Tool Parameters": asks for no header where there is no argument', () => {
    const { post } = modern();
    const answer = post(modernCall(5, 'a', { s: null }), demanded('a'));
    expect(outcome(answer)).toEqual([200, -32603]);
  });

  it('answers 400 and -32022 to a revision that it does not have, and says which it has', () => {
    const other = { ..._meta, [META.protocolVersion]: '2099-01-01' };
    const answer = modern().post(request('r', 'tools/list', { _meta: other }), {
      ...demanded(''),
      'mcp-protocol-version': '2099-01-01',
    });
    expect(outcome(answer)).toEqual([400, -32022]);
    expect(answer.body).toMatchObject({
      id: 'r',
      error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
    expect(outcome(modern().post(initialize()))).toEqual([400, -32022]);
  });

  it('answers 400 and -32602 to a request that lacks what every request has in _meta', () => {
    const { [META.clientCapabilities]: _, ...less } = _meta;
    expect(outcome(modern().post(call(1, 'a')))).toEqual([400, -32602]);
    const lacking = request(1, 'tools/list', { _meta: less });
    expect(outcome(modern().post(lacking, { ...demanded(''), 'mcp-method': 'tools/list' }))).toEqual([400, -32602]);
  });

  it('answers 400 to batches and to answers, 404 to a method that there is not, 202 to a notification', () => {
    const { post } = modern();
    expect(outcome(post([modernCall(5, 'a', args)], right))).toEqual([400, -32600]);
    expect(outcome(post(result(1, 'x')))).toEqual([400, -32600]);
    const strange = post(request(1, 'no/such', { _meta }), { ...demanded(''), 'mcp-method': 'no/such' });
    expect(strange.status).toBe(404);
    expect(post(notification('x', { _meta })).status).toBe(202);
  });
});

describe('a call that a person has added to a recording without a stream', () => {
  const HEAD =
    'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n';
  const recordedCall =
    '- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: a } }\n  stream: 1\n- server: { jsonrpc: "2.0", id: 1, result: { text: A } }\n  stream: 1\n';
  const added =
    '- client: { jsonrpc: "2.0", id: 7, method: tools/call, params: { name: b } }\n- server: { jsonrpc: "2.0", method: notifications/message, params: { level: info, data: at work } }\n- server: { jsonrpc: "2.0", id: 7, result: { text: B } }\n- end: complete\n';

  it('is answered like a recorded one, with what the server says meanwhile', () => {
    const { post, settle } = served(httpCassette(parseCassette(HEAD + recordedCall + added, 'cassette.yaml')));
    expect(post(call(4, 'a')).body).toMatchObject({ id: 4, result: { text: 'A' } });
    const { events } = post(call(5, 'b'));
    settle();
    expect(events).toMatchObject([{ method: 'notifications/message' }, { id: 5, result: { text: 'B' } }]);
  });
});

describe('a request that the recorded server answered with a status and no message', () => {
  const HEAD = 'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n';
  const asked = (stream: number) =>
    `- client: { jsonrpc: "2.0", id: ${stream}, method: tools/call, params: { name: a } }\n  stream: ${stream}\n`;
  const recorded = (...events: string[]) =>
    served(httpCassette(parseCassette(HEAD + events.join(''), 'cassette.yaml')));
  const said = ({ status, body }: Served) => [status, body];

  it('is answered so, with its body', () => {
    const { post } = recorded(asked(1), '- response: 503\n  stream: 1\n  headers: { retry-after: "5" }\n');
    const answer = post(call(7, 'a'));
    expect([said(answer), answer.headers['retry-after']]).toEqual([[503, undefined], '5']);
  });

  it('is answered so where that was an error that names no request', () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'busy' } };
    const { post } = recorded(asked(1), `- server: ${JSON.stringify(error)}\n  stream: 1\n  status: 400\n`);
    expect(said(post(call(7, 'a')))).toEqual([400, error]);
  });

  it('that asked for a token never was: it came again', () => {
    const answer = '- server: { jsonrpc: "2.0", id: 2, result: { text: A } }\n  stream: 2\n';
    const { post } = recorded(asked(1), '- response: 401\n  stream: 1\n', asked(2), answer);
    expect(said(post(call(7, 'a')))).toEqual([200, result(7, 'A')]);
  });

  it('while another was under way, is answered so, and not the other', () => {
    const both = [asked(1), asked(2), '- response: 503\n  stream: 1\n'];
    const { post, ask } = recorded(...both, '- server: { jsonrpc: "2.0", id: 2, result: { text: A } }\n  stream: 2\n');
    const [first, second] = [post(call(7, 'a')), post(call(8, 'a'))];
    ask('GET');
    expect([said(first), said(second)]).toEqual([
      [503, undefined],
      [200, result(8, 'A')],
    ]);
  });

  it('that asked for a token for good is answered so', () => {
    const { post } = recorded(asked(1), '- response: 403\n  stream: 1\n');
    expect(said(post(call(7, 'a')))).toEqual([403, undefined]);
  });
});
