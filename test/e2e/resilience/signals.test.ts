import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { framesOf, freeNames, holds, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { describeOnPosix } from '../../support/on-posix.ts';
import { fixture, gone, isAlive, Running, recorder } from '../../support/process.ts';
import { record, replay, server } from '../http/processes.ts';

const newFile = freeNames(temporaryFolder());

/** The signals in a cassette, and how it ends. */
function heardBy(file: string): [signals: string[], end: string | undefined, status: unknown] {
  const frames = framesOf(file);
  const signals = frames.flatMap((frame) => (frame.kind === 'signal' ? [frame.signal] : []));
  const exit = frames.find((frame) => frame.kind === 'exit');
  return [signals, loadCassette(file).end, exit?.status];
}

/** Sends a process one signal after the other, again and again, until it has ended. */
async function storm(pid: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (let n = 0; isAlive(pid); n++) {
    try {
      process.kill(pid, signals[n % signals.length]);
    } catch {
      return;
    }
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const ask = (method: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
});

describeOnPosix('signals', 'a recorder over stdio', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGINT'],
    ['SIGHUP', 'SIGTERM', 'SIGINT'],
    ['SIGTERM', 'SIGTERM', 'SIGHUP', 'SIGINT'],
  ] as NodeJS.Signals[][])('passes on %s and %s, in whatever order they come', async (...signals) => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('hears-signals.js', String(signals.length))));
    expect(await running.line()).toBe('ready');
    for (const [i, signal] of signals.entries()) {
      running.child.kill(signal);
      expect(await running.line()).toBe(`${signal} ${i + 1}`);
    }
    expect((await running.read().ended).status).toBe(5);
    expect(heardBy(file)).toEqual([signals, 'complete', 5]);
  });

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('that hears %s while a server closes has it end by it', async (signal, status) => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('ignores-the-end.js')));
    const pid = Number(await running.line());
    running.child.stdin.end();
    expect(await running.line()).toBe('end of input');
    running.child.kill(signal);
    expect((await running.read().ended).status).toBe(status);
    expect(isAlive(pid)).toBe(false);
    expect(heardBy(file)).toEqual([[signal], 'complete', signal]);
  });

  it('that hears SIGTERM twice and is then killed takes the server along, and the cassette has both', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('ignores-the-end.js')));
    const pid = Number(await running.line());
    for (const _ of [1, 2]) {
      running.child.kill('SIGTERM');
      expect(await running.line()).toBe('SIGTERM');
    }
    await holds(file, 'signal: SIGTERM');
    while (heardBy(file)[0].length < 2) await turn();
    running.child.kill('SIGKILL');
    await gone(pid);
    expect(heardBy(file)).toEqual([['SIGTERM', 'SIGTERM'], undefined, undefined]);
  });

  it('that hears signals again and again while its server ends has a whole cassette', async () => {
    const file = newFile();
    await using running = new Running(recorder(file, fixture('answers.js', String(4 * 1024 * 1024))));
    running.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
    await once(running.child.stdout, 'readable');
    // The answer is more than a pipe holds: it is not all read, and the server not all heard, before it is over.
    running.child.stdin.end();
    const stormed = storm(running.child.pid!, ['SIGTERM', 'SIGINT', 'SIGHUP']);
    const [status, signal] = await once(running.child, 'exit');
    await stormed;
    expect(signal).toBeNull();
    expect([0, 129, 130, 143]).toContain(status);
    expect(loadCassette(file).end).toBe('complete');
  });

  it.each(['at once', 'as soon as its server is there'])(
    'that is interrupted %s leaves nobody behind',
    async (when) => {
      const file = newFile();
      await using running = new Running(recorder(file, fixture('ignores-the-end.js', file)));
      running.read();
      if (when !== 'at once') await appeared(running.child.pid!);
      running.child.kill('SIGINT');
      const { status, signal } = await running.ended;
      expect([130, null]).toContain(status);
      expect(['SIGINT', null]).toContain(signal);
      while (serversOf(file).length > 0) await turn();
      if (existsSync(file)) expect(loadCassette(file).end).toBe('complete');
      else expect(signal).toBe('SIGINT');
    },
  );
});

/** The processes, but for recorders, whose command line names `file` (Linux; elsewhere none). */
function serversOf(file: string): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return line.includes(file) && !line.includes('mcp-record.js') && isAlive(Number(pid));
    } catch {
      return false;
    }
  });
}

/** Waits until a process has a child. */
async function appeared(pid: number): Promise<void> {
  const children = `/proc/${pid}/task/${pid}/children`;
  while (existsSync(children) && readFileSync(children, 'utf8') === '') await turn();
}

describeOnPosix('signals', 'a recorder over HTTP', () => {
  it.each([['SIGTERM'], ['SIGINT', 'SIGTERM', 'SIGHUP']] as NodeJS.Signals[][])(
    'that hears %s again and again finishes its cassettes, and ends well',
    async (...signals) => {
      const file = newFile();
      await using upstream = await server('plain.js');
      await using recording = await record(upstream.url, file);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => fetch(recording.url, ask('tools/list')).then((it) => it.text())),
      );
      await storm(recording.pid, signals);
      expect(await recording.stop()).toMatchObject({ status: 0, signal: null });
      const { end, warnings } = loadCassette(file);
      expect([end, warnings]).toEqual(['complete', []]);
      expect(answers).toHaveLength(20);
    },
  );

  it('that is interrupted at once leaves no cassette', async () => {
    const file = newFile();
    const { command, args } = mcpRecord(
      ...['record', '--http', 'http://127.0.0.1:9/mcp', '--listen', '127.0.0.1:0', '-o', file],
    );
    await using running = new Running({ command, args }).read();
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ status: null, signal: 'SIGINT' });
    expect(existsSync(file)).toBe(false);
  });
});

describeOnPosix('signals', 'a mock server', () => {
  const cassette = 'cassettes/everything.yaml';

  it('over HTTP that hears signals again and again ends well', async () => {
    await using listening = await replay(cassette);
    await storm(listening.pid, ['SIGTERM', 'SIGINT', 'SIGHUP']);
    expect(await listening.stop()).toMatchObject({ status: 0, signal: null });
  });

  it.each([
    ['ping', 'result', 0],
    ['no/such', 'error', 1],
  ])(
    'over stdio that was asked for %s and hears signals again and again ends with its status',
    async (method, answer, status) => {
      await using running = new Running(mcpRecord('replay', cassette));
      running.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method })}\n`);
      expect(JSON.parse(await running.line())).toHaveProperty(answer);
      running.read();
      await storm(running.child.pid!, ['SIGTERM', 'SIGINT', 'SIGTERM']);
      expect(await running.ended).toMatchObject({ status, signal: null });
    },
  );
});
