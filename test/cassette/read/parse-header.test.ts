import { describe, expect, it } from 'vitest';
import { formatOf, headerOf } from '../../../src/cassette/read/parse-header.ts';

const source = { file: 'a.yaml', text: '', line: 1 };
const fields = (header: Record<string, unknown>) =>
  Object.entries(header).map(([key, value]) => ({ key, json: JSON.stringify(value), at: 0 }));

describe('a header', () => {
  it('says what wrote the tape, when and from what', () => {
    const header = {
      format: 'mcp-record/1',
      recorder: 'mcp-record 0.1.0',
      recorded: '2026-11-21T03:02:15Z',
      transport: 'http',
    };
    expect(headerOf(fields(header), source)).toEqual(header);
  });

  it('is of stdio where it does not say', () => {
    expect(headerOf(fields({ format: 'mcp-record/1' }), source)).toEqual({
      format: 'mcp-record/1',
      transport: 'stdio',
    });
  });

  it('names the format', () => expect(formatOf(fields({ format: 'mcp-record/1' }), source)).toBe(1));

  it.each([
    [{}, 'it does not say "format:". [TAPE_NOT_A_CASSETTE]'],
    [{ format: 1 }, 'its format is 1. [TAPE_NOT_A_CASSETTE]'],
    [{ format: 'openapi/3' }, 'TAPE_NOT_A_CASSETTE'],
    [{ format: 'mcp-record/0' }, 'TAPE_NOT_A_CASSETTE'],
    [
      { format: 'mcp-record/2' },
      'it is in format mcp-record/2, and this version knows formats up to mcp-record/1. [TAPE_NEWER_FORMAT]',
    ],
  ])('%j is of no format that this version reads', (header, message) => {
    expect(() => formatOf(fields(header), source)).toThrow(message);
  });

  it.each([
    [
      { recordr: 'x' },
      'a header has no key "recordr". [TAPE_BAD_HEADER]\n  at a.yaml:1:1\n    \n    ^\n  Did you mean "recorder"?',
    ],
    [{ banana: 'x' }, 'and events last.'],
    [{ recorder: 1 }, '"recorder" is 1, not text. [TAPE_BAD_HEADER]'],
    [{ transport: 'pigeon' }, 'there is no transport "pigeon". [TAPE_BAD_HEADER]'],
  ])('%j is refused', (header, message) => expect(() => headerOf(fields(header), source)).toThrow(message));
});
