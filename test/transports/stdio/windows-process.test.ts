import { expect, it } from 'vitest';
import { spawnCall } from '../../../src/transports/stdio/windows-process.ts';
import { itOnPosix } from '../../support/on-posix.ts';

/** What cross-spawn makes of a program that lies at `file`, there; `isForShell`: cmd.exe is to run it. */
const parsing =
  (file: string | undefined, isForShell: boolean): NonNullable<Parameters<typeof spawnCall>[1]> =>
  (program, args, options) => {
    const parsed = isForShell
      ? {
          command: 'cmd.exe',
          args: ['/d', '/s', '/c', program],
          options: { ...options, windowsVerbatimArguments: true },
        }
      : { command: program, args, options };
    return { ...parsed, ...(file !== undefined && { file }) };
  };

const call = { program: 'server', args: ['a b'], options: { cwd: '/p' } };

itOnPosix('programs by their first line', 'changes nothing on a system where programs start by their name', () => {
  expect(spawnCall(call, undefined)).toBe(call);
});

it('starts a program of Windows by itself, and a batch file by cmd.exe', () => {
  expect(spawnCall(call, parsing('C:\\bin\\server.exe', false))).toEqual(call);
  expect(spawnCall(call, parsing('C:\\bin\\server.CMD', true))).toEqual({
    program: 'cmd.exe',
    args: ['/d', '/s', '/c', 'server'],
    options: { cwd: '/p', windowsVerbatimArguments: true },
  });
});

it.each([
  [undefined, 'ENOENT', 'server is not on the PATH'],
  ['C:\\bin\\server.ps1', 'ENOEXEC', 'powershell -File server.ps1'],
  ['C:\\bin\\server.js', 'ENOEXEC', 'node server.js'],
])('refuses %s, which Windows could at best open as a document', (file, code, why) => {
  expect(() => spawnCall(call, parsing(file, true))).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(why) }),
  );
});
