import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { describeOnPosix, itOnPosix, titled } from '../../support/on-posix.ts';
import { fixture, Running, recorder, run } from '../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const line = (text: string) => `${JSON.stringify({ jsonrpc: '2.0', method: 'a', params: { text } })}\n`;

/** A disk of its own that is soon full; undefined where this user may not mount one. */
function smallDisk(): string | undefined {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk]);
  return status === 0 ? disk : undefined;
}

const disk = smallDisk();
afterAll(() => {
  if (disk !== undefined) spawnSync('umount', ['-l', disk]);
});

describe.skipIf(disk === undefined)(
  titled('a disk that is full, skipped where tmpfs cannot be mounted', 'devices'),
  () => {
    it('midst of an event leaves the session alone, is said once, and the cassette can be read up to there', async () => {
      const file = join(disk!, 'cassette.yaml');
      const said = Array.from({ length: 40 }, (_, n) => line(`${n} ${'word '.repeat(4000)}`)).join('');
      const { stdout, stderr, status } = await run(recorder(file, fixture('cat.js')), said);
      expect(stdout.toString() === said).toBe(true);
      expect(stderr.match(/no space left on device.*\[CASSETTE_NOT_WRITTEN\]/g)).toHaveLength(1);
      expect(status).toBe(74);
      const { events, warnings } = loadCassette(file);
      const texts = events.map(({ frame }) => frame.kind === 'message' && frame.from === 'client' && frame.json.text);
      expect(
        said.startsWith(
          texts
            .filter(Boolean)
            .map((text) => `${text}\n`)
            .join(''),
        ),
      ).toBe(true);
      expect(warnings).toHaveLength(1);
    });
  },
);

itOnPosix(
  'shell',
  'a cassette that may not grow any further leaves the session alone, is said once, and can be read up to there',
  async () => {
    const file = newFile();
    const said = Array.from({ length: 40 }, (_, n) => line(`${n} ${'word '.repeat(4000)}`)).join('');
    const { command, args } = recorder(file, fixture('cat.js'));
    const limited = { command: '/bin/sh', args: ['-c', 'ulimit -f 300; exec "$@"', 'sh', command, ...args] };
    const { stdout, stderr, status } = await run(limited, said);
    expect(stdout.toString() === said).toBe(true);
    expect(stderr.match(/\[CASSETTE_NOT_WRITTEN\]/g)).toHaveLength(1);
    expect(status).toBe(74);
    const { events, warnings } = loadCassette(file);
    expect(events.length).toBeGreaterThan(0);
    expect(warnings).toHaveLength(1);
  },
);

itOnPosix('devices', 'a folder that cannot be written to leaves the session alone', async () => {
  const said = line('a');
  const { stdout, stderr, status } = await run(recorder('/proc/cassette.yaml', fixture('cat.js')), said);
  expect([stdout.toString(), stderr, status]).toEqual([said, expect.stringContaining('[CASSETTE_NOT_WRITTEN]'), 74]);
});

describeOnPosix('open files can be removed', 'a cassette that is not what it was when recording ends', () => {
  /** Records a session in whose midst `meanwhile` happens. */
  async function session(file: string, meanwhile: () => void) {
    await using running = new Running(recorder(file, fixture('cat.js')));
    running.child.stdin.write(line('before'));
    expect(`${await running.line()}\n`).toBe(line('before'));
    await written(file);
    meanwhile();
    running.child.stdin.write(line('password=hunter2-x'));
    expect(`${await running.line()}\n`).toBe(line('password=hunter2-x'));
    running.read().child.stdin.end();
    const { status, stderr } = await running.ended;
    return { status, stderr };
  }

  /** The recorder hears of a message as the client does, and has it in the cassette some turns later. */
  async function written(file: string): Promise<void> {
    const has = () => existsSync(file) && readFileSync(file, 'utf8').includes('before');
    while (!has()) await new Promise((resolve) => setImmediate(resolve));
  }

  it('because it was removed is said, with status 74', async () => {
    const file = newFile();
    const { status, stderr } = await session(file, () => rmSync(file));
    expect([status, stderr]).toEqual([
      74,
      expect.stringMatching(/removed while it was written.*\[CASSETTE_NOT_WRITTEN\]/),
    ]);
  });

  it('because another was put in its place is said, and the other one is left alone', async () => {
    const file = newFile();
    const { status, stderr } = await session(file, () => {
      writeFileSync(`${file}.new`, 'of somebody else');
      renameSync(`${file}.new`, file);
    });
    expect([status, stderr]).toEqual([
      74,
      expect.stringMatching(/replaced while it was written.*\[CASSETTE_NOT_WRITTEN\]/),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('of somebody else');
  });
});
