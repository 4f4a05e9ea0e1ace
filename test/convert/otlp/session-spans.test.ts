import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import type { Span } from '../../../src/convert/otlp/otlp-types.ts';
import { SessionSpans } from '../../../src/convert/otlp/session-spans.ts';
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
import { attributesOf, durationOf } from '../../support/otlp.ts';

const STARTED = Date.UTC(2026, 10, 28);
const START_NANO = `${STARTED}000000`;

function begin({ header }: Cassette, seed = 'seed') {
  return new SessionSpans({ header, startedAt: STARTED, seed });
}

function spansOf(...frames: Frame[]): Span[] {
  return spansIn(cassette(...frames));
}

function spansIn(recorded: Cassette): Span[] {
  const session = begin(recorded);
  return [...session.add(recorded.events), ...session.end()];
}

const over = (stream: number, frame: Frame): Frame => ({ ...frame, stream }) as Frame;
const http = (...frames: Frame[]): Cassette => {
  const recorded = cassette(...frames);
  recorded.header = { ...recorded.header, transport: 'http', url: 'https://example.com/mcp' };
  return recorded;
};
const failure = (id: number, code: unknown, message?: unknown) => ({ jsonrpc: '2.0', id, error: { code, message } });
const eventsOf = ({ events }: Span) => events.map(({ name }) => name);

describe('a request', () => {
  it('is a span of its method and tool, from the request to the response', () => {
    const [span, root] = spansOf(client(call(7, 'add'), 5), server(result(7, '3'), 25));
    expect(span).toMatchObject({
      name: 'tools/call add',
      kind: 3,
      traceId: root!.traceId,
      parentSpanId: root!.spanId,
      flags: 0x101,
      startTimeUnixNano: `${STARTED + 5}000000`,
      endTimeUnixNano: `${STARTED + 25}000000`,
      status: {},
    });
    expect(attributesOf(span!)).toEqual({
      'mcp.method.name': 'tools/call',
      'jsonrpc.request.id': '7',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add',
      'network.transport': 'pipe',
      'mcp_record.from': 'client',
      'mcp_record.line': 1,
    });
    expect(root).toMatchObject({ name: 'MCP session', kind: 1, startTimeUnixNano: START_NANO, flags: 0x101 });
    expect(root).not.toHaveProperty('parentSpanId');
    expect(durationOf(root!)).toBe(25);
  });

  it('names its prompt, and its resource, which is in no name', () => {
    const [prompt, resource] = spansOf(
      client(request('a', 'prompts/get', { name: 'greet' })),
      server({ id: 'a', result: {} }),
      client(request(2, 'resources/read', { uri: 'file:///x', name: 'y' })),
      server({ id: 2, result: {} }),
    );
    expect([prompt!.name, resource!.name]).toEqual(['prompts/get greet', 'resources/read']);
    expect(attributesOf(prompt!)).toMatchObject({ 'gen_ai.prompt.name': 'greet', 'jsonrpc.request.id': 'a' });
    expect(attributesOf(resource!)).toMatchObject({ 'mcp.resource.uri': 'file:///x' });
    expect(attributesOf(resource!)).not.toHaveProperty('gen_ai.prompt.name');
  });

  it('keeps the digits of an id that no number holds', () => {
    const [span] = spansOf(client('{"id":12345678901234567890,"method":"ping"}'));
    expect(attributesOf(span!)['jsonrpc.request.id']).toBe('12345678901234567890');
  });

  it('has the address of a server that has one', () => {
    const [span, root] = spansIn(http(over(1, client(call(1, 'add'))), over(1, server(result(1, '3')))));
    const address = { 'server.address': 'example.com', 'server.port': 443, 'network.protocol.name': 'http' };
    expect(attributesOf(span!)).toMatchObject({ ...address, 'network.transport': 'tcp' });
    expect(attributesOf(root!)).toMatchObject(address);
  });

  it('has no payload of either side', () => {
    const secret = 'what-was-said';
    const spans = spansOf(
      client(call(1, 'add', { text: secret })),
      server(notification('message', { level: 'info', data: secret })),
      server(result(1, secret)),
    );
    expect(JSON.stringify(spans)).not.toContain(secret);
  });
});

describe('a failure', () => {
  it('of JSON-RPC is the status, with its code and message', () => {
    const [span] = spansOf(client(call(1, 'add')), server(failure(1, -32602, 'Unknown tool')));
    expect(span!.status).toEqual({ code: 2, message: 'Unknown tool' });
    expect(attributesOf(span!)).toMatchObject({ 'error.type': '-32602', 'rpc.response.status_code': '-32602' });
  });

  it('without a code or message is a failure nevertheless', () => {
    const [span] = spansOf(client(call(1, 'add')), server('{"id":1,"error":"no"}'));
    expect(span!.status).toEqual({ code: 2 });
    expect(attributesOf(span!)['error.type']).toBe('_OTHER');
    expect(attributesOf(span!)).not.toHaveProperty('rpc.response.status_code');
  });

  it('of a tool is the status', () => {
    const [span] = spansOf(client(call(1, 'add')), server({ id: 1, result: { isError: true, content: [] } }));
    expect(span!.status).toEqual({ code: 2 });
    expect(attributesOf(span!)['error.type']).toBe('tool_error');
  });

  it('is none where a result has a null error beside it', () => {
    const [span] = spansOf(client(call(1, 'add')), server('{"id":1,"error":null,"result":{"isError":false}}'));
    expect(span!.status).toEqual({});
  });

  it('is a cancelled request, which ends with the cancel', () => {
    const [span] = spansOf(client(call(1, 'slow'), 5), client(cancel(1), 30), client(call(2, 'x'), 90));
    expect(span!.status).toEqual({ code: 2, message: 'cancelled by the client' });
    expect(attributesOf(span!)['error.type']).toBe('cancelled');
    expect(durationOf(span!)).toBe(25);
    expect(eventsOf(span!)).toEqual(['notifications/cancelled']);
  });

  it('is none where the response came in spite of the cancel', () => {
    const [span] = spansOf(client(call(1, 'slow'), 5), client(cancel(1), 30), server(result(1, 'late'), 40));
    expect(span).toMatchObject({ status: {} });
    expect([durationOf(span!), eventsOf(span!)]).toEqual([35, ['notifications/cancelled']]);
  });

  it('is a request without a response, which lasts to the end of the session', () => {
    const [answered, lost] = spansOf(
      client(call(1, 'lost'), 5),
      client(call(2, 'add'), 10),
      server(result(2, '3'), 50),
    );
    expect([answered!.name, lost!.name]).toEqual(['tools/call add', 'tools/call lost']);
    expect(lost!.status).toEqual({ code: 2, message: 'no response was recorded' });
    expect(attributesOf(lost!)['error.type']).toBe('no_response');
    expect(durationOf(lost!)).toBe(45);
  });

  it('is a refusal by HTTP', () => {
    const recorded = http(
      over(1, client(call(1, 'add'))),
      { kind: 'http-response', at: 9, from: 'server', stream: 1, status: 401 },
      over(2, client(call(2, 'add'))),
      { ...over(2, server('{"error":{"code":-32000,"message":"No session"},"id":null}', 9)), status: 404 } as Frame,
      over(3, client(call(3, 'add'))),
      { ...over(3, server(failure(3, -32001, 'Bad header'), 9)), status: 400 } as Frame,
    );
    const [none, foreign, own] = spansIn(recorded);
    expect([none!.status.message, foreign!.status.message, own!.status.message]).toEqual([
      'HTTP 401',
      'HTTP 404',
      'Bad header',
    ]);
    expect(attributesOf(none!)).toMatchObject({ 'error.type': '401', 'http.response.status_code': 401 });
    expect(attributesOf(own!)).toMatchObject({ 'error.type': '-32001', 'http.response.status_code': 400 });
    expect(durationOf(none!)).toBe(9);
  });

  it('is none for a stream that was open to the end', () => {
    const [span] = spansOf(
      client(request(1, 'subscriptions/listen', { notifications: {} })),
      server(result(9, ''), 70),
    );
    expect(span!.status).toEqual({});
    expect(durationOf(span!)).toBe(70);
  });
});

describe('a session', () => {
  it('has the negotiated revision, and the names of both sides', () => {
    const [opening, listing, root] = spansOf(
      client(request(1, 'initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'host' } })),
      server({ id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'weather' } } }),
      client(notification('initialized')),
      client(request(2, 'tools/list')),
      server({ id: 2, result: {} }),
    );
    for (const span of [opening, listing, root]) expect(attributesOf(span!)['mcp.protocol.version']).toBe('2025-06-18');
    expect(attributesOf(root!)).toMatchObject({
      'mcp_record.client.name': 'host',
      'mcp_record.server.name': 'weather',
    });
    expect(eventsOf(root!)).toEqual(['notifications/initialized']);
  });

  it('of 2026-07-28 names them in every request', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'host' },
    };
    const [span, root] = spansOf(
      client(request(1, 'tools/call', { name: 'ask', _meta })),
      server({
        id: 1,
        result: { resultType: 'input_required', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'w' } } },
      }),
    );
    expect(attributesOf(span!)).toMatchObject({
      'mcp.protocol.version': '2026-07-28',
      'mcp_record.result_type': 'input_required',
    });
    expect(attributesOf(root!)).toMatchObject({ 'mcp_record.client.name': 'host', 'mcp_record.server.name': 'w' });
  });

  it('of 2026-07-28 has a request whose stream the client closed cancelled', () => {
    const revision = (version: string) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    const left = (version: string) =>
      spansIn(
        http(over(1, client(request(1, 'tools/call', { name: 'slow', ...revision(version) }))), {
          kind: 'close',
          at: 40,
          from: 'client',
          stream: 1,
        }),
      )[0]!.status.message;
    expect([left('2026-07-28'), left('2025-11-25')]).toEqual(['cancelled by the client', 'no response was recorded']);
  });

  it('without any event is its root span', () => {
    expect(spansOf()).toMatchObject([
      { name: 'MCP session', startTimeUnixNano: START_NANO, endTimeUnixNano: START_NANO },
    ]);
  });
});

describe('what the server sends during a request', () => {
  const sampling = request(1, 'sampling/createMessage', { messages: [] });

  it('is below that request, if it is the only one', () => {
    const [ask, add, root] = spansOf(
      client(call(1, 'add')),
      server(notification('message', { level: 'info', logger: 'db', data: 1 })),
      server(sampling),
      client(result(1, 'yes')),
      server(result(1, '3')),
    );
    expect(ask).toMatchObject({ name: 'sampling/createMessage', parentSpanId: add!.spanId, traceId: root!.traceId });
    expect(attributesOf(ask!)['mcp_record.from']).toBe('server');
    expect(attributesOf(add!.events[0]!)).toEqual({
      'mcp.method.name': 'notifications/message',
      'mcp_record.level': 'info',
      'mcp_record.logger': 'db',
    });
  });

  it('is below the session, if several were open', () => {
    const [ask, , , root] = spansOf(
      client(call(1, 'add')),
      client(call(2, 'add')),
      server(notification('message', { level: 'info', data: 1 })),
      server(sampling),
      client(result(1, 'yes')),
      server(result(1, '3')),
      server(result(2, '3')),
    );
    expect(ask!.parentSpanId).toBe(root!.spanId);
    expect(eventsOf(root!)).toEqual(['notifications/message']);
  });

  it('is below the one whose stream carries it over HTTP', () => {
    const [ask, second, first] = spansIn(
      http(
        over(1, client(call(1, 'add'))),
        over(2, client(call(2, 'add'))),
        over(2, server(notification('message', { level: 'info', data: 1 }))),
        over(2, server(sampling)),
        over(3, client(result(1, 'yes'))),
        over(2, server(result(2, '3'))),
        over(1, server(result(1, '3'))),
      ),
    );
    expect(ask!.parentSpanId).toBe(second!.spanId);
    expect([eventsOf(second!), eventsOf(first!)]).toEqual([['notifications/message'], []]);
  });

  it('is an event with its numbers, if it is progress', () => {
    const [span] = spansOf(
      client(call(1, 'add', {}, 'token')),
      client(call(2, 'add')),
      server(
        { ...progress('token', 0.5), params: { progressToken: 'token', progress: 0.5, total: 2, message: 'half' } },
        8,
      ),
      server(result(1, '3')),
    );
    expect(span!.events).toEqual([
      {
        timeUnixNano: `${STARTED + 8}000000`,
        name: 'notifications/progress',
        attributes: [
          { key: 'mcp.method.name', value: { stringValue: 'notifications/progress' } },
          { key: 'mcp_record.progress', value: { doubleValue: 0.5 } },
          { key: 'mcp_record.total', value: { intValue: '2' } },
        ],
      },
    ]);
  });

  it('is counted beyond a limit', () => {
    const [span] = spansOf(
      client(call(1, 'add', {}, 'token')),
      ...Array.from({ length: 130 }, (_, value) => server(progress('token', value))),
      server(result(1, '3')),
    );
    expect([span!.events.length, span!.droppedEventsCount]).toEqual([128, 2]);
  });
});

describe('a request that names its parent', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traced = request(1, 'tools/call', {
    name: 'add',
    _meta: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: 'rojo=1' },
  });

  it('is the other end of the span of its sender, and links to the session', () => {
    const [span, root] = spansOf(client(traced), server(result(1, '3')));
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: '00f067aa0ba902b7',
      traceState: 'rojo=1',
      flags: 0x301,
      kind: 2,
      links: [{ traceId: root!.traceId, spanId: root!.spanId }],
    });
    expect(root!.traceId).not.toBe(TRACE);
  });

  it('takes what the server asks meanwhile into its trace', () => {
    const [ask, span] = spansOf(
      client(traced),
      server(request(1, 'sampling/createMessage')),
      client(result(1, 'yes')),
      server(result(1, '3')),
    );
    expect(ask).toMatchObject({ traceId: TRACE, parentSpanId: span!.spanId, kind: 3, flags: 0x101 });
  });
});

describe('ids', () => {
  const frames = [client(call(1, 'add')), server(result(1, '3')), client(call(1, 'add')), server(result(1, '3'))];

  it('are hex, and each another', () => {
    const spans = spansOf(...frames);
    for (const { traceId, spanId } of spans) {
      expect(traceId).toMatch(/^[\da-f]{32}$/);
      expect(spanId).toMatch(/^[\da-f]{16}$/);
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
  });

  it('depend on the seed alone', () => {
    const recorded = cassette(...frames);
    const all = (seed: string) => {
      const session = begin(recorded, seed);
      return [...session.add(recorded.events), ...session.end()];
    };
    expect(all('a')).toEqual(all('a'));
    expect(all('a')[0]!.traceId).not.toBe(all('b')[0]!.traceId);
  });

  it('are the same where events come one by one', () => {
    const recorded = cassette(client(call(1, 'a', {}, 't')), server(progress('t', 1)), client(cancel(1)), ...frames);
    const session = begin(recorded);
    expect([...recorded.events.flatMap((event) => session.add([event])), ...session.end()]).toEqual(spansIn(recorded));
  });
});

it('shortens long texts, and takes lone surrogates out, which protobuf cannot hold', () => {
  const [span] = spansOf(client(request(1, `x${'\ud800'}`)), server(failure(1, 1, 'y'.repeat(10_000))));
  expect(span!.name).toBe('x\ufffd');
  expect(span!.status.message).toHaveLength(4097);
});

it('survives what strangers write', () => {
  const spans = spansOf(
    client('{"id":1,"method":"","params":null}'),
    client('{"id":2,"method":"tools/call","params":{"name":7}}'),
    client('{"id":3,"method":"tools/call","params":[]}'),
    client('[{"id":4,"method":"initialize","params":{"clientInfo":7}},{"id":1,"method":"ping"}]'),
    server('{"id":4,"result":7}'),
    server('{"id":99,"error":7}'),
    server('{"method":"notifications/progress","params":{"progressToken":"none","progress":1e999}}'),
    server('{"method":"notifications/cancelled"}'),
    server('{"method":"","params":7}'),
    server('[]'),
  );
  expect(spans.map(({ name }) => name)).toEqual([
    'initialize',
    'request',
    'tools/call',
    'tools/call',
    'ping',
    'MCP session',
  ]);
});
