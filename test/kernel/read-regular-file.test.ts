import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSize, NOT_A_FILE, readNamedFile, readNamedText } from '../../src/kernel/read-regular-file.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { itOnPosix } from '../support/on-posix.ts';

const folder = temporaryFolder();
const file = join(folder, 'a.txt');
writeFileSync(file, 'é');

describe('a file that somebody has named', () => {
  it('is read', () => {
    expect([fileSize(file), readNamedText(file), [...readNamedFile(file)]]).toEqual([2, 'é', [0xc3, 0xa9]]);
  });

  it('may be missing, or a folder, which the file system says', () => {
    expect(() => readNamedFile(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => readNamedFile(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });

  itOnPosix('pipes', 'is not waited for where it is a pipe, a device or a socket', async () => {
    const [pipe, socket] = [join(folder, 'pipe'), join(folder, 'socket')];
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    const whys = [pipe, '/dev/zero', socket].map((path) => {
      try {
        return readNamedFile(path).length;
      } catch (error) {
        return [(error as NodeJS.ErrnoException).code, (error as Error).message];
      }
    });
    server.close();
    expect(whys).toEqual([
      [NOT_A_FILE, 'it is a pipe, and no file'],
      [NOT_A_FILE, 'it is a device, and no file'],
      [NOT_A_FILE, 'it is a socket, and no file'],
    ]);
  });
});
