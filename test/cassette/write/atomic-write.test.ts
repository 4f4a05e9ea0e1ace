import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpFile, renameFile, replaceFile, writeNew, writeWhole } from '../../../src/cassette/write/atomic-write.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { eachOnPosix, itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();
let files = 0;

function newFile(text: string): string {
  const file = join(folder, String(files++), 'cassette.yaml');
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  return file;
}

it('replaces a file, and leaves nothing beside it', () => {
  const file = newFile('old');
  replaceFile(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(dirname(file))).toEqual(['cassette.yaml']);
});

eachOnPosix('file modes', [0o640, 0o666, 0o400], 'keeps the mode %i of the file, whatever the umask', (mode) => {
  const file = newFile('old');
  chmodSync(file, mode);
  replaceFile(file, 'new');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', mode]);
});

itOnPosix('links', 'replaces what a link leads to, and not the link', () => {
  const file = newFile('old');
  const link = join(dirname(file), 'link.yaml');
  symlinkSync(file, link);
  replaceFile(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
});

it('does not make a file that is not there', () => {
  expect(() => replaceFile(join(folder, 'none.yaml'), 'new')).toThrow(/ENOENT/);
});

it('leaves the file as it was where the new one cannot be put there, and nothing beside it', () => {
  const folder = dirname(newFile('old'));
  expect(() => replaceFile(folder, 'new')).toThrow(/EISDIR|EPERM|ENOTEMPTY/);
  expect(readdirSync(folder)).toEqual(['cassette.yaml']);
  expect(readdirSync(dirname(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('leaves alone what another process of the same number has left beside the file', () => {
  const file = newFile('old');
  const others = [`${file}.${process.pid}.tmp`, `${file}.${process.pid}-2.tmp`];
  for (const other of others) writeFileSync(other, 'of another');
  replaceFile(file, 'new');
  expect([file, ...others].map((path) => readFileSync(path, 'utf8'))).toEqual(['new', 'of another', 'of another']);
  expect(readdirSync(dirname(file))).toHaveLength(3);
});

it('writes a file that is there or not, and one that is not there only', () => {
  const file = newFile('old');
  const fresh = `${file}.fresh`;
  writeWhole(file, 'new', 0o600);
  writeWhole(fresh, 'new', 0o600);
  expect([readFileSync(file, 'utf8'), readFileSync(fresh, 'utf8')]).toEqual(['new', 'new']);
  expect(() => writeNew(fresh, 'newer', 0o600)).toThrow(/EEXIST/);
  writeNew(`${file}.new`, 'new', 0o600);
  expect(readFileSync(`${file}.new`, 'utf8')).toBe('new');
  expect(readdirSync(dirname(file)).sort()).toEqual(['cassette.yaml', 'cassette.yaml.fresh', 'cassette.yaml.new']);
});

itOnPosix('file modes', 'writes a new file with the mode it is given, and an old one with its own', () => {
  const file = newFile('old');
  chmodSync(file, 0o640);
  const fresh = `${file}.fresh`;
  for (const path of [file, fresh]) writeWhole(path, 'new', 0o600);
  expect([file, fresh].map((path) => statSync(path).mode & 0o777)).toEqual([0o640, 0o600]);
});

itOnPosix('devices', 'writes to a device as it is', () => {
  writeWhole('/dev/null', 'new', 0o600);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

/** A rename that Windows refuses so many times. */
function refusing(times: number, code: string) {
  const waits: number[] = [];
  let tries = 0;
  const rename = () => {
    if (tries++ < times) throw Object.assign(new Error(code), { code });
  };
  return { waits, parts: { rename, block: (time: number) => void waits.push(time) }, tries: () => tries };
}

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'renames over a file that is open elsewhere on Windows (%s) as soon as it may',
  (code) => {
    const { waits, parts } = refusing(3, code);
    renameFile('a', 'b', { platform: 'win32', ...parts });
    expect(waits).toEqual([1, 2, 4]);
  },
);

it('gives up a rename after a second, and at once where waiting does not help', () => {
  const open = refusing(100, 'EBUSY');
  expect(() => renameFile('a', 'b', { platform: 'win32', ...open.parts })).toThrow('EBUSY');
  expect(open.waits.reduce((sum, wait) => sum + wait)).toBe(1023);
  for (const [platform, code] of [
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
  ] as const) {
    const { parts, tries } = refusing(100, code);
    expect(() => renameFile('a', 'b', { platform, ...parts })).toThrow(code);
    expect(tries()).toBe(1);
  }
});

it('waits, where it has to', () => {
  const file = newFile('old');
  let tries = 0;
  const rename = () => {
    if (tries++ === 0) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    writeFileSync(file, 'renamed');
  };
  renameFile('a', 'b', { platform: 'win32', rename });
  expect(readFileSync(file, 'utf8')).toBe('renamed');
});

it('keeps each version of a file in a backup of its own, and no version twice', () => {
  const file = newFile('first');
  expect([backUpFile(file), backUpFile(file)]).toEqual([`${file}.backup`, `${file}.backup`]);
  writeFileSync(file, Buffer.from([0x73, 0xff, 0x65]));
  expect(backUpFile(file)).toBe(`${file}.backup-2`);
  expect(readFileSync(`${file}.backup`, 'utf8')).toBe('first');
  expect([...readFileSync(`${file}.backup-2`)]).toEqual([0x73, 0xff, 0x65]);
});

itOnPosix('file modes', 'makes a backup with the mode of the file, whatever a backup of the same text has', () => {
  const file = newFile('old');
  chmodSync(file, 0o640);
  writeFileSync(`${file}.backup`, 'old', { mode: 0o644 });
  symlinkSync(join(folder, 'elsewhere'), `${file}.backup-2`);
  expect(backUpFile(file)).toBe(`${file}.backup-3`);
  expect(statSync(`${file}.backup-3`).mode & 0o777).toBe(0o640);
});
