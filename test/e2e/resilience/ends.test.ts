import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { framesOf, freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { fixture, gone, isAlive, Running, recorder } from '../../support/process.ts';

const newFile = freeNames(temporaryFolder());

/** Starts the command that follows, says its number, and joins its input and output to its own. */
const PARENT = `
  const [command, ...args] = process.argv.slice(1);
  const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  process.stdout.write(child.pid + '\\n');
  process.stdin.pipe(child.stdin);
`;

describe('an end that nobody asked for', () => {
  itOnPosix('processes outlive their parent', 'of the client lets the recorder finish its cassette', async () => {
    const file = newFile();
    const { command, args } = recorder(file, fixture('answers.js'));
    await using client = new Running({ command, args: ['-e', PARENT, command, ...args] });
    const pid = Number(await client.line());
    client.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"a","params":{}}\n');
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(isAlive(pid)).toBe(true);
    client.child.kill('SIGKILL');
    await gone(pid);
    const { end, warnings } = loadCassette(file);
    expect([end, warnings]).toEqual(['complete', []]);
    expect(framesOf(file).filter(({ kind }) => kind === 'message')).toHaveLength(2);
  });

  it('of whoever read what is said to the person ends neither a recorder nor its sessions', async () => {
    const { command, args } = mcpRecord(
      ...['record', '--http', 'http://127.0.0.1:9/mcp', '--listen', '127.0.0.1:0', '-o', newFile()],
    );
    await using running = new Running({ command, args });
    const [, url = ''] = /listening on (\S+)/.exec(await running.line(running.child.stderr)) ?? [];
    running.child.stderr.destroy();
    // Each is answered that there is no server, which is said to the person, too.
    for (const _ of [1, 2, 3]) expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(502);
    running.signal('SIGINT');
    expect(await once(running.child, 'exit')).toEqual([0, null]);
  });
});
