import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EVENT_KEYS, HEADER_KEYS } from '../../src/cassette/format-keys.ts';
import { SESSION } from './session.ts';

const root = join(import.meta.dirname, '..', '..');
const schema = JSON.parse(readFileSync(join(root, 'schema/cassette-1.json'), 'utf8'));
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
const isValid = (...events: unknown[]) => validate({ format: 'mcp-record/1', events });

describe('the schema for editors', () => {
  it('takes what the recorder writes', () => {
    validate(parse(SESSION));
    expect(validate.errors).toBeNull();
  });

  const files = readdirSync(join(root, 'cassettes')).filter((file) => file.endsWith('.yaml'));
  it.each(files)('takes cassettes/%s', (file) => {
    validate(parse(readFileSync(join(root, 'cassettes', file), 'utf8')));
    expect(validate.errors).toBeNull();
  });

  it('takes what people write', () => {
    expect(validate({ format: 'mcp-record/1', events: null })).toBe(true);
    const match = { ignore: ['/params/arguments/now'], repeat: 'last' };
    expect(isValid({ client: { method: 'now' }, match })).toBe(true);
    expect(isValid({ client: { method: 'ping' }, after: 1.5 }, { server: 'Listening', partial: true })).toBe(true);
  });

  it.each([
    [{ client: {}, afer: 1 }],
    [{ client: {}, server: {} }],
    [{ after: 1 }],
    [{}],
    ['hello'],
    [{ client: 1 }],
    [{ client: null }],
    [{ stderr: {} }],
    [{ serverBytes: 'a*' }],
    [{ close: 'both' }],
    [{ close: 'client', partial: true }],
    [{ exit: 1.5 }],
    [{ close: 'client', after: -1 }],
    [{ server: 'x', partial: false }],
    [{ client: {}, sse: {} }],
    [{ open: 'GET', status: 200 }],
    [{ close: 'client', how: 'abruptly' }],
  ])('refuses %j', (event) => expect(isValid(event)).toBe(false));

  it('refuses another header', () => {
    expect(validate({ format: 'mcp-record/2', events: [] })).toBe(false);
    expect(validate({ format: 'mcp-record/1' })).toBe(false);
    expect(validate({ format: 'mcp-record/1', recordr: 'x', events: [] })).toBe(false);
  });

  it('has every key that the reader knows', () => {
    expect(Object.keys(schema.properties)).toEqual([...HEADER_KEYS, 'events']);
    expect(schema.$defs.event.oneOf.map(({ $ref }: { $ref: string }) => $ref.split('/').pop())).toEqual([
      ...EVENT_KEYS,
    ]);
  });
});
