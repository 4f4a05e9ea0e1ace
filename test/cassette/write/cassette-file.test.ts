import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rest = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `a-${from + i}.yaml`);
const read = (path: string) => readFileSync(path, 'utf8');

describe('a cassette being written', () => {
  it('gathers what is added until it is flushed', () => {
    const cassette = new CassetteFile(join(folder, 'a', 'b.yaml'));
    cassette.add('one ');
    cassette.add('zwölf ');
    expect(read(cassette.path)).toBe('');
    cassette.flush();
    expect(read(cassette.path)).toBe('one zwölf ');
    cassette.close();
  });

  it('keeps the order of what is larger than its buffer', () => {
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    const large = '語'.repeat(100_000);
    const all = ['small', large, 'small again', ...Array.from({ length: 5_000 }, (_, n) => `line ${n}`), large];
    for (const text of all) cassette.add(text);
    cassette.close();
    expect(read(cassette.path)).toBe(all.join(''));
  });

  it('takes the next free name, and holds it against everybody', () => {
    const [a, b] = [new CassetteFile(join(folder, 'a.yaml')), new CassetteFile(join(folder, 'a.yaml'))];
    expect([a.path, b.path]).toEqual([join(folder, 'a.yaml'), join(folder, 'a-2.yaml')]);
    a.close();
    b.close();
  });

  it('takes the first free name also behind hundreds that are taken', () => {
    const names = Array.from({ length: 300 }, () => {
      const cassette = new CassetteFile(join(folder, 'a.yaml'));
      cassette.close();
      return cassette.path;
    });
    expect(names).toEqual(['a.yaml', ...rest(2, 300)].map((name) => join(folder, name)));
    rmSync(join(folder, 'a-3.yaml'));
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    expect(cassette.path).toBe(join(folder, 'a-3.yaml'));
    cassette.close();
  });

  it('can be given another name, and never one that is taken', () => {
    writeFileSync(join(folder, 'b.yaml'), 'kept');
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    cassette.add('one');
    cassette.rename(join(folder, 'b.yaml'));
    cassette.add(' two');
    cassette.close();
    expect(read(join(folder, 'b.yaml'))).toBe('kept');
    expect(read(join(folder, 'b-2.yaml'))).toBe('one two');
    expect(() => read(join(folder, 'a.yaml'))).toThrow('ENOENT');
  });

  it('may be closed for a while, and goes on at its end', () => {
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    for (const word of ['one', ' two', ' three']) {
      cassette.add(word);
      cassette.park();
      expect(cassette.isBehind).toBe(false);
    }
    expect(read(cassette.path)).toBe('one two three');
    cassette.rename(join(folder, 'b.yaml'));
    cassette.add(' four');
    cassette.close();
    expect(read(cassette.path)).toBe('one two three four');
  });

  it.each([
    ['removed', rmSync],
    ['replaced', (path: string) => writeFileSync(path, 'longer than it was')],
  ])('that was %s while it was closed is not written to', (how, meanwhile) => {
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    cassette.add('one');
    cassette.park();
    meanwhile(cassette.path);
    cassette.add(' two');
    expect(() => cassette.close()).toThrow(`the file was ${how} while it was written`);
  });

  it('that is given up stays as it is, and takes no descriptor any more', () => {
    const cassette = new CassetteFile(join(folder, 'a.yaml'));
    cassette.add('one');
    cassette.flush();
    cassette.add(' two');
    cassette.abandon();
    cassette.abandon();
    expect([cassette.isParked, cassette.isBehind, read(cassette.path)]).toEqual([true, false, 'one']);
  });

  it('gathers in a buffer of its own until it is flushed, and leaves that to others then', () => {
    const buffers: Uint8Array[] = [];
    const word = {
      write(buffer: Uint8Array, at: number) {
        buffers.push(buffer);
        return at + Buffer.from(buffer.buffer).write('word', at);
      },
    };
    const [first, second, third] = ['a', 'b', 'c'].map((name) => new CassetteFile(join(folder, `${name}.yaml`)));
    for (const cassette of [first!, second!]) cassette.addBytes(word);
    for (const cassette of [first!, second!]) cassette.close();
    expect(buffers[1]).not.toBe(buffers[0]);
    third!.addBytes(word);
    third!.close();
    expect(buffers.slice(0, 2)).toContain(buffers[2]);
    expect([first!, second!, third!].map(({ path }) => read(path))).toEqual(['word', 'word', 'word']);
  });

  it('keeps no more than sixteen buffers, however many cassettes were written to at once', () => {
    const buffers: Uint8Array[] = [];
    const noted = {
      write(buffer: Uint8Array, at: number) {
        buffers.push(buffer);
        return at + 1;
      },
    };
    const cassettes = Array.from({ length: 40 }, (_, n) => new CassetteFile(join(folder, `${n}.yaml`)));
    for (const _turn of [1, 2]) {
      for (const cassette of cassettes) cassette.addBytes(noted);
      for (const cassette of cassettes) cassette.flush();
    }
    for (const cassette of cassettes) cassette.close();
    const first = buffers.slice(0, 40);
    expect(new Set(first).size).toBe(40);
    expect(buffers.slice(40).filter((buffer) => first.includes(buffer))).toHaveLength(16);
  });

  it('says what the disk says', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => new CassetteFile(join(folder, 'file', 'a.yaml'))).toThrow(/EEXIST|ENOTDIR/);
  });
});
