import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { lint } from '../../src/lint/lint.ts';
import { OUTPUT_SCHEMA_RULE } from '../../src/lint/rules/output-schema.ts';
import { cassette, client, notification, request, server } from '../support/conversation.ts';
import { legacy } from './rule-cases.ts';

const found = (...frames: Frame[]) =>
  lint(cassette(...frames), [OUTPUT_SCHEMA_RULE]).map(({ who, line, why }) => `${line} ${who}: ${why}`);

const answer = (id: unknown, result: object) => server({ jsonrpc: '2.0', id, result });
const content: object[] = [];
const total = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const tool = (outputSchema?: unknown, name = 'sum') => ({ name, inputSchema: { type: 'object' }, outputSchema });

let id = 0;
/** Frames of a list of tools. */
function lists(tools: object[], { cursor, nextCursor }: { cursor?: string; nextCursor?: string } = {}): Frame[] {
  id++;
  return [client(request(id, 'tools/list', { cursor })), answer(id, { tools, nextCursor })];
}
/** Frames of a call of a tool. */
function calls(result: object, name = 'sum'): Frame[] {
  id++;
  return [client(request(id, 'tools/call', { name })), answer(id, { content, ...result })];
}
const opened = (...frames: Frame[][]) => legacy({ server: { tools: { listChanged: true } } }, ...frames.flat());

/** What is found of a call after a list with this schema. */
const foundOf = (outputSchema: unknown, structuredContent: unknown) =>
  found(...opened(lists([tool(outputSchema)]), calls({ structuredContent })));

const UNFIT = '/result/structuredContent does not fit the listed outputSchema:';
const ABSENT = '/result has no structuredContent, which the listed outputSchema requires';
const wrong = { structuredContent: { total: '5' } };
const isWrongType = [expect.stringContaining(`${UNFIT} must be string`)];
const isWrong = [expect.stringContaining(`${UNFIT} total: must be number`)];

describe('a result of a tool with an output schema', () => {
  it('fits, has another type, lacks a property, or has no structured content', () => {
    const session = opened(
      lists([tool(total)]),
      calls({ structuredContent: { total: 5, more: true } }),
      calls(wrong),
      calls({ structuredContent: {} }),
      calls({}),
    );
    expect(found(...session)).toEqual([
      `9 server: ${UNFIT} total: must be number`,
      `11 server: ${UNFIT} must have required property 'total'`,
      `13 server: ${ABSENT}`,
    ]);
  });

  it('needs none as an error, as a task, or with another kind of result', () => {
    const other = { structuredContent: undefined, resultType: 'input_required', inputRequests: {} };
    const session = opened(
      lists([tool(total)]),
      calls({ isError: true }),
      calls({ isError: true, ...wrong }),
      calls({ task: { taskId: 't', status: 'working' } }),
      calls(other),
    );
    expect(found(...session)).toEqual([]);
    id++;
    expect(found(...session, client(request(id, 'tools/call', { name: 'sum' })), error(id))).toEqual([]);
  });

  it('is checked when its task gives it', () => {
    const task = calls({ task: { taskId: 't', status: 'working' } });
    const asked = (taskId: string, n: number) => client(request(n, 'tasks/result', { taskId }));
    const session = opened(lists([tool(total)]), task, [asked('t', 900), answer(900, { content, ...wrong })]);
    expect(found(...session)).toEqual(isWrong);
    expect(found(...session.slice(0, -2), asked('u', 901), answer(901, { content, ...wrong }))).toEqual([]);
  });
});

const error = (n: number) => server({ jsonrpc: '2.0', id: n, error: { code: -32603, message: 'no' } });

describe('the list in force', () => {
  it('is the latest one before the call, all pages of it', () => {
    const one = [tool(total, 'one')];
    const two = [tool(total)];
    const pages = [lists(one, { nextCursor: 'b' }), lists(two, { cursor: 'b' })];
    expect(found(...opened(...pages, calls(wrong), calls(wrong, 'one')))).toHaveLength(2);
    expect(found(...opened(calls(wrong), lists(two)))).toEqual([]);
    expect(found(...opened(lists(two), lists([tool()]), calls(wrong)))).toEqual([]);
    expect(found(...opened(lists([tool()]), lists(two), calls(wrong)))).toEqual(isWrong);
    expect(found(...opened(lists(two), lists(one), calls(wrong)))).toEqual([]);
    expect(found(...opened(lists(two), calls(wrong, 'unlisted')))).toEqual([]);
  });

  it('is the one before for tools whose page has not come yet', () => {
    const begun = lists([tool(total, 'one')], { nextCursor: 'b' });
    expect(found(...opened(lists([tool(total)]), begun, calls(wrong)))).toEqual(isWrong);
    expect(found(...opened(lists([tool(total)]), begun, lists([], { cursor: 'b' }), calls(wrong)))).toEqual([]);
  });

  it('is that at the time of the call, not of its answer', () => {
    const [call, result] = calls(wrong);
    const list = lists([tool(total)]);
    expect(found(...opened([call!], list, [result!]))).toEqual([]);
    expect(found(...opened(list, [call!], lists([tool()]), [result!]))).toEqual(isWrong);
  });

  it('is unknown after the server has changed it, until the client lists again', () => {
    const changed = [server(notification('tools/list_changed'))];
    expect(found(...opened(lists([tool(total)]), changed, calls(wrong)))).toEqual([]);
    expect(found(...opened(lists([tool(total)]), changed, lists([tool(total)]), calls(wrong)))).toEqual(isWrong);
  });

  it('belongs to one session of a cassette with several', () => {
    let stream = 0;
    const overHttp = (frames: Frame[]) =>
      frames.map((frame, n) => ({ ...frame, stream: n % 2 === 0 ? ++stream : stream }));
    const session = (...frames: Frame[][]) => {
      const [asked, answered, , ...rest] = opened(...frames);
      return overHttp([asked!, answered!, ...rest]);
    };
    const list = lists([tool(total)]);
    expect(found(...session(list, calls(wrong)))).toEqual(isWrong);
    expect(found(...session(list), ...session(calls(wrong)))).toEqual([]);
    expect(found(...session(calls(wrong)), ...session(list, calls(wrong)))).toEqual(isWrong);
  });

  it('may be odd', () => {
    for (const tools of [undefined, 7, [7, null, tool(7), tool(true), tool(null), tool([])]])
      expect(found(...opened(lists(tools as object[]), calls(wrong)))).toEqual([]);
  });
});

describe('a revision', () => {
  const frames = () => [...lists([tool(total)]), ...calls(wrong)];

  it('before structured content has no such rule', () => {
    for (const version of ['2024-11-05', '2025-03-26']) expect(found(...legacy({ version }, ...frames()))).toEqual([]);
    for (const version of ['2025-06-18', '2025-11-25', '2026-12-15'])
      expect(found(...legacy({ version }, ...frames()))).toEqual(isWrong);
  });

  it('that is unknown has what its list has', () => {
    expect(found(...frames())).toEqual(isWrong);
  });

  it('2026-07-28 allows every JSON type', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const foundOf = (outputSchema: object, structuredContent: unknown) =>
      found(
        client(request(1, 'tools/list', { _meta })),
        answer(1, { resultType: 'complete', tools: [tool(outputSchema)], ttlMs: 0, cacheScope: 'private' }),
        client(request(2, 'tools/call', { name: 'sum', _meta })),
        answer(2, { resultType: 'complete', content, structuredContent }),
      );
    for (const value of [[1], 5, 'a', true, null, 0, '']) {
      expect(foundOf({}, value)).toEqual([]);
      expect(foundOf({ type: 'object' }, value)).toEqual([`4 server: ${UNFIT} must be object`]);
    }
    expect(foundOf({ type: 'array', items: { type: 'number' } }, [1, '2'])).toEqual([
      `4 server: ${UNFIT} 1: must be number`,
    ]);
    expect(foundOf({ type: 'null' }, undefined)).toEqual([`4 server: ${ABSENT}`]);
  });
});

describe('a schema', () => {
  it('is of 2020-12, or of the draft that it names', () => {
    const pair = { properties: { a: { prefixItems: [{ type: 'number' }], items: false } } };
    const old = { properties: { a: { items: [{ type: 'number' }], additionalItems: false } } };
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const recent = 'https://json-schema.org/draft/2020-12/schema';
    for (const schema of [pair, { $schema: recent, ...pair }, { $schema, ...old }]) {
      expect(foundOf(schema, { a: [1] })).toEqual([]);
      expect(foundOf(schema, { a: ['1'] })).toEqual([expect.stringContaining('a.0: must be number')]);
      expect(foundOf(schema, { a: [1, 2] })).toHaveLength(1);
    }
  });

  it('that cannot be used is not: nothing is said, nothing fetched, nothing fails', () => {
    const schemas = [
      { $ref: 'http://127.0.0.1:9/schema.json' },
      { $ref: '#/$defs/none' },
      { type: 'no-type' },
      { properties: 7 },
      { properties: { total: { pattern: '(' } } },
      { $schema: 'https://example.com/own', type: 'number' },
      { $ref: '#' },
      { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'number' }] } } },
    ];
    for (const schema of schemas) expect(foundOf(schema, { total: '5' })).toEqual([]);
    // Not even where the reference is not followed at once.
    expect(foundOf({ properties: { total: { $ref: '#' }, a: { type: 'number' } } }, { a: '5' })).toHaveLength(1);
  });

  it('whose references double at each step is given up after a second', { timeout: 10_000 }, () => {
    const double = (to: number) => ({
      allOf: [{ $ref: `#/$defs/${to}` }, { $ref: `#/$defs/${to}` }, { not: { const: 1 } }],
    });
    const steps = Array.from({ length: 40 }, (_, at) => [at, double(at + 1)]);
    const schema = { $ref: '#/$defs/0', $defs: Object.fromEntries([...steps, [40, { type: 'object' }]]) };
    expect(foundOf(schema, { a: 1 })).toEqual([]);
  });

  it('that refers to itself is followed as deep as the value is', () => {
    const tree = { properties: { at: { type: 'number' }, next: { $ref: '#' } } };
    expect(foundOf(tree, { next: { next: { at: 1 } } })).toEqual([]);
    expect(foundOf(tree, { next: { next: { at: '1' } } })).toEqual([
      expect.stringContaining('next.next.at: must be number'),
    ]);
  });

  it('of the validator alone, which would answer later, is read as any other', async () => {
    const rejected: unknown[] = [];
    const note = (reason: unknown) => rejected.push(reason);
    process.on('unhandledRejection', note);
    expect(foundOf({ $async: true, ...total }, { total: '5' })).toEqual(isWrong);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(rejected).toEqual([]);
  });

  it('has patterns that take no longer for a longer text', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(foundOf(schema, { a: 'a'.repeat(50_000) })).toEqual([]);
    expect(foundOf(schema, { a: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
    // White space that JavaScript has, and RE2 has not.
    expect(foundOf({ properties: { a: { pattern: '^\\s$' } } }, { a: '\u00a0' })).toEqual([]);
  });

  it('with a pattern that cannot be matched so accepts every text, or is not used if that could refuse a value', () => {
    const a = { type: 'string', pattern: '^(?!\\.)x' };
    expect(foundOf({ properties: { a, b: { type: 'number' } } }, { a: '.', b: 1 })).toEqual([]);
    expect(foundOf({ properties: { a, b: { type: 'number' } } }, { a: '.', b: '1' })).toHaveLength(1);
    expect(foundOf({ properties: { a: { not: a } } }, { a: '.' })).toEqual([]);
  });

  it('has numbers as people write them', () => {
    const cents = { properties: { a: { type: 'number', multipleOf: 0.01 } } };
    expect(foundOf(cents, { a: 19.99 })).toEqual([]);
    expect(foundOf(cents, { a: 19.995 })).toHaveLength(1);
    const list = { tools: [{ name: 'sum', outputSchema: { properties: { a: { type: 'number' } } } }] };
    const text = `format: mcp-record/1
events:
- client: {"jsonrpc":"2.0","id":1,"method":"tools/list"}
- server: {"jsonrpc":"2.0","id":1,"result":${JSON.stringify(list)}}
- client: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sum"}}
- server: {"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"a":1e400}}}
`;
    expect(lint(parseCassette(text, 'a.yaml'), [OUTPUT_SCHEMA_RULE])).toEqual([]);
  });

  it('may be listed, and called for, again and again', () => {
    const often = Array.from({ length: 300 }, () => [...lists([tool(total)]), ...calls(wrong)]);
    // Compiled 300 times, it would take longer than a test may.
    expect(found(...opened(...often))).toHaveLength(300);
  });

  it('may have an id that another one has', () => {
    const one = { $id: 'urn:x:a', properties: { a: { $id: 'urn:x:b', type: 'number' }, b: { $ref: 'urn:x:b' } } };
    const two = { $id: 'urn:x:a', properties: { a: { $id: 'urn:x:b', type: 'string' }, b: { $ref: 'urn:x:b' } } };
    const list = lists([tool(one), tool(two, 'two')]);
    const content = { structuredContent: { b: 7 } };
    expect(found(...opened(list, calls(content), calls(content, 'two')))).toEqual([
      expect.stringContaining('b: must be string'),
    ]);
  });

  it('is not used if it, or the content, is nested too deep', () => {
    const deep = (open: string, close: string) => `${open.repeat(20_000)}7${close.repeat(20_000)}`;
    const session = (schema: string, value: string) =>
      found(
        client(request(1, 'tools/list')),
        server(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"sum","outputSchema":${schema}}]}}`),
        client(request(2, 'tools/call', { name: 'sum' })),
        server(`{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":${value}}}`),
      );
    expect(session('{"type":"string"}', '7')).toEqual(isWrongType);
    expect(session('{"type":"string"}', deep('[', ']'))).toEqual([]);
    expect(session(deep('{"not":', '}'), '7')).toEqual([]);
    expect(session(deep('{"properties":{"a":', '}}'), '{"a":7}')).toEqual([]);
  });
});

describe('a placeholder', () => {
  const secret = '[redacted:token:1]';

  it.each([
    ['a number', { properties: { a: { type: 'number' } } }, { a: secret }],
    ['a pattern', { properties: { a: { pattern: '^sk-' } } }, { a: secret }],
    ['a part of a text', { properties: { a: { pattern: '^https://[a-z.]+$' } } }, { a: `https://${secret}.com` }],
    ['a length', { properties: { a: { maxLength: 3 } } }, { a: secret }],
    ['a choice', { properties: { a: { enum: ['one', 'two'] } } }, { a: secret }],
    ['an object', { properties: { a: { type: 'object', required: ['b'] } } }, { a: secret }],
    ['everything', total, secret],
    ['a part of a constant', { properties: { a: { const: { b: 1, c: 2 } } } }, { a: { b: secret, c: 2 } }],
    [
      'one of alternatives',
      { anyOf: [{ properties: { kind: { const: 'a' }, n: { type: 'number' } } }, { required: ['other'] }] },
      { kind: 'a', n: secret },
    ],
    [
      'a condition',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { properties: { a: { const: 'x' } } }, then: {}, else: { required: ['b'] } },
      { a: secret, c: 1 },
    ],
    ['the name of a member', { additionalProperties: false, required: ['a'] }, { [secret]: 1 }],
    ['a name over a value', { additionalProperties: { type: 'number' } }, { [secret]: 'a' }],
    ['the schema', { properties: { a: { const: secret }, b: { type: 'number' } } }, { a: 'x', b: 'y' }],
  ])('may stand for %s', (_what, schema, value) => {
    expect(foundOf(schema, value)).toEqual([]);
  });

  it('excuses nothing beside it', () => {
    const schema = { properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'c'] };
    expect(foundOf(schema, { a: secret, b: 1 })).toEqual([expect.stringContaining("must have required property 'c'")]);
    expect(foundOf(schema, { a: secret, b: '1', c: 1 })).toEqual([expect.stringContaining('b: must be number')]);
    expect(foundOf({ properties: { a: { type: 'array' } } }, { a: { b: secret } })).toEqual([
      expect.stringContaining('a: must be array'),
    ]);
  });
});
