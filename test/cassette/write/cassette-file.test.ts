import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TapeFile } from '../../../src/cassette/write/cassette-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rest = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `a-${from + i}.yaml`);
const read = (path: string) => readFileSync(path, 'utf8');

describe('a cassette being written', () => {
  it('gathers what is added until it is flushed', () => {
    const tape = new TapeFile(join(folder, 'a', 'b.yaml'));
    tape.add('one ');
    tape.add('zwölf ');
    expect(read(tape.path)).toBe('');
    tape.flush();
    expect(read(tape.path)).toBe('one zwölf ');
    tape.close();
  });

  it('keeps the order of what is larger than its buffer', () => {
    const tape = new TapeFile(join(folder, 'a.yaml'));
    const large = '語'.repeat(100_000);
    const all = [
      'small',
      large,
      'small again',
      ...Array.from({ length: 5_000 }, (_, n) => `line ${n}`),
      large,
    ];
    for (const text of all) tape.add(text);
    tape.close();
    expect(read(tape.path)).toBe(all.join(''));
  });

  it('takes the next free name, and holds it against everybody', () => {
    const [a, b] = [new TapeFile(join(folder, 'a.yaml')), new TapeFile(join(folder, 'a.yaml'))];
    expect([a.path, b.path]).toEqual([join(folder, 'a.yaml'), join(folder, 'a-2.yaml')]);
    a.close();
    b.close();
  });

  it('takes the first free name also behind hundreds that are taken', () => {
    const names = Array.from({ length: 300 }, () => {
      const tape = new TapeFile(join(folder, 'a.yaml'));
      tape.close();
      return tape.path;
    });
    expect(names).toEqual(['a.yaml', ...rest(2, 300)].map((name) => join(folder, name)));
    rmSync(join(folder, 'a-3.yaml'));
    const tape = new TapeFile(join(folder, 'a.yaml'));
    expect(tape.path).toBe(join(folder, 'a-3.yaml'));
    tape.close();
  });

  it('can be given another name, and never one that is taken', () => {
    writeFileSync(join(folder, 'b.yaml'), 'kept');
    const tape = new TapeFile(join(folder, 'a.yaml'));
    tape.add('one');
    tape.rename(join(folder, 'b.yaml'));
    tape.add(' two');
    tape.close();
    expect(read(join(folder, 'b.yaml'))).toBe('kept');
    expect(read(join(folder, 'b-2.yaml'))).toBe('one two');
    expect(() => read(join(folder, 'a.yaml'))).toThrow('ENOENT');
  });

  it('may be closed for a while, and goes on at its end', () => {
    const tape = new TapeFile(join(folder, 'a.yaml'));
    for (const word of ['one', ' two', ' three']) {
      tape.add(word);
      tape.park();
      expect(tape.isBehind).toBe(false);
    }
    expect(read(tape.path)).toBe('one two three');
    tape.rename(join(folder, 'b.yaml'));
    tape.add(' four');
    tape.close();
    expect(read(tape.path)).toBe('one two three four');
  });

  it.each([
    ['removed', rmSync],
    ['replaced', (path: string) => writeFileSync(path, 'longer than it was')],
  ])('that was %s while it was closed is not written to', (how, meanwhile) => {
    const tape = new TapeFile(join(folder, 'a.yaml'));
    tape.add('one');
    tape.park();
    meanwhile(tape.path);
    tape.add(' two');
    expect(() => tape.close()).toThrow(`the file was ${how} while it was written`);
  });

  it('that is given up stays as it is, and takes no descriptor any more', () => {
    const tape = new TapeFile(join(folder, 'a.yaml'));
    tape.add('one');
    tape.flush();
    tape.add(' two');
    tape.abandon();
    tape.abandon();
    expect([tape.isParked, tape.isBehind, read(tape.path)]).toEqual([true, false, 'one']);
  });

  it('gathers in a buffer of its own until it is flushed, and leaves that to others then', () => {
    const buffers: Uint8Array[] = [];
    const word = {
      write(buffer: Uint8Array, at: number) {
        buffers.push(buffer);
        return at + Buffer.from(buffer.buffer).write('word', at);
      },
    };
    const [first, second, third] = ['a', 'b', 'c'].map((name) => new TapeFile(join(folder, `${name}.yaml`)));
    for (const tape of [first!, second!]) tape.addBytes(word);
    for (const tape of [first!, second!]) tape.close();
    expect(buffers[1]).not.toBe(buffers[0]);
    third!.addBytes(word);
    third!.close();
    expect(buffers.slice(0, 2)).toContain(buffers[2]);
    expect([first!, second!, third!].map(({ path }) => read(path))).toEqual(['word', 'word', 'word']);
  });

  it('keeps no more than sixteen buffers, however many tapes were written to at once', () => {
    const buffers: Uint8Array[] = [];
    const noted = {
      write(buffer: Uint8Array, at: number) {
        buffers.push(buffer);
        return at + 1;
      },
    };
    const tapes = Array.from({ length: 40 }, (_, n) => new TapeFile(join(folder, `${n}.yaml`)));
    for (const _turn of [1, 2]) {
      for (const tape of tapes) tape.addBytes(noted);
      for (const tape of tapes) tape.flush();
    }
    for (const tape of tapes) tape.close();
    const first = buffers.slice(0, 40);
    expect(new Set(first).size).toBe(40);
    expect(buffers.slice(40).filter((buffer) => first.includes(buffer))).toHaveLength(16);
  });

  it('says what the disk says', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => new TapeFile(join(folder, 'file', 'a.yaml'))).toThrow(/EEXIST|ENOTDIR/);
  });
});
