import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineFrame } from '../../../src/channel/frame.ts';
import { LineDecoder } from '../../../src/transports/stdio/line-decoder.ts';
import { fuzzed } from '../../support/fuzz.ts';

/** What a decoder makes of pieces: lines as their data, long lines as the pieces they were given in. */
function decode(pieces: readonly Uint8Array[], holdBytesMax?: number) {
  const lines: LineFrame[] = [];
  const long: Array<{ bytes: number[]; partial?: boolean }> = [];
  const decoder = new LineDecoder({
    from: 'server',
    on: 'protocol',
    line: (line) => void lines.push(line),
    ...(holdBytesMax !== undefined && {
      holdBytesMax,
      long: {
        open: () => void long.push({ bytes: [] }),
        piece: (data) => void long.at(-1)!.bytes.push(...data),
        close: ({ partial }) => {
          long.at(-1)!.partial = partial;
        },
      },
    }),
  });
  for (const piece of pieces) decoder.write(piece, 7);
  decoder.end(8);
  return { lines, long };
}

/** Bytes cut at arbitrary places. */
function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((place, index) => bytes.subarray(index === 0 ? 0 : places[index - 1], place));
}

describe('a line decoder', () => {
  it('gives each line once it is whole, as text', () => {
    const { lines } = decode([Buffer.from('one\ntw'), Buffer.from('o\r\n\nthree')]);
    expect(lines).toEqual([
      { kind: 'line', at: 7, from: 'server', on: 'protocol', data: 'one' },
      { kind: 'line', at: 7, from: 'server', on: 'protocol', data: 'two\r' },
      { kind: 'line', at: 7, from: 'server', on: 'protocol', data: '' },
      { kind: 'line', at: 8, from: 'server', on: 'protocol', data: 'three', partial: true },
    ]);
  });

  it('cuts at newlines only, never at what Unicode calls a line end', () => {
    const text = 'a\u2028b\u2029c\u0085d\u000be\ff';
    expect(decode([Buffer.from(`${text}\n`)]).lines.map(({ data }) => data)).toEqual([text]);
  });

  it('gives bytes where a line is not UTF-8', () => {
    const { lines } = decode([Buffer.from([0xc3, 0x0a, 0xff, 0x0a])]);
    expect(lines.some(({ partial }) => partial)).toBe(false);
    expect(lines.map(({ data }) => data)).toEqual([new Uint8Array([0xc3]), new Uint8Array([0xff])]);
  });

  it('does not care where its input is cut', () => {
    const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xff), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(40)), (all, at) => {
        const whole = decode([Uint8Array.from(all)]).lines.map(({ data }) => data);
        const pieces = decode(cut(Uint8Array.from(all), at)).lines.map(({ data }) => data);
        expect(pieces).toEqual(whole);
      }),
      fuzzed(500),
    );
  });

  it('keeps every byte of lines too long to hold, wherever it is cut', () => {
    const bytes = fc.array(fc.constantFrom(0x0a, 0x61, 0x62), { maxLength: 60 });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60)), (all, at) => {
        const { lines, long } = decode(cut(Uint8Array.from(all), at), 4);
        const held = lines.map(({ data }) => data as string);
        const passed = long.map(({ bytes: line }) => Buffer.from(line).toString());
        const expected = Buffer.from(all).toString().split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(held).toEqual(expected.filter(({ length }) => length <= 4));
        expect(passed).toEqual(expected.filter(({ length }) => length > 4));
        expect(long.map(({ partial }) => partial)).toEqual(
          expected.flatMap(({ length }, n) => (length > 4 ? [n === expected.length - 1 && all.at(-1) !== 0x0a] : [])),
        );
      }),
      fuzzed(500),
    );
  });

  it('passes a line on as soon as it is longer than may be held, in the pieces in which it comes', () => {
    const told: unknown[] = [];
    const decoder = new LineDecoder({
      from: 'server',
      on: 'protocol',
      line: ({ data }) => told.push(data),
      holdBytesMax: 4,
      long: {
        open: (at) => told.push(['opened', at]),
        piece: (data) => told.push([Buffer.from(data).toString()]),
        close: ({ at }) => told.push(['closed', at]),
      },
    });
    decoder.write(Buffer.from('one\n'), 1);
    decoder.write(Buffer.from('abcd'), 2);
    expect(told).toEqual(['one']);
    decoder.write(Buffer.from('e'), 3);
    expect(told).toEqual(['one', ['opened', 3], ['abcd'], ['e']]);
    decoder.write(Buffer.from('f\nfour\n'), 4);
    expect(told.slice(4)).toEqual([['f'], ['closed', 4], 'four']);
  });

  it('offers each line that came whole where it stands, or is short, and tells of those that are not taken', () => {
    const offered: unknown[] = [];
    const told: unknown[] = [];
    const decoder = new LineDecoder({
      from: 'server',
      on: 'protocol',
      line: ({ at, data }) => told.push([data, at]),
      plain: (bytes, start, at) => {
        const end = bytes.indexOf(0x0a, start);
        const line = Buffer.from(bytes.subarray(start, end)).toString();
        offered.push([line, at]);
        return line === '' || line.startsWith('+') ? end : -1;
      },
    });
    decoder.write(Buffer.from('\n+one\ntwo\n\n+three\nfo'), 1);
    expect(offered).toEqual(['', '+one', 'two', '', '+three'].map((line) => [line, 1]));
    expect(told).toEqual([['two', 1]]);
    decoder.write(Buffer.from('ur\n+five\n+s'), 2);
    decoder.write(Buffer.from('ix'), 3);
    decoder.write(Buffer.from('\n'), 4);
    expect(offered.slice(5)).toEqual([
      ['four', 2],
      ['+five', 2],
      ['+six', 4],
    ]);
    expect(told.slice(1)).toEqual([['four', 2]]);
    decoder.write(Buffer.alloc(64 * 1024, '+'), 5);
    decoder.write(Buffer.from('\n'), 6);
    expect(offered).toHaveLength(8);
    expect(told.at(-1)).toEqual(['+'.repeat(64 * 1024), 6]);
  });

  it('joins the pieces of a line once: the work grows with the bytes, not with their square', () => {
    const decoder = new LineDecoder({ from: 'server', on: 'protocol', line: () => {} });
    const piece = new Uint8Array(1024).fill(0x61);
    let concatenated = 0;
    const concat = Buffer.concat;
    Buffer.concat = (list, total) => {
      concatenated += list.reduce((sum, { length }) => sum + length, 0);
      return concat(list, total);
    };
    try {
      for (let n = 0; n < 1024; n++) decoder.write(piece, 0);
      decoder.write(Buffer.from('\n'), 0);
    } finally {
      Buffer.concat = concat;
    }
    expect(concatenated).toBe(1024 * 1024);
  });
});
