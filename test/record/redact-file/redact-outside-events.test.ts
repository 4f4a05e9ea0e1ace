import { describe, expect, it } from 'vitest';
import { EVENT_KEYS, SIBLING_KEYS } from '../../../src/cassette/format-keys.ts';
import { redactCassette } from '../../../src/record/redact-file/redact-cassette.ts';
import { createRedactor, type RedactionRules } from '../../../src/redact/redactor.ts';

const rules = [{ pattern: 'CUST-\\d{5}-[A-Z]{3}', name: 'customer' }];
const CUSTOMER = 'CUST-12345-XYZ';
const checked = (text: string, given: RedactionRules = { rules }) =>
  redactCassette(text, 'a.yaml', createRedactor({ env: {}, ...given }));
const tape = (change: (text: string) => string = (text) => text) =>
  change(`format: mcp-record/1
recorder: mcp-record 0.1.0
recorded: '2026-01-01T00:00:00Z'
transport: stdio
redactRules: ["customer"]
events:
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { text: "is [redacted:customer:1]" } }
  match: { ignore: ["/result/a", "/is \\\\d+/"] }
- end: complete
`);

describe('a value of a rule that no edit reaches is an error', () => {
  it.each([
    ['in a pattern of match', 9, (text: string) => text.replace('is \\\\d+', CUSTOMER)],
    ['in the recorder', 1, (text: string) => text.replace('mcp-record 0.1.0', CUSTOMER)],
    ['in the name of an anchor', 7, (text: string) => text.replace('{ a: 1 }', `&${CUSTOMER} { a: 1 }`)],
  ])('%s', (_, line, change) => {
    expect(tape(change)).not.toBe(tape());
    expect(() => checked(tape(change))).toThrow(
      new RegExp(`a value that a rule of yours matches \\(customer\\) would be left.*\\s+at a\\.yaml:${line}\\b`),
    );
    expect(() => checked(tape(change), { rules, allow: [CUSTOMER] })).not.toThrow();
    expect(() => checked(tape(change), {})).not.toThrow();
  });

  it('and what recorders write is none, however wide the rule is', () => {
    const wide = [
      { pattern: '\\d+', name: 'number' },
      { pattern: 'customer', name: 'word' },
    ];
    const own = tape((text) => text.replace(/ {2}match: .*\n/, ''));
    expect(() => checked(own, { rules: [wide[1]!] })).not.toThrow();
    expect(() => checked(own.replace('recorder: mcp-record 0.1.0\n', ''), { rules: wide })).not.toThrow();
  });
});

describe('a value of a rule in a field of an event', () => {
  const rule = [{ pattern: '(?i)CUST-\\d{5}-[A-Z]{3}', name: 'customer' }];
  const lower = CUSTOMER.toLowerCase();
  const said = 'server: { jsonrpc: "2.0", id: 1, result: { content: [] } }';
  const bytes = (text: string) => Buffer.from(`\xff${text}`, 'latin1').toString('base64');
  const http = (events: string) => `format: mcp-record/1\ntransport: http\nevents:\n- ${events}\n`;
  const outcome = (events: string) => {
    try {
      const { text, unredactable } = checked(http(events), { rules: rule });
      if (unredactable.length > 0) return 'warned';
      const isLeft = [text, ...(text.match(/[A-Za-z0-9+/]{20,}={0,2}/g) ?? []).map(decoded)].some(hasCustomer);
      return isLeft ? 'left' : 'redacted';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const decoded = (run: string) => Buffer.from(run, 'base64').toString('latin1');
  const hasCustomer = (text: string) => text.toLowerCase().includes(lower);

  /** An event with the value in each field, by the keys of the format. */
  const FIELDS: Record<(typeof EVENT_KEYS)[number] | (typeof SIBLING_KEYS)[number], readonly string[]> = {
    client: [
      `client: { jsonrpc: "2.0", method: a, params: { b: ${CUSTOMER}, ${CUSTOMER}: 1 } }`,
      `client: "${CUSTOMER}"`,
    ],
    server: [`server: { jsonrpc: "2.0", id: 1, result: { b: ${CUSTOMER}, ${CUSTOMER}: 1 } }`, `server: "${CUSTOMER}"`],
    clientBytes: [`clientBytes: ${bytes(CUSTOMER)}`],
    serverBytes: [`serverBytes: ${bytes(CUSTOMER)}`],
    stderr: [`stderr: is ${CUSTOMER}`],
    stderrBytes: [`stderrBytes: ${bytes(CUSTOMER)}`],
    open: [`open: ${CUSTOMER}\n  stream: 1`],
    response: [],
    sse: [
      ...[`sse: { id: ev-${CUSTOMER}-1 }`, `sse: { event: ${CUSTOMER}, data: a }`, `sse: { data: ${CUSTOMER} }`],
      ...[`${said}\n  sse: { id: ev-${CUSTOMER}-1 }`, `${said}\n  sse: { event: ${CUSTOMER} }`],
      `server: '{"a": ['\n  sse: { id: ${CUSTOMER} }`,
    ],
    comment: [`comment: is ${CUSTOMER}\n  stream: 1`],
    authorization: [
      `authorization: { request: mcp, url: "http://a.example/${CUSTOMER}", tool: ${CUSTOMER}, scheme: ${CUSTOMER}, challenge: is ${CUSTOMER}, response: { a: ${CUSTOMER} } }`,
      `authorization: { request: mcp, url: http://a.example, method: ${CUSTOMER} }`,
    ],
    close: [],
    signal: [],
    exit: [],
    end: [`end: for ${CUSTOMER}`],
    stream: [],
    session: [],
    status: [],
    headers: [
      ...[`response: 404\n  headers: { x-a: ${CUSTOMER} }`, `response: 404\n  headers: { x-${lower}: a }`],
      ...[`${said}\n  headers: { x-a: ${CUSTOMER} }`, `server: '{"a": ['\n  headers: { x-a: ${CUSTOMER} }`],
    ],
    path: [`open: GET\n  path: /a/${CUSTOMER}`],
    resumes: [`open: GET\n  resumes: ev-${CUSTOMER}-1`],
    how: [],
    body: [`response: 404\n  body: is ${CUSTOMER}`],
    bodyBytes: [`response: 404\n  bodyBytes: ${bytes(CUSTOMER)}`],
    partial: [],
    after: [],
    match: [`${said}\n  match: { ignore: ["/${CUSTOMER}/"] }`],
  };
  const refused = /^open: CUST|^end|x-cust|match/;

  it.each(Object.values(FIELDS).flat())('never stays unnoticed: %s', (events) => {
    const other = events.includes(`method: ${CUSTOMER}`) ? 'warned' : 'redacted';
    expect(outcome(events)).toBe(refused.test(events) ? 'CASSETTE_NOT_REDACTED' : other);
  });

  it('is looked for in every field of the format', () => {
    expect(Object.keys(FIELDS).sort()).toEqual([...new Set([...EVENT_KEYS, ...SIBLING_KEYS])].sort());
  });

  it('has the same placeholder where a server names an event, and where the client resumes after it', () => {
    const { text } = checked(
      http(`${said}\n  sse: { id: ev-${CUSTOMER}-1 }\n- open: GET\n  resumes: ev-${CUSTOMER}-1`),
    );
    expect(text).toContain('sse: { id: "ev-[redacted:customer:1]-1" }');
    expect(text).toContain('resumes: ev-[redacted:customer:1]-1');
  });
});
