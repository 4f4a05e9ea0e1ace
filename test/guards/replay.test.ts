import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const TELL = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';

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
