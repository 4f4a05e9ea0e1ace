import { describe, expect, it } from 'vitest';
import { ServerMessageChecks } from '../../../src/mock/client/server-message-checks.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { notification, request } from '../../support/conversation.ts';

const json = (value: unknown) => new JsonText(JSON.stringify(value));
const introduction = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
const tool = { name: 'a', inputSchema: { type: 'object' } };
const text = { type: 'text', text: 'hi' };
const CACHE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A check of the revision, with all that it reports. */
function checked(revision = '2025-11-25') {
  const texts: string[] = [];
  const check = new ServerMessageChecks(revision, ({ kind, text }) => texts.push(`${kind}: ${text}`));
  return { check, texts };
}

/** What is reported of an answer. `answer`: its members besides the id. */
function reportOf(method: string, answer: object, revision?: string, params?: Record<string, unknown>): string[] {
  const { check, texts } = checked(revision);
  check.sent(json(request(1, method, params)));
  check.received(json({ jsonrpc: '2.0', id: 1, ...answer }));
  return texts.map((text) => text.replace('differs: The server has answered ', ''));
}

describe('answers that the specification allows:', () => {
  it.each([
    ['initialize', introduction],
    ['initialize', { ...introduction, protocolVersion: '2024-11-05' }],
    ['ping', {}],
    ['logging/setLevel', {}],
    ['tools/list', { tools: [tool] }],
    ['tools/call', { content: [text], structuredContent: { a: 1 }, more: true }],
    ['tools/call', { content: [{ type: 'resource_link', name: 'a', uri: 'a:b' }], isError: true }],
    ['resources/read', { contents: [{ uri: 'a:b', text: 'a' }] }],
    ['acme/other', { anything: [] }],
  ])('%s %j', (method, result) => {
    expect(reportOf(method, { result })).toEqual([]);
  });

  it.each([
    ['server/discover', { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: introduction.serverInfo }],
    ['tools/list', { tools: [tool] }],
    ['tools/call', { content: [text], structuredContent: 5 }],
    ['tools/call', { resultType: 'acme', anything: 1 }],
  ])('%s %j of 2026-07-28', (method, result) => {
    expect(reportOf(method, { result: { ...CACHE, ...result } }, '2026-07-28')).toEqual([]);
  });

  it('an error', () => {
    expect(reportOf('ping', { error: { code: -32601, message: 'no', data: 1 } })).toEqual([]);
  });
});

describe('answers that the specification does not allow:', () => {
  it.each([
    [
      'initialize',
      { ...introduction, serverInfo: undefined },
      "/result must have required property 'serverInfo' (InitializeResult of 2025-11-25)",
    ],
    [
      'initialize',
      { ...introduction, capabilities: 5 },
      '/result/capabilities must be object (InitializeResult of 2025-11-25)',
    ],
    [
      'tools/list',
      { tools: [tool, { name: 'b' }] },
      "/result/tools/1 must have required property 'inputSchema' (ListToolsResult of 2025-11-25)",
    ],
    [
      'tools/list',
      { tools: [{ ...tool, name: 5 }] },
      '/result/tools/0/name must be string (ListToolsResult of 2025-11-25)',
    ],
    ['tools/call', { content: 'nope' }, '/result/content must be array (CallToolResult of 2025-11-25)'],
    ['tools/call', null, '/result must be object (Result of all revisions)'],
    ['acme/other', null, '/result must be object (Result of all revisions)'],
    ['ping', [], '/result must be object (Result of all revisions)'],
  ])('%s %j', (method, result, problem) => {
    expect(reportOf(method, { result })).toEqual([`${method} with a bad result: ${problem}.`]);
  });

  it('names the tool that was called', () => {
    expect(reportOf('tools/call', { result: {} }, '2025-06-18', { name: 'add' })).toEqual([
      `tools/call "add" with a bad result: /result must have required property 'content' (CallToolResult of 2025-06-18).`,
    ]);
  });

  it.each([{ code: 1, message: 'x' }, null])('a result and an error, %j', (error) => {
    expect(reportOf('tools/call', { result: { content: [] }, error })).toEqual([
      'tools/call with a result and an error: JSON-RPC 2.0 allows one of them.',
    ]);
  });

  it.each([
    ['2025-11-25', 'JSONRPCErrorResponse'],
    ['2025-03-26', 'JSONRPCError'],
  ])('an error without a message in %s', (revision, name) => {
    expect(reportOf('ping', { error: { code: 1 } }, revision)).toEqual([
      `ping with a bad error: /error must have required property 'message' (${name} of ${revision}).`,
    ]);
  });

  it('a list without resultType in 2026-07-28', () => {
    expect(reportOf('tools/list', { result: { ...CACHE, resultType: undefined, tools: [] } }, '2026-07-28')).toEqual([
      "tools/list with a bad result: /result must have required property 'resultType' (ListToolsResult of 2026-07-28).",
    ]);
  });

  it('input requests that no other check reports', () => {
    const asks = (one: object) =>
      reportOf('tools/call', { result: { resultType: 'input_required', inputRequests: { a: one } } }, '2026-07-28');
    expect(asks({ method: 'elicitation/create', params: { message: 'Why?' } })).toEqual([]);
    expect(asks({ method: 5 })).toEqual([expect.stringContaining('/result/inputRequests/a')]);
  });
});

it('checks by the revision that the server chose, and allows what the SDKs send in it', () => {
  const after = (protocolVersion: string, result: object) => {
    const { check, texts } = checked();
    check.sent(json(request(1, 'initialize')));
    check.received(json({ jsonrpc: '2.0', id: 1, result: { ...introduction, protocolVersion } }));
    check.sent(json(request(2, 'tools/call')));
    check.received(json({ jsonrpc: '2.0', id: 2, result }));
    return texts;
  };
  const bad = (revision: string) => [
    expect.stringContaining(`/result/content must be array (CallToolResult of ${revision})`),
  ];
  expect(after('2025-06-18', { content: 5 })).toEqual(bad('2025-06-18'));
  expect(after('2025-03-26', { content: 5 })).toEqual(bad('2025-03-26'));
  // The package has no schema of 2024-11-05.
  expect(after('2024-11-05', { content: 5 })).toEqual(bad('2025-03-26'));
  // Another check reports that this revision does not exist.
  expect(after('2020-01-01', { content: 5 })).toEqual(bad('2025-11-25'));
  const link = { content: [{ type: 'resource_link', name: 'a', uri: 'a:b' }] };
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
    expect(after(revision, link)).toEqual([]);
});

describe('the form of messages', () => {
  const formOf = (message: unknown, revision?: string) => {
    const { check, texts } = checked(revision);
    check.received(json(message));
    return texts;
  };

  it('has "jsonrpc": "2.0"', () => {
    expect(formOf({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })).toEqual([]);
    expect(formOf({ id: 1, result: {} })).toEqual([
      'differs: The server has sent a message without "jsonrpc": "2.0", which clients do not read: {"id":1,"result":{}}',
    ]);
    expect(formOf({ jsonrpc: '1.0', method: 'a' })).toHaveLength(1);
  });

  it('is no batch, except in 2025-03-26', () => {
    const batch = [{ jsonrpc: '2.0', id: 1, result: {} }];
    expect(formOf(batch)).toEqual([
      'differs: The server has sent a batch, which clients read in 2025-03-26 only: [{"jsonrpc":"2.0","id":1,"result":{}}]',
    ]);
    expect(formOf(batch, '2025-03-26')).toEqual([]);
    expect(formOf([{ id: 1, result: {} }], '2025-03-26')).toHaveLength(1);
  });
});

it('reports once what a server does in each message', () => {
  const { check, texts } = checked();
  for (const id of [1, 2]) {
    check.sent(json(request(id, 'tools/call')));
    check.received(json({ id, result: { content: 5 } }));
  }
  expect(texts).toHaveLength(2);
});

it('checks neither an answer to no request, nor one too deep for a validator', () => {
  const { check, texts } = checked();
  const answer = json({ jsonrpc: '2.0', id: 1, result: { content: 5 } });
  check.received(answer);
  check.sent(json(request(1, 'tools/call')));
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  check.received(new JsonText(`{"jsonrpc":"2.0","id":1,"result":{"content":${deep}}}`));
  expect(texts).toEqual([]);
});

describe('structured content', () => {
  const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  const listed = { name: 'count', inputSchema: { type: 'object' }, outputSchema };

  /** What is reported of calls of `count` after pages of the list. */
  function reportOfCalls(pages: object[][], ...results: object[]): string[] {
    const { check, texts } = checked();
    let id = 0;
    const answered = (method: string, params: Record<string, unknown>, result: object) => {
      id++;
      check.sent(json(request(id, method, params)));
      check.received(json({ jsonrpc: '2.0', id, result }));
    };
    for (const tools of pages) answered('tools/list', {}, { tools });
    for (const result of results)
      answered('tools/call', { name: 'count', arguments: {} }, { content: [text], ...result });
    return texts;
  }

  it.each([
    ['fits', [[listed]], { structuredContent: { total: 3, more: true } }],
    ['is not needed by an error', [[listed]], { isError: true }],
    ['is of a tool that the server has not listed yet', [], { structuredContent: { total: '3' } }],
    ['is of a tool without a schema', [[tool], [{ ...tool, name: 'count' }]], { structuredContent: { total: '3' } }],
    ['is of a tool that lost its schema', [[listed], [{ ...tool, name: 'count' }]], {}],
    [
      'is of a tool whose schema cannot be compiled',
      [[{ ...listed, outputSchema: { type: 'object', $ref: '#/$defs/none' } }]],
      { structuredContent: { total: '3' } },
    ],
  ])('that %s is as it should be', (_how, pages, result) => {
    expect(reportOfCalls(pages, result)).toEqual([]);
  });

  it('is not checked by a list that the server has changed since', () => {
    const { check, texts } = checked();
    check.sent(json(request(1, 'tools/list', {})));
    check.received(json({ jsonrpc: '2.0', id: 1, result: { tools: [listed] } }));
    check.received(json(notification('tools/list_changed')));
    check.sent(json(request(2, 'tools/call', { name: 'count' })));
    check.received(json({ jsonrpc: '2.0', id: 2, result: { content: [text], structuredContent: {} } }));
    expect(texts).toEqual([]);
  });

  it('that does not fit, or is not there, is found, on any page of the list', () => {
    const found = reportOfCalls(
      [[tool], [listed]],
      { structuredContent: { total: '3' } },
      {},
      { structuredContent: {} },
    );
    const begin = 'differs: The server has answered tools/call "count" with a bad result: ';
    expect(found).toEqual([
      `${begin}/result/structuredContent does not fit the listed outputSchema: total: must be number.`,
      `${begin}/result has no structuredContent, which the listed outputSchema requires.`,
      `${begin}/result/structuredContent does not fit the listed outputSchema: must have required property 'total'.`,
    ]);
  });
});
