import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { lint } from '../../src/lint/lint.ts';
import { SCHEMA_RULE } from '../../src/lint/rules/schema.ts';
import { cassette, client, notification, request, server } from '../support/conversation.ts';
import { protocolSchemas } from '../support/protocol-schemas.ts';

const answer = (id: unknown, result: object) => server({ jsonrpc: '2.0', id, result });
const found = (...frames: Frame[]) => lint(cassette(...frames), [SCHEMA_RULE]).map(({ who, why }) => `${who}: ${why}`);

const legacy = (protocolVersion: string, ...frames: Frame[]) => [
  client(request('init', 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } })),
  answer('init', { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  client(notification('initialized')),
  ...frames,
];
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const asks = (method: string, params: object = {}) => client(request(1, method, { ...params, _meta }));
const CACHE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const tool = { name: 'a', inputSchema: { type: 'object' } };

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (revision) => {
  it('fits the schema, or a part of a message does not', () => {
    const list = client(request(1, 'tools/list'));
    expect(found(...legacy(revision, list, answer(1, { tools: [tool] })))).toEqual([]);
    expect(
      found(...legacy(revision, list, answer(1, { tools: [{ ...tool, annotations: { readOnlyHint: 'yes' } }] }))),
    ).toEqual(['server: /result/tools/0/annotations/readOnlyHint must be boolean']);
    expect(found(...legacy(revision, client(request(1, 'prompts/get', { arguments: {} }))))).toEqual([
      "client: /params must have required property 'name'",
    ]);
    expect(found(...legacy(revision, server(notification('progress', { progressToken: 1, progress: '1' }))))).toEqual([
      'server: /params/progress must be number',
    ]);
  });
});

it('fails a check: the schema is normative', () => {
  const frames = [client(request(1, 'tools/call', { name: 'a' })), answer(1, { content: [], isError: 'yes' })];
  expect(lint(cassette(...legacy('2025-11-25', ...frames)), [SCHEMA_RULE])).toMatchObject([{ severity: 'error' }]);
});

describe('a session of a later revision', () => {
  const later = { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2026-12-15' } };
  const bad = { ...tool, annotations: { readOnlyHint: 'yes' } };
  const why = 'server: /result/tools/0/annotations/readOnlyHint must be boolean';

  it('is checked as one of the newest revision that has a schema', () => {
    const list = client(request(1, 'tools/list', later));
    expect(found(list, answer(1, { tools: [{ ...tool, version: 'v-7f3a' }], ...CACHE }))).toEqual([]);
    expect(found(list, answer(1, { tools: [bad], ...CACHE }))).toEqual([why]);
  });

  it('with a handshake is checked as one of the newest revision with a handshake', () => {
    const list = client(request(1, 'tools/list'));
    expect(found(...legacy('2026-12-15', list, answer(1, { tools: [tool] })))).toEqual([]);
    expect(found(...legacy('2026-12-15', list, answer(1, { tools: [bad] })))).toEqual([why]);
  });
});

describe('a session of 2026-07-28', () => {
  it('fits the schema', () => {
    expect(found(asks('tools/list'), answer(1, { tools: [tool], ...CACHE }))).toEqual([]);
    const elicits = {
      method: 'elicitation/create',
      params: { message: 'a', requestedSchema: { type: 'object', properties: {} } },
    };
    expect(
      found(
        asks('tools/call', { name: 'a' }),
        answer(1, { resultType: 'input_required', inputRequests: { a: elicits } }),
      ),
    ).toEqual([]);
  });

  it('is told the alternative that was meant, and the values that are allowed', () => {
    const content = [{ type: 'text', text: 7 }];
    expect(found(asks('tools/call', { name: 'a' }), answer(1, { resultType: 'complete', content }))).toEqual([
      'server: /result/content/0/text must be string',
    ]);
    expect(found(asks('tools/list'), answer(1, { tools: [], ...CACHE, cacheScope: 'all' }))).toEqual([
      'server: /result/cacheScope must be equal to one of the allowed values: "private", "public"',
    ]);
  });

  it('may have numbers, and null, wherever the types of the specification have them', () => {
    const experimental = { a: { share: 1.5, none: null } };
    const capable = { ..._meta, 'io.modelcontextprotocol/clientCapabilities': { experimental } };
    const content = { share: 1.5 };
    expect(
      found(
        client(
          request(1, 'tools/call', { name: 'a', _meta: capable, inputResponses: { a: { action: 'accept', content } } }),
        ),
      ),
    ).toEqual([]);
  });
});

it('says nothing of what no schema knows: extensions, tasks of them, 2024-11-05, placeholders, depth', () => {
  expect(found(asks('skills/list', { cursor: 7 }), answer(1, { skills: 7 }))).toEqual([]);
  expect(found(asks('tools/call', { name: 'a' }), answer(1, { resultType: 'task', taskId: 't' }))).toEqual([]);
  expect(found(...legacy('2024-11-05', client(request(1, 'prompts/get', {}))))).toEqual([]);
  expect(found(asks('tools/list'), answer(1, { tools: [], ...CACHE, ttlMs: '[redacted:a:1]' }))).toEqual([]);
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const call = JSON.stringify(request(1, 'tools/call', { name: 'a', arguments: { deep: 0 }, _meta }));
  expect(found(client(call.replace('"deep":0', `"deep":${deep}`)))).toEqual([]);
});

it.each([...protocolSchemas()])(
  'the schema of %s is that of the official conformance suite',
  async (revision, text) => {
    await expect(text).toMatchFileSnapshot(`../../schema/protocol/${revision}.json`);
  },
);
