import { describe, expect, it } from 'vitest';
import { parseFormat, parseHeader } from '../../../src/cassette/read/parse-header.ts';

const source = { file: 'a.yaml', text: '', line: 1 };
const fields = (header: Record<string, unknown>) =>
  Object.entries(header).map(([key, value]) => ({ key, json: JSON.stringify(value), at: 0 }));

describe('a header', () => {
  it('says what wrote the cassette, when and from what', () => {
    const header = {
      format: 'mcp-record/1',
      recorder: 'mcp-record 0.1.0',
      recorded: '2026-11-21T03:02:15Z',
      transport: 'http',
    };
    expect(parseHeader(fields(header), source)).toEqual(header);
  });

  it('is of stdio where it does not say', () => {
    expect(parseHeader(fields({ format: 'mcp-record/1' }), source)).toEqual({
      format: 'mcp-record/1',
      transport: 'stdio',
    });
  });

  it('names the format', () => expect(parseFormat(fields({ format: 'mcp-record/1' }), source)).toBe(1));

  it.each([
    [{}, 'it does not say "format:". [CASSETTE_NOT_RECOGNIZED]'],
    [{ format: 1 }, 'its format is 1. [CASSETTE_NOT_RECOGNIZED]'],
    [{ format: 'openapi/3' }, 'CASSETTE_NOT_RECOGNIZED'],
    [{ format: 'mcp-record/0' }, 'CASSETTE_NOT_RECOGNIZED'],
    [
      { format: 'mcp-record/2' },
      'it is in format mcp-record/2, and this version knows formats up to mcp-record/1. [CASSETTE_NEWER_FORMAT]',
    ],
  ])('%j is of no format that this version reads', (header, message) => {
    expect(() => parseFormat(fields(header), source)).toThrow(message);
  });

  it.each([
    [
      { recordr: 'x' },
      'a header has no key "recordr". [CASSETTE_BAD_HEADER]\n  at a.yaml:1:1\n    \n    ^\n  Did you mean "recorder"?',
    ],
    [{ banana: 'x' }, 'and events last.'],
    [{ recorder: 1 }, '"recorder" is 1, not text. [CASSETTE_BAD_HEADER]'],
    [{ transport: 'pigeon' }, 'there is no transport "pigeon". [CASSETTE_BAD_HEADER]'],
  ])('%j is refused', (header, message) => expect(() => parseHeader(fields(header), source)).toThrow(message));
});
