import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { type Command, mcpRecord } from '../support/command.ts';
import { describeOnPosix, itOnPosix } from '../support/on-posix.ts';
import { run } from '../support/process.ts';

const folder = temporaryFolder();
const cassette = join(import.meta.dirname, '..', '..', 'cassettes', 'everything.yaml');
const server = join(import.meta.dirname, '..', 'fixtures', 'exits-early.js');
const everything = join(import.meta.dirname, '..', 'fixtures', 'swept-sdk-tools.js');
const OLD_REPORT = '<meta name="generator" content="mcp-record 0">\nold\n';

/** A cassette of which a report is long, and which has a secret. */
const long = join(folder, 'long.yaml');
const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;
writeFileSync(
  long,
  `format: mcp-record/1\nevents:\n- stderr: ${secret}\n${Array.from({ length: 200 }, (_, n) => `- client: { id: ${n}, method: a${n}, params: null }\n- server: { id: 1${n}, result: null }\n`).join('')}`,
);

/** A command that may write files of two blocks at most, as on a disk that is full: 512 bytes each, or 1024. */
function onFullDisk({ command, args }: Command): Command {
  const script = 'trap "" XFSZ; ulimit -f 2; exec "$@"';
  return { command: '/bin/sh', args: ['-c', script, 'sh', command, ...args] };
}

/** Each way to have a file written, and what it may write over. */
const WAYS: readonly [name: string, args: (out: string) => string[], old: string][] = [
  ['redact -o', (out) => ['redact', long, '-o', out], 'format: mcp-record/1\nevents: []\n'],
  ['redact', (out) => ['redact', out], readFileSync(long, 'utf8')],
  ['report -o', (out) => ['report', long, '-o', out], OLD_REPORT],
  ['lint --sarif', (out) => ['lint', long, '--sarif', out], 'old\n'],
  ['lint --junit', (out) => ['lint', long, '--junit', out], 'old\n'],
  ['verify --junit', (out) => ['verify', cassette, '--junit', out, '--', process.execPath, server], 'old\n'],
];

describeOnPosix('shell', 'on a disk that is full', () => {
  it.each(WAYS)('%s leaves what was there, nothing beside it, and says why', async (name, args, old) => {
    const own = join(folder, name.replaceAll(/\W/g, '-'));
    mkdirSync(own);
    const out = join(own, 'out');
    writeFileSync(out, old);
    const { stderr, status } = await run(onFullDisk(mcpRecord(...args(out))));
    expect(stderr).toMatch(/EFBIG.*\[USAGE_CANNOT_WRITE\]/);
    expect(stderr).not.toMatch(/\n\s+at .*\.js/);
    expect(status).toBe(2);
    expect(readFileSync(out, 'utf8') === old).toBe(true);
    expect(readdirSync(own)).toEqual(['out']);
  });

  it.each([
    [['convert', long], [], /EFBIG.*\[CONVERT_NOT_WRITTEN\]/],
    [['cut', long, '--from', '0ms'], ['-o'], /EFBIG.*\[USAGE_CANNOT_WRITE\]/],
  ])('%j leaves no part of a file', async (args, before, error) => {
    const out = join(folder, 'out.ndjson');
    const { stderr, status } = await run(onFullDisk(mcpRecord(...args, ...before, out)));
    expect([stderr, status]).toEqual([expect.stringMatching(error), 2]);
    expect(existsSync(out)).toBe(false);
  });
});

describe('where there is room', () => {
  it('a file is written, or written over', async () => {
    const [fresh, old] = [join(folder, 'fresh.sarif'), join(folder, 'old.sarif')];
    writeFileSync(old, 'old');
    for (const out of [fresh, old]) {
      await run(mcpRecord('lint', cassette, '--sarif', out));
      expect(JSON.parse(readFileSync(out, 'utf8')).version).toBe('2.1.0');
    }
  });

  itOnPosix('devices', 'a device is written to', async () => {
    const { stderr } = await run(mcpRecord('lint', cassette, '--sarif', '/dev/null'));
    expect(stderr).toBe('');
  });

  it('a folder is no place for a report', async () => {
    const own = join(folder, 'reports');
    mkdirSync(own);
    const { stderr, status } = await run(mcpRecord('report', cassette, '-o', own));
    expect([stderr, status]).toEqual([
      expect.stringMatching(/it is a folder. \[USAGE_CANNOT_WRITE\]\n {2}Name a file in it/),
      2,
    ]);
  });
});

describeOnPosix('file modes', 'a file that a command makes', () => {
  const fault = ['--fault', 'error-reply:tools/call'];
  it.each<[name: string, args: (out: string) => string[]]>([
    ['redact -o', (out) => ['redact', long, '-o', out]],
    ['report -o', (out) => ['report', long, '-o', out]],
    ['lint --sarif', (out) => ['lint', long, '--sarif', out]],
    ['lint --junit', (out) => ['lint', long, '--junit', out]],
    ['convert to traces', (out) => ['convert', cassette, out, '--to', 'otlp']],
    ['cut -o', (out) => ['cut', cassette, '--from', '0ms', '-o', out]],
    ['replay --journal', (out) => ['replay', cassette, ...fault, '--journal', out]],
    ['replay --findings', (out) => ['replay', cassette, '--findings', out]],
  ])('%s is its owner\u2019s alone', async (name, args) => {
    const out = join(folder, `owned-${name.replaceAll(/\W/g, '-')}`);
    const { command, args: words } = mcpRecord(...args(out));
    await run({ command: '/bin/sh', args: ['-c', 'umask 0; exec "$@"', 'sh', command, ...words] });
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it.each<[name: string, args: (out: string) => string[]]>([
    ['replay --journal', (out) => ['replay', cassette, ...fault, '--journal', out]],
    ['replay --findings', (out) => ['replay', cassette, '--findings', out]],
    [
      'replay --else --findings',
      (out) => ['replay', cassette, '--else', '--findings', out, '--', process.execPath, server],
    ],
    ['record --journal', (out) => ['record', ...fault, '--journal', out, '-o', `${out}.rec`, '--', 'node', server]],
    ['convert', (out) => ['convert', cassette, out, '--to', 'otlp']],
    ['cut -o', (out) => ['cut', cassette, '--from', '0ms', '-o', out]],
    ['merge -o', (out) => ['merge', cassette, long, '-o', out]],
    ['new -o', (out) => ['new', '-o', out, '--', process.execPath, everything]],
  ])('%s is none where a link is, whose target stays: the error says what to do', async (name, args) => {
    const own = join(folder, `links-${name.replaceAll(/\W/g, '-')}`);
    mkdirSync(own);
    for (const [target, text] of [
      ['there', '{}\n'],
      ['not-there', undefined],
    ] as const) {
      const [file, link] = [join(own, target), join(own, `${target}-link`)];
      if (text !== undefined) writeFileSync(file, text);
      symlinkSync(file, link);
      const { stderr, status } = await run(mcpRecord(...args(link)));
      expect([stderr, status]).toEqual([
        expect.stringMatching(/\[(USAGE_CANNOT_WRITE|CONVERT_NOT_WRITTEN)\]\n {2}\w/),
        2,
      ]);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(text ?? false);
    }
  });

  it.each<[name: string, args: (out: string) => string[]]>([
    ['replay --journal', (out) => ['replay', cassette, ...fault, '--journal', out]],
    ['replay --findings', (out) => ['replay', cassette, '--findings', out]],
  ])('%s is not added to a file of another kind', async (name, args) => {
    const own = join(folder, `not-ours-${name.replaceAll(/\W/g, '-')}`);
    writeFileSync(own, 'alias ls=ls\n');
    const { stderr, status } = await run(mcpRecord(...args(own)));
    expect([stderr, status]).toEqual([expect.stringMatching(/no such log\. \[USAGE_CANNOT_WRITE\]/), 2]);
    expect(readFileSync(own, 'utf8')).toBe('alias ls=ls\n');
  });

  it.each<[name: string, args: (out: string) => string[]]>([
    ['report -o', (out) => ['report', long, '-o', out]],
    ['lint --sarif', (out) => ['lint', long, '--sarif', out]],
    ['lint --junit', (out) => ['lint', long, '--junit', out]],
    ['diff --junit', (out) => ['diff', cassette, cassette, '--junit', out]],
    ['diff --sarif', (out) => ['diff', cassette, cassette, '--sarif', out]],
    ['redact --check --sarif', (out) => ['redact', '--check', long, '--sarif', out]],
    ['redact --check --junit', (out) => ['redact', '--check', long, '--junit', out]],
    ['verify --junit', (out) => ['verify', cassette, '--junit', out, '--', process.execPath, server]],
    ['verify --sarif', (out) => ['verify', cassette, '--sarif', out, '--', process.execPath, server]],
    ['check --markdown', (out) => ['check', cassette, '--markdown', out]],
  ])('%s takes the place of a link, whose target stays', async (name, args) => {
    const [file, link] = ['target', 'link'].map((end) => join(folder, `${end}-${name.replaceAll(/\W/g, '-')}`));
    writeFileSync(file!, OLD_REPORT);
    symlinkSync(file!, link!);
    await run(mcpRecord(...args(link!)));
    expect(readFileSync(file!, 'utf8')).toBe(OLD_REPORT);
    expect(lstatSync(link!).isFile()).toBe(true);
    expect(lstatSync(link!).mode & 0o777).toBe(0o600);
  });

  it('takes the place of a link, and of an earlier cassette, and of no other file', async () => {
    const [own, link, earlier] = [join(folder, 'own.txt'), join(folder, 'link.yaml'), join(folder, 'earlier.yaml')];
    writeFileSync(own, 'alias ls=ls');
    symlinkSync(own, link);
    copyFileSync(cassette, earlier);
    for (const out of [link, earlier]) {
      expect((await run(mcpRecord('redact', long, '-o', out))).status).toBe(0);
      expect(readFileSync(out, 'utf8')).toContain('[redacted:');
    }
    const { stderr, status } = await run(mcpRecord('redact', long, '-o', own));
    expect([stderr, status]).toEqual([expect.stringMatching(/it is no cassette\. \[USAGE_CANNOT_WRITE\]/), 2]);
    expect(readFileSync(own, 'utf8')).toBe('alias ls=ls');
  });
});

describeOnPosix('devices', 'what is no file', () => {
  const commands = [
    ['show'],
    ['show', '--git'],
    ['show', '--json'],
    ['report'],
    ['lint'],
    ['redact', '--check'],
    ['replay'],
    ['replay', '--http'],
  ].map((args) => [args.join(' '), (file: string) => [...args, file]] as const);
  const others = [
    ['diff', (file: string) => ['diff', cassette, file]],
    ['convert', (file: string) => ['convert', file, join(folder, 'never.har')]],
    ['verify', (file: string) => ['verify', file, '--', process.execPath, server]],
    ['sweep', (file: string) => ['sweep', file, '--', process.execPath, server]],
  ] as const;

  it.each([...commands, ...others])('%s does not read for ever', async (_name, args) => {
    const { stderr, status } = await run(mcpRecord(...args('/dev/zero')));
    expect(stderr).toMatch(/it is a device, and no file.*/);
    expect(stderr).not.toMatch(/\n\s+at .*\.js/);
    expect(status).toBe(2);
  });

  it('a file that is named as a folder, and a folder as a file, is said', async () => {
    copyFileSync(cassette, join(folder, 'a.yaml'));
    for (const file of [join(folder, 'a.yaml', 'b.yaml'), folder]) {
      const { stderr, status } = await run(mcpRecord('show', file));
      expect([stderr, status]).toEqual([expect.stringMatching(/\[CASSETTE_(NOT_FOUND|IS_DIRECTORY)\]/), 2]);
      expect(stderr).toContain(basename(file));
    }
  });
});
