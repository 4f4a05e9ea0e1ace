import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EVENT_KEYS, HEADER_KEYS, SIBLING_KEYS } from '../../src/cassette/format-keys.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'schema', 'cassette-1.json'), 'utf8'));
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

/** Values that fit nowhere, as YAML: wrong types, and ends of the ranges of others. */
const NOWHERE = ['null', '[]', '[1]', '{ a: 1 }', 'true', '-1', '1.5', '1e308', '-1e308', '2e400', '1e999'];
const NO_TEXT = [...NOWHERE.filter((value) => value !== '2e400' && value !== '1e999'), '7'];
const NO_LINE = [...NO_TEXT, '"a\\r\\nb"', '"a\\nb"'];
const NO_HEADERS = [
  'null',
  '[]',
  'text',
  '{ a: 1 }',
  '{ a: null }',
  '{ "a b": c }',
  '{ "": c }',
  '{ "a\\r\\nset-cookie": c }',
  '{ a: "b\\r\\nset-cookie: c" }',
  '{ a: "b\\nc" }',
  '{ a: "\\0" }',
  '{ a: "\u{1f600}" }',
];
const NO_STATUS = ['null', '99', '0', '-1', '1000', '200.5', '1e308', 'ok', '{}', '"200"'];
const NO_SSE = [
  'null',
  'text',
  '[]',
  '{ id: 1 }',
  '{ id: "a\\nb" }',
  '{ id: "\\0" }',
  '{ event: "a\\rb" }',
  '{ data: "a\\rb" }',
  '{ retry: -1 }',
  '{ retry: 1.5 }',
  '{ retry: 1e308 }',
  '{ retry: null }',
  '{ retry: "1 s" }',
  '{ retry: 9007199254740993 }',
  '{ other: 1 }',
];
const NO_BASE64 = ['null', 'a', '"a==="', '"a b="', '"====" ', '1', '[]'];

interface Row {
  /** The event or header, with `?` in the place of the value. */
  where: string;
  fits: readonly string[];
  hostile: readonly string[];
}

const message = (side: string): Row => ({
  where: `- ${side}: ?`,
  fits: ['{ method: a }', '{}', '[]', '[{ method: a }]', 'text', '"{\\"id\\":1,\\"id\\":2}"', "''"],
  hostile: ['null', '1', 'true', '1e308'],
});
const bytes = (key: string): Row => ({
  where: `- ${key}: ?`,
  fits: ['"AAA="', '"AA=="', '"AAAA"', "''"],
  hostile: NO_BASE64,
});

/** Each key of the format: what its value may be, and what it may not. */
const EVENTS: Readonly<Record<(typeof EVENT_KEYS)[number] | (typeof SIBLING_KEYS)[number], readonly Row[]>> = {
  client: [message('client')],
  server: [message('server')],
  clientBytes: [bytes('clientBytes')],
  serverBytes: [bytes('serverBytes')],
  stderrBytes: [bytes('stderrBytes')],
  stderr: [{ where: '- stderr: ?', fits: ['text', "''", '"a\\nb"'], hostile: NO_TEXT }],
  open: [{ where: '- open: ?', fits: ['GET', 'M-SEARCH'], hostile: [...NO_LINE, "''", 'GET /', '"GET\\t"'] }],
  response: [{ where: '- response: ?', fits: ['sse', '100', '404', '999', '404.0'], hostile: NO_STATUS }],
  comment: [{ where: '- comment: ?', fits: ['text', "''", '": a"'], hostile: NO_LINE }],
  authorization: [
    {
      where: '- authorization: ?',
      fits: [
        '{ request: mcp, url: "http://a.example/mcp", method: tools/call, tool: add, status: 401, challenge: Bearer }',
        '{ request: oauth/token, url: "https://a.example/token", parameters: {}, status: 200, response: [1] }',
      ],
      hostile: [
        ...NO_TEXT,
        'text',
        '{}',
        '{ request: mcp }',
        '{ request: 1, url: "http://a.example/" }',
        '{ request: toString, url: "http://a.example/" }',
        '{ request: mcp, url: /token }',
        '{ request: mcp, url: "file:///etc/passwd" }',
        '{ request: mcp, url: "http://a.example/", status: 99 }',
        '{ request: mcp, url: "http://a.example/", status: "200" }',
        '{ request: mcp, url: "http://a.example/", parameters: a=b }',
        '{ request: mcp, url: "http://a.example/", parameters: [] }',
        '{ request: mcp, url: "http://a.example/", challenge: [] }',
        '{ request: mcp, url: "http://a.example/", challenge: "Bearer\\r\\nx: 1" }',
        '{ request: mcp, url: "http://a.example/", response: null }',
        '{ request: mcp, url: "http://a.example/", other: 1 }',
        '{ request: mcp, url: "http://a.example/", __proto__: {} }',
      ],
    },
  ],
  close: [{ where: '- close: ?', fits: ['client', 'server'], hostile: [...NO_LINE, 'both', "''", 'toString'] }],
  signal: [
    {
      where: '- signal: ?',
      fits: ['SIGTERM', 'SIGRTMIN+1'],
      hostile: [...NO_LINE, "''", 'TERM', '__proto__'],
    },
  ],
  exit: [
    {
      where: '- exit: ?',
      fits: ['0', '255', '3221225477', 'SIGKILL'],
      hostile: ['null', '-1', '1.5', '1e308', '4294967296', '[]', '{}', 'true', 'died', "''", '"0"'],
    },
  ],
  end: [{ where: '- end: ?', fits: ['complete', "''"], hostile: NO_TEXT }],
  sse: [
    {
      where: '- sse: ?',
      fits: ['{}', '{ id: a, event: "b\\0", data: "c\\nd", retry: 0 }'],
      hostile: NO_SSE,
    },
    {
      where: '- server: { method: a }\n  stream: 1\n  sse: ?',
      fits: ['{}', '{ retry: 9007199254740991 }', '{ retry: "9007199254740993" }'],
      hostile: NO_SSE,
    },
  ],
  stream: [
    {
      where: '- open: GET\n  stream: ?',
      fits: ['0', '1', '9007199254740991'],
      hostile: ['null', '-1', '1.5', '1e308', '2e400', 'one', '[]', '9007199254740992'],
    },
  ],
  session: [{ where: '- response: 200\n  session: ?', fits: ['new'], hostile: ['null', 'old', 'true', '1', '[]'] }],
  status: [
    {
      where: '- server: { method: a }\n  stream: 1\n  status: ?',
      fits: ['100', '404', '999'],
      hostile: [...NO_STATUS, 'sse'],
    },
  ],
  headers: [
    {
      where: '- response: 200\n  headers: ?',
      fits: ['{}', '{ a: b, X-y: "\\t\u00ff" }', '{ a: "" }'],
      hostile: NO_HEADERS,
    },
    { where: '- client: { method: a }\n  headers: ?', fits: ['{ __proto__: a }'], hostile: NO_HEADERS },
  ],
  path: [
    {
      where: '- open: GET\n  path: ?',
      fits: ['/a?b=c', '/é', '/', "'*'"],
      hostile: [
        ...NO_LINE,
        "''",
        '/a b',
        '"/a HTTP/1.1\\r\\nx: y"',
        '/аdmin',
        ...['a', '@other.example/', '.other.example/', ':9/', 'http://other.example/', '?a=b', '*/'].map(
          (path) => `'${path}'`,
        ),
      ],
    },
  ],
  resumes: [{ where: '- open: GET\n  resumes: ?', fits: ['a', "''", 'é'], hostile: [...NO_LINE, '"\\0"'] }],
  how: [
    {
      where: '- close: client\n  how: ?',
      fits: ['end', 'fin', 'rst'],
      hostile: ['null', 'cut', '1', '[]'],
    },
  ],
  body: [
    { where: '- open: POST\n  body: ?', fits: ['text', "''", '"a\\r\\nb"'], hostile: NO_TEXT },
    { where: '- response: 200\n  bodyBytes: "AAA="\n  body: ?', fits: [], hostile: ['text'] },
  ],
  bodyBytes: [{ where: '- response: 200\n  bodyBytes: ?', fits: ['"AAA="'], hostile: NO_BASE64 }],
  after: [
    {
      where: '- close: client\n  after: ?',
      fits: ['0', '0.5', '3155760000000'],
      hostile: ['null', '-1', '1e308', '2e400', '3155760000001', 'soon', '"1"', '[]', '{}', 'true'],
    },
  ],
  partial: [
    {
      where: '- server: text\n  partial: ?',
      fits: ['true'],
      hostile: ['false', 'null', '1', '"true"', '[]'],
    },
  ],
  match: [
    {
      where: '- client: { method: a }\n  match: ?',
      fits: [
        '{}',
        '{ ignore: [] }',
        '{ ignore: [/b, /a], repeat: last }',
        '{ repeat: once }',
        '{ arguments: any }',
        '{ arguments: partial, repeat: cycle }',
        '{ arguments: {} }',
        '{ arguments: { query: /rain/i, at: { hour: 9 } } }',
      ],
      hostile: [
        'null',
        '[]',
        'text',
        '{ ignore: null }',
        '{ ignore: /a }',
        '{ ignore: [a] }',
        '{ ignore: [1] }',
        "{ ignore: [''] }",
        '{ ignore: [/*] }',
        '{ repeat: null }',
        '{ repeat: always }',
        '{ arguments: all }',
        '{ arguments: [any] }',
        '{ arguments: null }',
        '{ other: 1 }',
      ],
    },
  ],
};

const HEADERS: Readonly<Record<(typeof HEADER_KEYS)[number] | 'events', Row>> = {
  format: {
    where: 'format: ?\nevents: []',
    fits: ['mcp-record/1'],
    hostile: ['null', '1', 'mcp-record/0', 'mcp-record/01', 'mcp-record/1.0', '[]', 'mcp-record/2'],
  },
  recorder: { where: 'format: mcp-record/1\nrecorder: ?\nevents: []', fits: ['a 1'], hostile: NO_TEXT },
  recorded: {
    where: 'format: mcp-record/1\nrecorded: ?\nevents: []',
    fits: ["'2026-11-21T03:02:15Z'", '2026-11-21T03:02:15Z', "'2026-11-21T03:02:15.250Z'"],
    hostile: [
      ...NO_LINE,
      'x',
      "''",
      '2026-11-21',
      "'2026-13-01T00:00:00Z'",
      "'2026-11-21T25:00:00Z'",
      "'2026-11-21 03:02:15'",
      "'2026-11-21T03:02:15.25Z'",
      "'2026-11-21T03:02:15,250Z'",
      "'+275760-09-13T00:00:01Z'",
    ],
  },
  transport: {
    where: 'format: mcp-record/1\ntransport: ?\nevents: []',
    fits: ['stdio', 'http'],
    hostile: [...NO_LINE, 'sse', "''", 'HTTP', '__proto__'],
  },
  url: { where: 'format: mcp-record/1\nurl: ?\nevents: []', fits: ['http://a/mcp'], hostile: NO_TEXT },
  redactRules: {
    where: 'format: mcp-record/1\nredactRules: ?\nevents: []',
    fits: ['[]', '[customer, "/^x-/i"]'],
    hostile: ['null', 'customer', '1', '{}', '[1]', '[null]', '[[]]'],
  },
  events: {
    where: 'format: mcp-record/1\nevents: ?',
    fits: ['[]', 'null'],
    hostile: ['text', '1', '{}', '[null]', '[1]', '[[]]', '[{}]'],
  },
};

const inCassette = (event: string) => `format: mcp-record/1\ntransport: http\nevents:\n${event}\n`;
const cassettes = [
  ...Object.entries(EVENTS).flatMap(([key, rows]) =>
    rows.map((row) => ({
      ...row,
      key,
      text: (value: string) => inCassette(row.where.replace('?', () => value)),
    })),
  ),
  ...Object.entries(HEADERS).map(([key, row]) => ({
    ...row,
    key,
    text: (value: string) => `${row.where.replace('?', () => value)}\n`,
  })),
];
const cells = (kind: 'fits' | 'hostile') =>
  cassettes.flatMap(({ key, text, [kind]: values }) => values.map((value) => [key, value, text(value)] as const));

describe('each key of a cassette', () => {
  it('is in the table', () => {
    expect(Object.keys(EVENTS).sort()).toEqual([...new Set([...EVENT_KEYS, ...SIBLING_KEYS])].sort());
    expect(Object.keys(HEADERS).sort()).toEqual([...HEADER_KEYS, 'events'].sort());
  });

  it.each(cells('fits'))('"%s" may be %s, says the loader and the schema', (_key, _value, text) => {
    expect(parseCassette(text, 'a.yaml')).toBeDefined();
    validate(parse(text));
    expect(validate.errors).toBeNull();
  });

  it.each(cells('hostile'))(
    '"%s" may not be %s: an error with a code, the line and the next step; and the schema says so, too',
    (_key, _value, text) => {
      let error: unknown;
      try {
        parseCassette(text, 'a.yaml');
      } catch (thrown) {
        error = thrown;
      }
      if (!(error instanceof McpRecordError)) throw error ?? new Error('it was taken');
      expect(error.message).toMatch(/\[CASSETTE_[A-Z_]+\]\n {2}at a\.yaml:\d+:\d+\n[\s\S]*\n {2}\S.*\.?$/);
      expect(validate(parse(text))).toBe(false);
    },
  );

  it('may be right alone, and wrong with others: a session lasts 100 years at most', () => {
    const century = '- close: client\n  after: 3155760000000';
    expect(() => parseCassette(inCassette(`${century}\n${century}`), 'a.yaml')).toThrow(/100 years[\s\S]*a\.yaml:6/);
  });
});
