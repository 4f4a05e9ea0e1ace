import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { call, cassette, client, play, request, server } from '../../support/conversation.ts';

const result = (id: number, value: object) => ({ jsonrpc: '2.0', id, result: value });
const lists = (outputSchema: object, inputSchema: object = { type: 'object' }) => [
  client(request(0, 'tools/list')),
  server(result(0, { tools: [{ name: 'get', inputSchema, outputSchema }] })),
];
const object = (properties: object) => ({ type: 'object', properties });
const structured = (structuredContent: object, text = '') => ({ content: [{ type: 'text', text }], structuredContent });

/** Returns the result of the recorded call as a replay has it. */
function replayed(outputSchema: object, structuredContent: object, text = '') {
  const { events } = cassette(
    ...lists(outputSchema),
    client(call(1, 'get')),
    server(result(1, structured(structuredContent, text))),
  );
  const { message } = planServer(events).entries[3]!;
  return (message as { result: ReturnType<typeof structured> }).result;
}

const ONE = '[redacted:password:1]';
const TWO = '[redacted:key:2]';

describe('a placeholder that a client with the schema of the tool would refuse', () => {
  it.each<[string, object]>([
    ['a pattern', { type: 'string', pattern: '^[a-z0-9]{12}$' }],
    ['a pattern of alternatives and classes', { type: 'string', pattern: '^(?:sk|pk)-[A-F]{3}_(\\d{4}|x+)[^a-z]$' }],
    ['a beginning', { type: 'string', pattern: '^pw-.*' }],
    ['a length', { type: 'string', minLength: 4, maxLength: 8 }],
    ['a long text', { type: 'string', minLength: 40 }],
    ['a whole number', { type: 'integer', minimum: 1_000_000, maximum: 99_999_999 }],
    ['a number', { type: 'number', exclusiveMinimum: 5, multipleOf: 5 }],
    ['a number or nothing', { anyOf: [{ type: 'null' }, { type: 'number' }] }],
    ['one of several', { enum: ['a-first', 'b-second'] }],
    ['a reference', { $ref: '#/$defs/short' }],
    ...['uuid', 'email', 'date-time', 'date', 'time', 'duration', 'uri', 'hostname', 'ipv4', 'ipv6'].map(
      (format): [string, object] => [format, { type: 'string', format }],
    ),
  ])('becomes a value that fits: %s', (_, schema) => {
    const whole = {
      ...object({ a: schema, list: { type: 'array', items: schema } }),
      $defs: { short: { maxLength: 9 } },
    };
    const { structuredContent } = replayed(whole, { a: ONE, list: [TWO] }) as { structuredContent: { a: unknown } };
    const { valid, errors } = new Validator(whole as Schema, '2020-12', false).validate(structuredContent);
    expect(errors, JSON.stringify(structuredContent)).toEqual([]);
    expect(valid).toBe(true);
    expect(JSON.stringify(structuredContent)).not.toContain('[redacted:');
    expect(replayed(whole, { a: ONE, list: [TWO] }).structuredContent).toEqual(structuredContent);
  });

  it('is another value for another placeholder, and the same wherever it stands', () => {
    const digits = { type: 'string', pattern: '^\\d{8}$' };
    const said = replayed(
      object({ a: digits, b: digits, c: digits }),
      { a: ONE, b: TWO, c: ONE },
      `${ONE}, then ${TWO}`,
    );
    const { a, b, c } = said.structuredContent as Record<string, string>;
    expect(c).toBe(a);
    expect(b).not.toBe(a);
    expect(said.content[0]!.text).toBe(`${a}, then ${b}`);
  });

  it('is a text in one place and a number in another, if the schemas say so', () => {
    const both = object({ text: { type: 'string', pattern: '^\\d{8}$' }, number: { type: 'number' } });
    const { text, number } = replayed(both, { text: ONE, number: ONE }).structuredContent as Record<string, unknown>;
    expect(number).toBe(Number(text));
  });

  it('has no brackets as a part of a URL', () => {
    const { structuredContent } = replayed(object({ url: { type: 'string', format: 'uri' } }), {
      url: `https://u:${ONE}@a.example/?key=${TWO}`,
    });
    expect(structuredContent).toEqual({ url: 'https://u:redacted-password-1@a.example/?key=redacted-key-2' });
  });

  it('is what the client sends back', () => {
    const number = object({ pin: { type: 'integer' } });
    const session = play(
      cassette(
        ...lists(number, number),
        client(call(1, 'get', {})),
        server(result(1, structured({ pin: ONE }))),
        client(call(2, 'get', { pin: ONE })),
        server(result(2, structured({ pin: ONE }, 'used'))),
      ),
    );
    session.says(request(0, 'tools/list'), call(1, 'get', {}));
    const { structuredContent } = (session.hears().at(-1) as { result: ReturnType<typeof structured> }).result;
    expect(structuredContent).toEqual({ pin: expect.any(Number) });
    session.says(call(2, 'get', structuredContent as Record<string, unknown>));
    expect(JSON.stringify(session.hears().at(-1))).toContain('used');
  });
});

describe('a placeholder stays', () => {
  it.each<[string, object]>([
    ['where any text fits', object({ a: { type: 'string' } })],
    ['where the schema says nothing', {}],
    ['where no value is found', object({ a: { type: 'string', pattern: '^(?=x)y$' } })],
    ['where the pattern asks for a very long text', object({ a: { type: 'string', pattern: '^x{100000}$' } })],
    ['where the schema refers to itself', { $ref: '#' }],
  ])('%s', (_, schema) => {
    expect(replayed(schema, { a: ONE }, ONE)).toEqual(structured({ a: ONE }, ONE));
  });

  it('if the client sends it first: only the client knows its value', () => {
    const { events } = cassette(
      ...lists(object({ a: { type: 'number' } })),
      client(call(1, 'get', { password: ONE })),
      server(result(1, structured({ a: ONE }))),
    );
    expect(JSON.stringify(planServer(events).entries[3]!.message)).toContain(ONE);
  });
});
