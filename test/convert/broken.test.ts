import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { sourceOf } from '../../src/convert/formats.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'convert');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => ({ file: name, text: readFileSync(join(parentPath, name), 'utf8') }));

/** What people and programs do to files: a piece is gone, or something else stands there. */
const damage = fc.record({
  input: fc.constantFrom(...files),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  gone: fc.integer({ min: 0, max: 40 }),
  put: fc.constantFrom('', 'null', '{}', '[]', '"', '-1', 'x', '{"a":1}', '\n'),
});

it('a damaged recording becomes a cassette that loads, or an error with a code', () => {
  fc.assert(
    fc.property(damage, ({ input: { file, text }, at, gone, put }) => {
      const start = Math.floor(at * text.length);
      const input = { file, text: text.slice(0, start) + put + text.slice(start + gone) };
      const format = sourceOf({ file, text })!.name;
      try {
        const cassette = cassetteText(sourceOf(input, format)!.read(input), 'mcp-record 0');
        expect(parseCassette(cassette, file).end).toBe('complete');
      } catch (error) {
        if (!(error instanceof McpRecordError)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

it.each(['{ "value": "x" }', 'null', '{ "name": 7, "value": "x" }'])('a header of a HAR may be %s', (header) => {
  const { file, text } = files.find((one) => one.file === 'chromium.har')!;
  const input = { file, text: text.replaceAll(/"headers": ?\[/g, (start) => `${start}${header},`) };
  expect(input.text).not.toBe(text);
  const cassette = cassetteText(sourceOf(input, 'har')!.read(input), 'mcp-record 0');
  expect(parseCassette(cassette, file).end).toBe('complete');
});
