import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/load.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, gone, isAlive, Running, reaped, recorder, residentBytes, run } from '../support/process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-stdio-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = () => join(folder, `tape-${files++}.yaml`);
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const framesOf = (file: string): Frame[] => loadCassette(file).events.map(({ frame }) => frame);
/** Who said what, without times. */
const said = (file: string): unknown[][] =>
  framesOf(file).map((frame) => {
    if (frame.kind === 'message') return [frame.from, frame.json.value];
    if (frame.kind === 'noise') return [frame.on === 'stderr' ? 'stderr' : frame.from, frame.data];
    return frame.kind === 'exit' ? ['exit', frame.status] : [frame.kind, frame.from];
  });

describe('bytes', () => {
  const ugly = Buffer.concat([
    Buffer.from('plain text\r\n\n{"a":1}\n{"text":"line\u2028sep é 👩‍👩‍👧"}\n'),
    Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a]),
    Buffer.from('no newline at the end'),
  ]);

  it('pass unchanged, whatever they are and wherever they are cut', async () => {
    const pieces = Array.from({ length: ugly.length }, (_, at) => base64(ugly.subarray(at, at + 1)));
    const { stdout, status } = await run(recorder(newFile(), fixture('says.js', ...pieces)));
    expect(stdout.equals(ugly)).toBe(true);
    expect(status).toBe(0);
  });

  it('are on the tape as what they are: messages, lines, bytes, and a line cut off', async () => {
    const file = newFile();
    await run(recorder(file, fixture('says.js', base64(ugly))));
    expect(said(file)).toEqual([
      ['close', 'client'],
      ['server', 'plain text\r'],
      ['server', ''],
      ['server', { a: 1 }],
      ['server', { text: 'line\u2028sep é 👩‍👩‍👧' }],
      ['server', new Uint8Array([0xff, 0xfe])],
      ['server', new Uint8Array([0xc3])],
      ['server', 'no newline at the end'],
      ['close', 'server'],
      ['exit', 0],
    ]);
  });

  it('of both directions are heard once and in order', async () => {
    const file = newFile();
    const lines = Array.from({ length: 2_000 }, (_, n) => `{"n":${n}}\n`).join('');
    const { stdout } = await run(recorder(file, fixture('cat.js')), lines);
    expect(stdout.toString()).toBe(lines);
    const heard = framesOf(file).filter(({ kind, from }) => kind === 'message' && from === 'server');
    expect(heard.map((frame) => frame.kind === 'message' && frame.json.value)).toEqual(
      Array.from({ length: 2_000 }, (_, n) => ({ n })),
    );
  });

  it('of standard error pass, and are recorded line by line', async () => {
    const file = newFile();
    const { stderr, stdout } = await run(
      recorder(file, fixture('says.js', `stderr:${base64('one\ntw')}`, `stderr:${base64('o\nthree')}`)),
    );
    expect(stderr).toBe('one\ntwo\nthree');
    expect(stdout.length).toBe(0);
    expect(said(file).filter(([who]) => who === 'stderr')).toEqual([
      ['stderr', 'one'],
      ['stderr', 'two'],
      ['stderr', 'three'],
    ]);
  });

  it('of a line of 100 MB pass with memory flat, and come back from the tape', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('long-line.js', '100')));
    let bytes = 0;
    let most = 0;
    running.child.stdout.on('data', (data: Buffer) => {
      bytes += data.length;
      most = Math.max(most, residentBytes(running.child.pid!));
    });
    running.child.stderr.resume();
    running.child.stdin.end();
    await running.ended;
    expect(bytes).toBe(100 * 1024 * 1024 + 1);
    expect(most).toBeLessThan(120 * 1024 * 1024);
    const line = framesOf(file).find(({ kind }) => kind === 'noise');
    expect(line?.kind === 'noise' && line.data.length).toBe(100 * 1024 * 1024);
  });
});

describe('the end', () => {
  it.each(['0', '3', '127'])('with status %s is the end with that status', async (status) => {
    const file = newFile();
    expect((await run(recorder(file, fixture('exits-early.js', status)))).status).toBe(Number(status));
    expect(said(file)).toContainEqual(['exit', Number(status)]);
    expect(loadCassette(file).end).toBe('complete');
  });

  it('by a signal has the status that a shell gives it', async () => {
    const file = newFile();
    expect((await run(recorder(file, fixture('exits-early.js', 'SIGKILL')))).status).toBe(137);
    expect(said(file)).toContainEqual(['exit', 'SIGKILL']);
  });

  it('of input and SIGTERM reach a server that ignores them; killed, we take it along', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('ignores-the-end.js')));
    const server = Number(await running.line());
    running.child.stdin.end();
    expect(await running.line()).toBe('end of input');
    running.child.kill('SIGTERM');
    expect(await running.line()).toBe('SIGTERM');
    running.child.kill('SIGKILL');
    await gone(server);
    const frames = framesOf(file).map(({ kind }) => kind);
    expect(frames.slice(0, 4)).toEqual(['noise', 'close', 'noise', 'signal']);
  });

  it('takes along what the server left behind', async () => {
    await using running = new Running(recorder(newFile(), fixture('leaves-a-child.js')));
    const grandchild = Number(await running.line());
    expect(isAlive(grandchild)).toBe(true);
    running.child.stdin.end();
    running.read();
    await running.ended;
    await gone(grandchild);
  });
});

describe('a side that stops reading', () => {
  const FAR_TOO_MANY = 32 * 1024 * 1024;

  /** Asks how many bytes have passed until no more do: each answer proves that everybody had a turn. */
  async function settled(ask: () => Promise<number>): Promise<number> {
    let [bytes, same] = [0, 0];
    while (same < 50 && bytes < FAR_TOO_MANY) {
      const now = await ask();
      same = now === bytes ? same + 1 : 0;
      bytes = now;
    }
    return bytes;
  }

  /** A server whose flood nobody reads, once it has come to a stop. */
  async function stoppedFlood(file: string) {
    const running = new Running(recorder(file, fixture('floods.js')));
    let server = 0;
    const taken = await settled(async () => {
      running.child.stdin.write('{}\n');
      const [pid, bytes] = (await running.line(running.child.stderr)).split(' ').map(Number);
      server = pid!;
      return bytes!;
    });
    return { running, taken, server };
  }

  it('makes the server block, while our memory stays flat', async () => {
    const { running, taken } = await stoppedFlood(newFile());
    await using _ = running;
    expect(taken).toBeLessThan(8 * 1024 * 1024);
    expect(residentBytes(running.child.pid!)).toBeLessThan(120 * 1024 * 1024);
  });

  it('makes the client block where it is the server', async () => {
    await using running = new Running(recorder(newFile(), fixture('never-reads.js')));
    await running.line();
    const { stdin } = running.child;
    const chunk = Buffer.alloc(64 * 1024, 'y\n');
    let accepted = 0;
    const write = () =>
      stdin.write(chunk, (error) => {
        if (error) return;
        accepted += chunk.length;
        write();
      });
    write();
    const taken = await settled(async () => {
      running.child.kill('SIGUSR2');
      await running.line();
      return accepted;
    });
    expect(taken).toBeLessThan(8 * 1024 * 1024);
  });

  it('and asks for the end has it, with a whole tape', async () => {
    const file = newFile();
    const { running } = await stoppedFlood(file);
    await using _ = running;
    running.child.kill('SIGTERM');
    const [status] = await once(running.child, 'exit');
    expect(status).toBe(143);
    expect(said(file)).toContainEqual(['signal', 'client']);
    expect(said(file).at(-1)).toEqual(['exit', 'SIGTERM']);
    expect(loadCassette(file).end).toBe('complete');
  });

  it('and asks for the end when the server has already ended has it as well', async () => {
    const file = newFile();
    const { running, server } = await stoppedFlood(file);
    await using _ = running;
    running.child.stdin.end();
    await reaped(server);
    running.child.kill('SIGTERM');
    expect(await once(running.child, 'exit')).toEqual([0, null]);
    expect(said(file).at(-1)).toEqual(['exit', 0]);
    expect(loadCassette(file).end).toBe('complete');
  });
});

describe('a tape', () => {
  it('is never written over: the next free name is taken, and said', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    const { stderr } = await run(recorder(file, fixture('cat.js')), '{}\n');
    const next = file.replace('.yaml', '-2.yaml');
    expect(stderr).toBe(`mcp-record: ${file} exists and is kept: recording to ${next}\n`);
    expect(existsSync(next)).toBe(true);
    expect(statSync(file).size).toBe(4);
  });

  it('in a directory is named by server, time and process, and said', async () => {
    const inside = join(folder, 'many');
    mkdirSync(inside);
    const { stderr } = await run(recorder(inside, fixture('cat.js')), '{}\n');
    const [name] = readdirSync(inside);
    expect(name).toMatch(/^cat-\d{8}T\d{6}Z-\d+\.yaml$/);
    expect(stderr).toBe(`mcp-record: recording to ${join(inside, name!)}\n`);
  });

  it('can be read by its owner only', async () => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js')), '{}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that the disk refuses leaves the session alone; it is said at once, and the status is 74', async () => {
    const file = join(folder, 'no-folder', 'tape.yaml');
    writeFileSync(join(folder, 'no-folder'), 'a file');
    const { stdout, stderr, status } = await run(recorder(file, fixture('cat.js')), '{"a":1}\n');
    expect(stdout.toString()).toBe('{"a":1}\n');
    expect(stderr).toContain('[TAPE_NOT_WRITTEN]');
    expect(status).toBe(74);
  });

  it('of a process that was only asked what it can do is a probe’s', async () => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js')), '{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n');
    expect(existsSync(file)).toBe(false);
    expect(existsSync(file.replace('.yaml', '.probe.yaml'))).toBe(true);
  });

  it('of a process that was asked and then used is a session’s', async () => {
    const file = newFile();
    const input =
      '{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n{"jsonrpc":"2.0","id":2,"method":"initialize"}\n';
    await run(recorder(file, fixture('cat.js')), input);
    expect(existsSync(file)).toBe(true);
    expect(existsSync(file.replace('.yaml', '.probe.yaml'))).toBe(false);
  });

  it.each([
    [['--timing', 'exact'], /after: \d+\.\d+/],
    [['--timing', 'none'], /^(?!.*after:)/s],
  ])('keeps gaps as asked: %j', async (options, pattern) => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js'), ...options), '{}\n');
    expect(readFileSync(file, 'utf8')).toMatch(pattern);
  });
});

describe('a server that cannot be started', () => {
  it('is an error with status 127 that leaves no tape', async () => {
    const file = newFile();
    const { stderr, status, stdout } = await run(mcpRecord('record', '-o', file, 'no-such-program'));
    expect(stderr).toContain('Cannot start no-such-program');
    expect(stderr).toContain('[COMMAND_NOT_FOUND]');
    expect([status, stdout.length, existsSync(file)]).toEqual([127, 0, false]);
  });

  it('is an error with status 126 where it is no program', async () => {
    const file = newFile();
    const { stderr, status } = await run(mcpRecord('record', '-o', file, '--', join(import.meta.dirname)));
    expect(stderr).toContain('[COMMAND_NOT_EXECUTABLE]');
    expect([status, existsSync(file)]).toEqual([126, false]);
  });

  it('needs no "--" before it', async () => {
    const { command, args } = fixture('cat.js');
    const { stdout } = await run(mcpRecord('record', '-o', newFile(), command, ...args), 'hello\n');
    expect(stdout.toString()).toBe('hello\n');
  });
});
