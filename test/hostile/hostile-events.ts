import { added, type Change, members } from './event-changes.ts';
import { REQUESTS } from './hostile-requests.ts';
import { TEXTS, VALUES } from './hostile-values.ts';

/** Replaces each text and number at the end of a path. Members that make a message what it is stay. */
function leaves(value: unknown, change: (leaf: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => leaves(one, change, name));
  if (typeof value !== 'object' || value === null) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, leaves(one, change, key)]));
}

const KEPT = new Set(['jsonrpc', 'id', 'protocolVersion']);

/** The text in each place that has a text, also in names of members and in the header. */
const texts: readonly Change[] = Object.entries(TEXTS).flatMap(([name, text]): Change[] => [
  members(
    `${name} in every text`,
    (message) =>
      leaves(message, (leaf, key) =>
        typeof leaf === 'string' && !KEPT.has(key) && key !== 'method' ? text : leaf,
      ) as object,
  ),
  [
    `${name} as id, method, member, line and header`,
    ({ header, events }) => ({
      header: { ...header, recorder: `mcp-record ${text}`, url: `http://127.0.0.1/${text}` },
      events: [
        ...events.slice(0, 4),
        {
          client: {
            jsonrpc: '2.0',
            id: text,
            method: text,
            params: { [text]: text, name: text, uri: text, cursor: text },
          },
        },
        { stderr: text },
        { server: text },
        {
          server: {
            jsonrpc: '2.0',
            method: `notifications/${text}`,
            params: { [text]: text, level: text, data: text, progressToken: text },
          },
        },
        { server: { jsonrpc: '2.0', id: text, error: { code: -1, message: text, data: { [text]: text } } } },
        ...events.slice(4),
      ],
    }),
  ],
]);

/** Numbers, times and keys of events that cannot be. */
const numbers: readonly Change[] = [
  ...[-1, 0, 99, 100, 199, 600, 1000, 2 ** 53, 1.5, '200', null, [], Number.MAX_VALUE].flatMap((status) => [
    added(
      `status: ${JSON.stringify(status)}`,
      { client: { jsonrpc: '2.0', id: 90, method: 'ping' }, stream: 90 },
      { server: { jsonrpc: '2.0', id: 90, result: {} }, stream: 90, status },
    ),
    added(
      `response: ${JSON.stringify(status)}`,
      { client: { jsonrpc: '2.0', id: 90, method: 'ping' }, stream: 90 },
      { response: status, stream: 90, body: 'a' },
    ),
  ]),
  ...[-1, 0, 1.5, 2 ** 53, 1e300, '1', null, [], {}].map((stream) =>
    added(
      `stream: ${JSON.stringify(stream)}`,
      { client: { jsonrpc: '2.0', id: 90, method: 'ping' }, stream },
      { server: { jsonrpc: '2.0', id: 90, result: {} }, stream: 4_000_000 },
    ),
  ),
  ...[-1, 1e15, 1e300, 0.5, '5', null, 2 ** 31].map((after) =>
    added(
      `after: ${JSON.stringify(after)}`,
      { stderr: 'a', after },
      { client: { jsonrpc: '2.0', id: 90, method: 'ping' } },
      { server: { jsonrpc: '2.0', id: 90, result: {} }, after },
    ),
  ),
  ...['*', 'QQ', '====', 'ä', 5, null, 'QUJD\nQUJD'].map((bytes) =>
    added(`bytes: ${JSON.stringify(bytes)}`, { clientBytes: bytes }, { serverBytes: bytes }, { stderrBytes: bytes }),
  ),
  ...['SIGKILL', 'SIGHUP', 'SIGSTOP', 'SIG', 9, '', '$(touch pwned)', null].flatMap((signal) => [
    added(`signal: ${JSON.stringify(signal)}`, { signal }),
    added(`exit: ${JSON.stringify(signal)}`, { exit: signal }),
  ]),
  ...[0, 1, 255, 256, -1, 1e10, 1.5].map((exit) => added(`exit: ${exit}`, { exit })),
  ...[
    { ignore: ['/a', 'b', '/~2', '/__proto__/a'] },
    { ignore: '/'.repeat(10_000) },
    { arguments: 'any', repeat: 'forever' },
    { arguments: { a: { $pattern: '(a+)+$' } } },
    { arguments: { a: '/(a|a)*$/' }, repeat: 'cycle' },
    null,
    5,
    [],
  ].map((match) =>
    added(
      `match: ${JSON.stringify(match).slice(0, 40)}`,
      { client: { jsonrpc: '2.0', id: 90, method: 'tools/call', params: { name: 'a', arguments: { a: 'a' } } }, match },
      { server: { jsonrpc: '2.0', id: 90, result: { content: [] } } },
    ),
  ),
  ...[
    { toString: 1 },
    { __proto__x: 1 },
    { client: {}, server: {} },
    {},
    { close: 'both' },
    { end: 'never' },
    { stderr: { a: 1 } },
    { partial: true },
    { client: null },
    { client: [] },
    { client: [[]] },
    { client: 5 },
  ].map((event) => added(`an event ${JSON.stringify(event)}`, event)),
];

/** Each result lists one tool, of this schema. */
function withTool(name: string, schema: object): Change {
  const inputSchema = { type: 'object', ...schema };
  const tools = [{ name: 'a', inputSchema, annotations: { readOnlyHint: true } }];
  return members(name, (message) => ('result' in message ? { ...message, result: { tools } } : message));
}

/** Messages of the wrong shape. */
const messages: readonly Change[] = [
  ...VALUES.flatMap((value) => [
    members(`${JSON.stringify(value)} as id`, (message) => ('id' in message ? { ...message, id: value } : message)),
    members(`${JSON.stringify(value)} in every member`, (message) => ({
      ...message,
      ...(message.params !== undefined && { params: leaves(message.params, () => value) }),
      ...(message.result !== undefined && { result: leaves(message.result, () => value) }),
    })),
    members(`${JSON.stringify(value)} as method, params and result`, (message) => ({
      ...message,
      ...('method' in message && { method: value, params: value }),
      ...('result' in message && { result: value }),
    })),
  ]),
  members('the same id for all', (message) => ('id' in message ? { ...message, id: 1 } : message)),
  members('batches', (message) => [message, message, []]),
  members('result and error', (message) => ({ ...message, result: {}, error: { code: {}, message: [] } })),
  members('deep', (message) => ({ ...message, params: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) })),
  members('a list of tools that is none', (message) =>
    'result' in message
      ? {
          ...message,
          result: {
            tools: [
              null,
              { name: null, inputSchema: { $ref: 'http://attacker.example/s', pattern: '(a+)+$' } },
              { name: 'a', inputSchema: { $ref: '#' } },
            ],
            nextCursor: 'x',
          },
        }
      : message,
  ),
  withTool('a schema that needs itself', {
    properties: { a: { $ref: '#' } },
    required: ['a'],
    allOf: [{ $ref: '#/properties/a' }],
  }),
  withTool('a schema of thousands', {
    minProperties: 1e9,
    properties: {
      a: { type: 'array', minItems: 1e9 },
      b: { type: 'string', minLength: 1e12, pattern: '^(x{1000}){1000}$' },
    },
    required: ['a', 'b'],
  }),
];

const headers: readonly Change[] = [
  ...Object.entries({
    format: ['mcp-record/9', 'mcp-record/1\r\n', 1, null, 'mcp-record/-1', 'mcp-record/1e999'],
    transport: ['ftp', null, [], 'http\u001b[2J'],
    url: ['file:///etc/passwd', 'javascript:alert(1)', 'http://user:password@attacker.example/', 5, 'http://[::1', ''],
    recorded: ['x\u001b[2J', '9999999-01-01T00:00:00Z', '2026-13-40'],
    recorder: ['../../x', 5, null, '\u202e'],
    secrets: [['HOSTILE_TOKEN', 'PATH']],
    env: [{ HOSTILE_TOKEN: 'x' }],
    toString: ['x'],
    command: ['touch pwned'],
  }).flatMap(([key, values]) =>
    values.map(
      (value): Change => [
        `${key}: ${JSON.stringify(value)}`,
        ({ header, events }) => ({ header: { ...header, [key]: value }, events }),
      ],
    ),
  ),
];

export const CHANGES: readonly Change[] = [...texts, ...REQUESTS, ...numbers, ...messages, ...headers];
