import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import type { WireFrame } from '../../../src/channel/frame.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { recordStdio } from '../../../src/record/stdio/record-stdio.ts';
import { StdioRecorder } from '../../../src/record/stdio/stdio-recorder.ts';
import { startChild } from '../../../src/transports/stdio/child-process.ts';
import { framesOf, freeNames, holds, said, temporaryFolder } from '../../support/cassette.ts';
import { fixture, gone, isAlive, Running, reaped, recorder, residentBytes, run } from '../../support/process.ts';

const newFile = freeNames(temporaryFolder());
/** A client that says nothing and hears nothing. */
const silent = { send: () => true, drained() {}, pause() {}, resume() {}, flushed() {} };
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');

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

  it('are in the cassette as what they are: messages, lines, bytes, and a line cut off', async () => {
    const file = newFile();
    await run(recorder(file, fixture('says.js', base64(ugly))));
    // The client says nothing, and ends when it likes.
    expect(said(file)).toContainEqual(['close', 'client']);
    expect(said(file).filter(([what, who]) => what !== 'close' || who !== 'client')).toEqual([
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
    expect(stderr).toMatch(/^one\ntwo\nthreemcp-record: nothing redacted → .*\n$/);
    expect(stdout.length).toBe(0);
    expect(said(file).filter(([who]) => who === 'stderr')).toEqual([
      ['stderr', 'one'],
      ['stderr', 'two'],
      ['stderr', 'three'],
    ]);
  });

  it('of a line too long to be held are all in the cassette once anything that came after them was answered, though we are killed then', async () => {
    const [file, length] = [newFile(), 6_000_000];
    await using running = new Running(recorder(file, fixture('answers.js', `${length}`)));
    const ask = (id: number) => running.child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"a"}\n`);
    ask(1);
    let isAnswered = false;
    running.child.stdout.on('data', (data: Buffer) => {
      if (isAnswered) running.child.kill('SIGKILL');
      else if (data.at(-1) === 0x0a) {
        isAnswered = true;
        ask(2);
      }
    });
    await running.ended;
    const frames = framesOf(file);
    expect(frames.map((frame) => 'from' in frame && frame.from)).toEqual(['client', 'server', 'client']);
    expect(frames[1]).toMatchObject({ kind: 'message', json: { value: { id: 1 } } });
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
    await holds(file, 'signal: SIGTERM');
    running.child.kill('SIGKILL');
    await gone(server);
    const frames = framesOf(file).map(({ kind }) => kind);
    expect(frames.slice(0, 4)).toEqual(['line', 'close', 'line', 'signal']);
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

  it('and asks for the end has it, with a whole cassette', async () => {
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

describe('a side that has gone', () => {
  it('does not hear the rest, and the session ends as it would', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('floods.js')));
    await once(running.child.stdout, 'readable');
    running.child.stdout.destroy();
    running.child.stdin.end('{}\n');
    await running.line(running.child.stderr);
    expect(await once(running.child, 'exit')).toEqual([0, null]);
    expect(loadCassette(file).end).toBe('complete');
  });

  it('may be the server, with the client still talking', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('exits-early.js', '4')));
    const talk = () => running.child.stdin.write('{}\n'.repeat(1_000), (error) => error || talk());
    talk();
    expect((await running.read().ended).status).toBe(4);
    expect(said(file).at(-1)).toEqual(['exit', 4]);
  });

  it('is told nothing more once it has ended, nor is the cassette', async () => {
    const recorded: string[] = [];
    let say: (frame: WireFrame) => void = () => {};
    const parent = { ...silent, listen: (receive: typeof say) => (say = receive) };
    const tap = ({ kind }: WireFrame) => {
      recorded.push(kind);
      const data = Buffer.from('{}\n');
      if (kind === 'exit') say({ kind: 'bytes', at: 0, from: 'client', on: 'protocol', data });
    };
    const { command, args } = fixture('exits-early.js', '4');
    const ended = await recordStdio({
      server: (failed) => startChild({ command: [command, ...args], clock: systemClock, failed }),
      parent,
      recorder: async () => ({ tap }) as StdioRecorder,
      broken: (error) => expect.unreachable(String(error)),
    });
    expect(ended).toEqual({ status: 4 });
    expect(recorded).toEqual(['close', 'exit']);
  });
});

describe('a message of a server whose client ends us on its last answer, as on Windows', () => {
  it('is in the cassette before the client hears it, however large', async () => {
    const file = newFile();
    const heard: { data: string; inFile: boolean }[] = [];
    let listen: (frame: WireFrame) => void = () => {};
    const server = { ...silent, listen: (receive: typeof listen) => (listen = receive) };
    const parent = {
      ...silent,
      listen() {},
      send(frame: WireFrame) {
        if (frame.kind !== 'bytes') return true;
        const data = Buffer.from(frame.data).toString();
        heard.push({ data, inFile: readFileSync(file, 'utf8').includes(JSON.parse(data).result) });
        return true;
      },
    };
    const answer = (result: string) => {
      const data = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":"${result}"}\n`);
      listen({ kind: 'bytes', at: 0, from: 'server', on: 'protocol', data });
    };
    const stdio = new StdioRecorder({
      open: () => new CassetteFile(file),
      clock: systemClock,
      gap: 'coarse',
      redactAgain() {},
      failed: (error) => expect.unreachable(String(error)),
    });
    const end = recordStdio({
      server: () => {
        process.nextTick(() => {
          answer('short');
          answer('long'.repeat(100_000));
          listen({ kind: 'exit', at: 0, from: 'server', status: 0 });
        });
        return server;
      },
      parent,
      recorder: async () => stdio,
      broken: (error) => expect.unreachable(String(error)),
      order: 'tap-first',
    });
    expect(await end).toEqual({ status: 0 });
    expect(heard.map(({ inFile }) => inFile)).toEqual([true, true]);
  });
});

it('a program that Node refuses to start is an error with a code, and no exception', async () => {
  const end = await recordStdio({
    server: (failed) => startChild({ command: ['node', 'a\0b'], clock: systemClock, failed }),
    parent: { ...silent, listen() {} },
    recorder: async () => ({ tap: () => expect.unreachable('nothing has passed') }) as unknown as StdioRecorder,
    broken: (error) => expect.unreachable(String(error)),
  });
  expect(end).toMatchObject({ error: { code: 'COMMAND_NOT_EXECUTABLE' } });
});
