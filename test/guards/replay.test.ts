import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayed } from '../support/command.ts';
import { countSession, kilobytes } from './counted.ts';

const root = join(import.meta.dirname, '..', '..');
const TELL = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';

it('a replay over stdio loads at most 25 files of 485 KB', async () => {
  const { files } = await countSession(replayed(join(root, 'cassettes', 'everything.yaml')), []);
  expect(files).toContain('dist/bin/main.js');
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(25);
  expect(kilobytes(files)).toBeLessThanOrEqual(485);
});

it('a replay over stdio loads no stack of HTTP, nor what is secret', () => {
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(TELL)}`,
      join(root, 'bin', 'mcp-record.js'),
      'replay',
      join(root, 'cassettes', 'everything.yaml'),
    ],
    { input: '', encoding: 'utf8' },
  );
  const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
  expect(loaded).toContain('net');
  for (const heavy of ['http', 'https', 'tls', 'crypto', 'dns']) expect(loaded).not.toContain(heavy);
});
