import { describe, expect, it } from 'vitest';
import { paramHeadersOf } from '../../../../src/transports/http/mcp-headers/param-headers.ts';
import { requestHeaders, withRecorded } from '../../../../src/transports/http/mcp-headers/request-headers.ts';
import { notification, request } from '../../../support/conversation.ts';

const BOTH = 'application/json, text/event-stream';
const POST = { 'content-type': 'application/json', accept: BOTH };
const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25' });
const ping = request(1, 'ping');
const initialized = notification('initialized');

describe('recorded headers', () => {
  it('replace what the protocol demands, however they are spelled', () => {
    expect(withRecorded(POST, { Accept: 'text/html', 'Content-Type': '', 'x-own': 'a' })).toEqual({
      accept: 'text/html',
      'x-own': 'a',
    });
  });

  it('choose no host, frame no message and bring no credentials', () => {
    for (const name of [
      'Host',
      'Transfer-Encoding',
      'content-length',
      'Connection',
      'Upgrade',
      'Expect',
      'Authorization',
    ])
      expect(withRecorded(POST, { [name]: 'a', [name.toLowerCase()]: '' }), name).toEqual(POST);
  });
});

describe('the headers of HTTP with SSE, 2024-11-05 (§5)', () => {
  const standing = { isLegacySse: true, session: 's', revision: '2024-11-05' };

  it('are the type of the body alone', () => {
    expect(requestHeaders({ method: 'POST', message: ping }, standing)).toEqual({
      'content-type': 'application/json',
    });
  });

  it('ask for events where the stream is opened', () => {
    expect(requestHeaders({ method: 'GET' }, standing)).toEqual({ accept: 'text/event-stream' });
  });
});

describe.each([
  ['2025-03-26', {}],
  ['2025-06-18', { 'mcp-protocol-version': '2025-06-18' }],
  ['2025-11-25', { 'mcp-protocol-version': '2025-11-25' }],
])('the headers of Streamable HTTP %s (§6)', (revision, version) => {
  const standing = { session: 'abc', revision };
  const inSession = { 'mcp-session-id': 'abc', ...version };

  it('take both kinds of answer', () => {
    expect(requestHeaders({ method: 'POST', message: initialize }, {})).toEqual(POST);
  });

  it('name the session and the revision once there are', () => {
    const headers = { ...POST, ...inSession };
    expect(requestHeaders({ method: 'POST', message: ping }, standing)).toEqual(headers);
    expect(requestHeaders({ method: 'POST', message: initialized }, standing)).toEqual(headers);
    expect(requestHeaders({ method: 'POST', message: [ping] }, standing)).toEqual(headers);
  });

  it('name no session where the server issued none', () => {
    expect(requestHeaders({ method: 'POST', message: ping }, { revision })).toEqual({ ...POST, ...version });
  });

  it('name neither when a session begins anew (§6)', () => {
    expect(requestHeaders({ method: 'POST', message: initialize }, standing)).toEqual(POST);
  });

  it('ask for events, and for those after the last one seen, on a stream', () => {
    const headers = { accept: 'text/event-stream', ...inSession };
    expect(requestHeaders({ method: 'GET' }, standing)).toEqual(headers);
    expect(requestHeaders({ method: 'GET', resumes: '4_1' }, standing)).toEqual({
      ...headers,
      'last-event-id': '4_1',
    });
  });

  it('name what is to be deleted', () => {
    expect(requestHeaders({ method: 'DELETE' }, standing)).toEqual(inSession);
  });
});

describe('the headers of 2026-07-28 (§7)', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const headersOf = (method: string, params = {}, standing = {}) => {
    const {
      'content-type': _type,
      accept,
      ...rest
    } = requestHeaders(
      { method: 'POST', message: request(1, method, { ...params, _meta }) },
      { session: 'ignored', revision: '2025-11-25', ...standing },
    );
    expect(accept).toBe(BOTH);
    return rest;
  };
  const ofCall = (name: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });

  it('repeat the revision and the method, and know no session', () => {
    expect(headersOf('server/discover')).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    });
  });

  it.each([
    ['tools/call', { name: 'x' }],
    ['prompts/get', { name: 'x' }],
    ['resources/read', { uri: 'x' }],
    ['tasks/get', { taskId: 'x' }],
    ['tasks/update', { taskId: 'x' }],
    ['tasks/cancel', { taskId: 'x' }],
  ])('repeat what %s is about', (method, params) => {
    expect(headersOf(method, params)).toMatchObject({ 'mcp-method': method, 'mcp-name': 'x' });
  });

  it('do not repeat the name of what the revision does not list', () => {
    expect(headersOf('completion/complete', { name: 'x' })).not.toHaveProperty('mcp-name');
  });

  it('name the revision alone where nothing is asked', () => {
    const message = notification('cancelled', { requestId: 1, _meta });
    expect(requestHeaders({ method: 'POST', message }, {})).toEqual({
      ...POST,
      'mcp-protocol-version': '2026-07-28',
    });
  });

  it.each([
    ['Grüße', '=?base64?R3LDvMOfZQ==?='],
    [' edge', '=?base64?IGVkZ2U=?='],
    ['tab\tinside', '=?base64?dGFiCWluc2lkZQ==?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
    ['two words', 'two words'],
    ['', ''],
  ])('carry %j as %s', (name, text) => {
    expect(headersOf('tools/call', { name })).toEqual(ofCall(text));
  });

  describe('repeat the arguments that a tool marks', () => {
    const marked = (header: string, type = 'string') => ({ type, 'x-mcp-header': header });
    const inputSchema = {
      type: 'object',
      properties: {
        region: marked('Region'),
        dry: marked('Dry-Run', 'boolean'),
        count: marked('Count', 'integer'),
        nested: { type: 'object', properties: { zone: marked('Zone') } },
        list: { type: 'array', items: { type: 'object', properties: { no: marked('No') } } },
        odd: marked('not a token'),
        plain: { type: 'string' },
      },
    };
    const params = paramHeadersOf({ tools: [{ name: 'deploy', inputSchema }, 'no tool', { name: 7 }] });
    const paramsOf = (args: unknown, name = 'deploy') =>
      Object.entries(headersOf('tools/call', { name, arguments: args }, { params })).filter(([header]) =>
        header.startsWith('mcp-param-'),
      );

    it('as text, wherever properties lead', () => {
      expect(
        paramsOf({
          region: 'köln',
          dry: false,
          count: 3,
          nested: { zone: 'a' },
          list: [{ no: 1 }],
          odd: 'x',
        }),
      ).toEqual([
        ['mcp-param-region', '=?base64?a8O2bG4=?='],
        ['mcp-param-dry-run', 'false'],
        ['mcp-param-count', '3'],
        ['mcp-param-zone', 'a'],
      ]);
    });

    it('and not what is absent, null or no single value', () => {
      expect(paramsOf({ region: null, dry: ['x'], nested: 'x' })).toEqual([]);
      expect(paramsOf(undefined)).toEqual([]);
      expect(paramsOf({ region: 'x' }, 'another tool')).toEqual([]);
    });
  });
});
