import { truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCassette, parseCassette } from '../src/cassette/load.ts';
import { Walk } from '../src/cassette/walk.ts';
import { HttpBody } from '../src/record/http-body.ts';
import { differenceText } from '../src/report/difference-text.ts';
import { HOLD_BYTES_MAX, LineDecoder } from '../src/transports/stdio/lines.ts';
import { freeNames, temporaryFolder } from './support/tape.ts';

const newFile = freeNames(temporaryFolder());
const HEAD = 'format: mcp-record/1\ntransport: stdio\n';
const MIB = 1024 * 1024;

/** What is said against a cassette that holds this. */
function trouble(text: string): string {
  try {
    parseCassette(text, 'tape.yaml');
    return '';
  } catch (error) {
    return String(error);
  }
}

const inFlow = (value: string) => trouble(`${HEAD}events:\n- client: ${value}\n`);
const nested = (levels: number) => `{a: ${'['.repeat(levels)}${']'.repeat(levels)}}`;
const aliases = (count: number) => `{a: &a 1, b: [${Array(count).fill('*a').join(', ')}]}`;

describe('a limit lets through what is just as long, and stops what is longer by one:', () => {
  it('a line that is held', () => {
    const seen: string[] = [];
    const long = { open: () => seen.push('long'), piece: () => {}, close: () => {} };
    const decoder = new LineDecoder({ from: 'client', on: 'protocol', line: () => seen.push('held'), long });
    for (const length of [HOLD_BYTES_MAX, HOLD_BYTES_MAX + 1]) {
      const line = Buffer.alloc(length, 'x');
      decoder.write(line.subarray(0, 1000), 0);
      decoder.write(line.subarray(1000), 0);
      decoder.write(Buffer.from('\n'), 0);
    }
    expect(seen).toEqual(['held', 'long']);
  });

  it('a body that is held', () => {
    for (const [length, isCut] of [
      [64, false],
      [65, true],
    ] as const) {
      const body = new HttpBody(64);
      body.add(Buffer.alloc(60));
      body.add(Buffer.alloc(length - 60));
      expect(body.isCut).toBe(isCut);
      expect(body.take()).toHaveLength(64);
    }
  });

  it('what stands before the events of a cassette, as it is read piece by piece', () => {
    const before = (length: number) => Buffer.from(`${HEAD}# `.padEnd(length, 'x'));
    const walk = new Walk('tape.yaml');
    expect(walk.push(before(MIB))).toEqual([]);
    expect(() => new Walk('tape.yaml').push(before(MIB + 1))).toThrow(/\[TAPE_NOT_A_CASSETTE\]/);
  });

  it('a cassette that is loaded', () => {
    const file = newFile();
    writeFileSync(file, `${HEAD}events:\n`);
    truncateSync(file, 500 * MIB + 1);
    expect(() => loadCassette(file)).toThrow(/\[TAPE_TOO_LARGE\]/);
  });

  it('an event that no recorder laid out so', () => {
    const [before, after] = ['client: {method: a, params: {b: &anchor ', '}}\n'];
    const event = (length: number) => `${before}${'x'.repeat(length - before.length - after.length)}${after}`;
    const said = (length: number) => trouble(`${HEAD}events:\n- ${event(length - 2)}`);
    expect(said(16 * MIB)).toBe('');
    expect(said(16 * MIB + 1)).toMatch(/longer than 16 MiB.*\[TAPE_DAMAGED\]/s);
  });

  it('levels of nesting in a message', () => {
    expect(inFlow(nested(64))).toBe('');
    expect(inFlow(nested(65))).toMatch(/nested deeper than 64 levels.*\[TAPE_DAMAGED\]/s);
  });

  it('aliases of one mapping, and the values that they make', () => {
    expect(inFlow(aliases(1000))).toBe('');
    expect(inFlow(aliases(1001))).toMatch(/more than 1000 aliases.*\[TAPE_DAMAGED\]/s);
    const list = `&a [${Array(999).fill(1).join(', ')}]`;
    expect(inFlow(`{a: ${list}, b: [${Array(1000).fill('*a').join(', ')}]}`)).toMatch(
      /aliases repeat too much.*\[TAPE_DAMAGED\]/s,
    );
  });

  it('lines that are drawn, and those that are shown', () => {
    const list = (length: number, from = 0) => Array.from({ length }, (_, n) => n + from);
    const drawn = (lines: number) => differenceText(list(lines - 2 - 2), list(0)).length;
    expect(drawn(2000)).toBe(201);
    expect(drawn(2001)).toBeLessThan(100);
  });
});
