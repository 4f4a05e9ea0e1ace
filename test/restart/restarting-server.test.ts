import { describe, expect, it } from 'vitest';
import type { WireFrame } from '../../src/channel/frame.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { lineSendingParent } from '../../src/restart/line-sending-parent.ts';
import { RestartingServer } from '../../src/restart/restarting-server.ts';
import type { StartListener } from '../../src/restart/server-process.ts';
import type { Parent } from '../../src/transports/stdio/parent-channel.ts';
import { call, notification, request, result } from '../support/conversation.ts';

/** A server process that the test moves. */
class Scripted {
  readonly heard: unknown[] = [];
  isFull = false;
  receive: (frame: WireFrame) => void = () => {};
  readonly listener: StartListener;
  readonly #clock: ManualClock;

  constructor(listener: StartListener, clock: ManualClock) {
    this.listener = listener;
    this.#clock = clock;
  }

  readonly channel = {
    listen: (receive: (frame: WireFrame) => void) => {
      this.receive = receive;
    },
    send: (frame: WireFrame) => {
      this.heard.push(...shown(frame));
      return !this.isFull;
    },
    drained: (_stream: unknown, resume: () => void) => resume(),
    pause: (stream: string) => void this.heard.push(`pause ${stream}`),
    resume: (stream: string) => void this.heard.push(`resume ${stream}`),
  };

  says(...messages: unknown[]): void {
    for (const message of messages) this.writes(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  writes(text: string, on: 'protocol' | 'stderr' = 'protocol'): void {
    this.receive({ kind: 'bytes', at: this.#clock.now(), from: 'server', on, data: Buffer.from(text) });
  }

  closes(): void {
    this.receive({ kind: 'close', at: this.#clock.now(), from: 'server' });
  }

  exits(status: number | string): void {
    this.closes();
    this.receive({ kind: 'exit', at: this.#clock.now(), from: 'server', status });
  }
}

/** A frame as tests compare it: messages parsed, standard error as text, what is optional marked. */
function shown(frame: WireFrame): unknown[] {
  if (frame.kind === 'bytes' || frame.kind === 'line') {
    const text = Buffer.from(frame.data).toString();
    if (frame.on === 'stderr') return [text];
    const lines = text.trimEnd().split('\n');
    const parsed = lines.map((line) => (/^[[{]/.test(line) ? JSON.parse(line) : line));
    return frame.kind === 'line' && frame.optional ? parsed.map((message) => ({ optional: message })) : parsed;
  }
  if (frame.kind === 'exit') return [`exit ${frame.status}`];
  return [frame.kind === 'signal' ? frame.signal : frame.kind];
}

function restarting({ onCrash = false, isWatched = false }: { onCrash?: boolean; isWatched?: boolean } = {}) {
  const clock = new ManualClock();
  const servers: Scripted[] = [];
  const heard: unknown[] = [];
  const bytes: string[] = [];
  const failures: McpRecordError[] = [];
  let change: (path: string) => void = () => {};
  let isUnwatched = false;
  const server = new RestartingServer({
    start: (listener) => {
      const scripted = new Scripted(listener, clock);
      servers.push(scripted);
      return scripted.channel;
    },
    clock,
    onCrash,
    watch: isWatched
      ? (changed) => {
          change = changed;
          return () => {
            isUnwatched = true;
          };
        }
      : undefined,
    failed: (error) => void failures.push(error),
  });
  server.listen((frame) => {
    heard.push(...shown(frame));
    if (frame.kind === 'bytes') bytes.push(Buffer.from(frame.data).toString());
  });
  const send = (frame: WireFrame) => server.send(frame);
  const says = (...messages: unknown[]) => {
    const text = messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
    return send({ kind: 'bytes', at: clock.now(), from: 'client', on: 'protocol', data: Buffer.from(text) });
  };
  return {
    ...{ clock, server, servers, failures, says, bytes },
    last: () => servers.at(-1)!,
    changes: (path = 'server.js') => change(path),
    isUnwatched: () => isUnwatched,
    async closes() {
      send({ kind: 'close', at: clock.now(), from: 'client' });
      await Promise.resolve();
    },
    async signals(signal: string) {
      send({ kind: 'signal', at: clock.now(), from: 'client', signal });
      await Promise.resolve();
    },
    /** What the client has heard since it last listened. */
    hears: () => heard.splice(0),
    /** Opens the session with the first server, or lets a later one accept it. */
    opens(id: unknown = 0) {
      if (id === 0) says(request(0, 'initialize', {}), notification('initialized'));
      servers.at(-1)!.says(opening(id));
      heard.splice(0);
      servers.at(-1)!.heard.splice(0);
    },
  };
}

const opening = (id: unknown) => ({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {} } });
const error = (id: unknown, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const GOES_ON = expect.stringContaining('mcp-record: The new server goes on with the session.');

describe('a server whose files change', () => {
  it('is stopped as clients do it, and the next one gets what the client has sent meanwhile', () => {
    const { opens, says, last, changes, hears, clock, servers } = restarting({ isWatched: true });
    opens();
    says(call(1, 'slow'), call(2, 'quick'));
    changes();
    expect(last().heard).toEqual([call(1, 'slow'), call(2, 'quick'), 'close']);
    says(call(3, 'held'));
    last().says(result(2, 'in time'));
    expect(hears()).toEqual([
      'mcp-record: server.js has changed. The server is started again.\n',
      result(2, 'in time'),
    ]);
    clock.advance(499);
    expect(last().heard).toHaveLength(3);
    clock.advance(1);
    expect(last().heard.at(-1)).toBe('SIGTERM');
    clock.advance(2_000);
    expect(last().heard.at(-1)).toBe('SIGKILL');
    last().exits('SIGKILL');
    expect(servers).toHaveLength(2);
    expect(hears()).toEqual([
      { optional: error(1, 'The server was restarted before it answered: server.js has changed.') },
    ]);
    expect(last().heard).toEqual([request('mcp-record-0' as never, 'initialize', {})]);
    says(call(4, 'held, too'));
    last().says(opening('mcp-record-0'));
    expect(last().heard.slice(1)).toEqual([notification('initialized'), call(3, 'held'), call(4, 'held, too')]);
    last().says(result(3, 'held'));
    expect(hears()).toEqual([GOES_ON, result(3, 'held')]);
    clock.advance(10_000);
    expect(last().heard).not.toContain('SIGTERM');
  });

  it('says nothing to the client any more when it has ended', () => {
    const { opens, says, servers, last, changes, hears } = restarting({ isWatched: true });
    opens();
    says(call(1, 'slow'));
    changes();
    last().exits(0);
    hears();
    servers[0]!.says(result(1, 'late'));
    servers[0]!.exits(1);
    expect([hears(), servers.length]).toEqual([[], 2]);
  });

  it('is stopped once for many changes, also while it opens', () => {
    const { opens, last, changes, servers } = restarting({ isWatched: true });
    opens();
    changes('a.js');
    changes('b.js');
    last().exits(0);
    changes('c.js');
    changes('d.js');
    expect(servers).toHaveLength(2);
    expect(last().heard.filter((one) => one === 'close')).toHaveLength(1);
    last().exits(0);
    expect(servers).toHaveLength(3);
  });

  it('that crashes is down until a file changes, and requests fail at once', async () => {
    const { opens, says, last, changes, hears, servers } = restarting({ isWatched: true });
    opens();
    says(call(1, 'dies'));
    last().exits(1);
    expect(hears()).toEqual([
      'mcp-record: The server exited with 1. It is started again when a watched file changes.\n',
      { optional: error(1, 'The server has ended before it answered: the server exited with 1.') },
    ]);
    says(call(2, 'nobody'), notification('roots/list_changed'));
    // The client's call is recorded before the answer.
    expect(hears()).toEqual([]);
    await Promise.resolve();
    expect(hears()).toEqual([
      {
        optional: error(
          2,
          'The server is not running: the server exited with 1. It is started again when a watched file changes.',
        ),
      },
    ]);
    changes();
    expect(servers).toHaveLength(2);
  });

  it('that ends before the session has begun ends it, as without a restart', () => {
    const { says, last, hears, isUnwatched } = restarting({ isWatched: true });
    says(request(0, 'initialize', {}));
    last().exits(1);
    expect(hears()).toEqual([
      { optional: error(0, 'The server has ended: the server exited with 1.') },
      'close',
      'exit 1',
    ]);
    expect(isUnwatched()).toBe(true);
  });

  it('that cannot be started any more is down, with the error', () => {
    const { opens, last, changes, hears, failures } = restarting({ isWatched: true });
    opens();
    changes();
    last().exits(0);
    hears();
    last().listener.failed(
      new McpRecordError({ code: 'COMMAND_NOT_FOUND', what: 'Cannot start x', why: 'gone', next: 'n' }),
    );
    expect(hears()).toEqual([
      expect.stringContaining('[COMMAND_NOT_FOUND]'),
      expect.stringContaining('The server cannot be started. It is started again when a watched file changes.'),
    ]);
    expect(failures).toEqual([]);
  });
});

describe('a server that crashes', () => {
  it('is started again after growing waits, and given up after the sixth time in a row', () => {
    const { opens, last, hears, servers, clock, server, isUnwatched } = restarting({ onCrash: true });
    opens();
    const waits: number[] = [];
    while (!server.hasGivenUp && servers.length < 20) {
      const count = servers.length;
      last().exits(7);
      let waited = 0;
      while (servers.length === count && !server.hasGivenUp) {
        clock.advance(waited === 0 ? 0 : 100);
        waited += servers.length === count ? 100 : 0;
      }
      waits.push(waited);
    }
    expect([servers.length, waits]).toEqual([6, [0, 100, 200, 400, 800, 0]]);
    expect(hears().slice(-3)).toEqual([expect.stringContaining('[SERVER_KEEPS_CRASHING]'), 'close', 'exit 7']);
    expect(isUnwatched()).toBe(false);
  });

  it.each([
    ['that has answered its client', (now: ReturnType<typeof restarting>) => now.last().says(result(1, 'a'))],
    ['that has run for ten seconds', (now: ReturnType<typeof restarting>) => now.clock.advance(10_000)],
  ])('%s has all its chances again', (_what, works) => {
    const now = restarting({ onCrash: true });
    now.opens();
    for (let crash = 0; crash < 8; crash++) {
      now.says(call(1, 'a'));
      now.clock.advance(0);
      if (crash > 0) now.last().says(opening('mcp-record-0'));
      works(now);
      now.last().exits(1);
    }
    expect([now.server.hasGivenUp, now.servers.length]).toEqual([false, 8]);
    expect(now.hears()).not.toContainEqual(expect.stringContaining('in 100 ms'));
  });

  it('is started again with what it has not answered of the opening', () => {
    const { says, last, clock, hears } = restarting({ onCrash: true });
    says(request(0, 'initialize', {}));
    last().exits('SIGSEGV');
    clock.advance(0);
    expect(last().heard).toEqual([request(0, 'initialize', {})]);
    last().says(opening(0));
    expect(hears()).toEqual([
      'mcp-record: The server was ended by SIGSEGV. It is started again.\n',
      expect.stringContaining('goes on'),
      opening(0),
    ]);
  });

  it('and is watched waits for a change after the last crash', () => {
    const { opens, last, hears, clock, changes, servers, server } = restarting({ onCrash: true, isWatched: true });
    opens();
    for (let crash = 0; crash < 6; crash++) {
      last().exits(1);
      clock.advance(800);
    }
    expect([servers.length, server.hasGivenUp]).toEqual([6, false]);
    expect(hears().at(-1)).toContain('when a watched file changes');
    changes();
    expect(servers).toHaveLength(7);
  });

  it('does not wait for its turn if a file changes', () => {
    const { opens, last, clock, changes, servers } = restarting({ onCrash: true, isWatched: true });
    opens();
    last().exits(1);
    clock.advance(0);
    last().exits(1);
    changes();
    expect(servers).toHaveLength(3);
    clock.advance(1_000);
    expect(servers).toHaveLength(3);
  });

  it('in the middle of a line, and of standard error, loses neither', () => {
    const { opens, last, hears } = restarting({ onCrash: true });
    opens();
    last().writes('thinking', 'stderr');
    last().writes('{"jsonrpc":"2.0","id":1');
    last().exits(1);
    expect(hears()).toEqual([
      'thinking',
      '\nmcp-record: The server ended in the middle of a line: {"jsonrpc":"2.0","id":1\n',
      'mcp-record: The server exited with 1. It is started again.\n',
    ]);
  });

  it('but leaves processes that hold its output is killed with them', () => {
    const { opens, last, clock } = restarting({ onCrash: true });
    opens();
    last().listener.exited();
    clock.advance(499);
    expect(last().heard).toEqual([]);
    clock.advance(1);
    expect(last().heard).toEqual(['SIGKILL']);
  });

  it('is one that closes its output: it is stopped', () => {
    const { opens, last, clock } = restarting({ onCrash: true });
    opens();
    last().closes();
    clock.advance(500);
    expect(last().heard).toEqual(['close', 'SIGTERM']);
  });

  it('is one that does not take the session', () => {
    const { opens, last, clock, hears, says } = restarting({ onCrash: true });
    opens();
    last().exits(1);
    clock.advance(0);
    hears();
    last().says({ jsonrpc: '2.0', id: 'mcp-record-0', error: { code: 1, message: 'no' } });
    says(call(1, 'held'));
    last().says(notification('message'));
    expect(last().heard.slice(1)).toEqual(['close']);
    last().exits(0);
    expect(hears()).toEqual([
      'mcp-record: The new server does not take the session: it refused initialize: no.\n',
      { optional: notification('message') },
      'mcp-record: The server exited with 0. It is started again in 100 ms.\n',
    ]);
  });
});

describe('the end of the client', () => {
  it('passes, with what the server says then', async () => {
    const { opens, closes, last, hears, servers, isUnwatched } = restarting({ onCrash: true, isWatched: true });
    opens();
    await closes();
    expect(last().heard).toEqual(['close']);
    last().listener.exited();
    last().writes('partial');
    last().exits(0);
    expect(hears()).toEqual(['partial', 'close', 'exit 0']);
    expect([servers.length, isUnwatched()]).toEqual([1, true]);
  });

  it('waits for the server that opens, and follows what was held', async () => {
    const { opens, says, closes, last, changes, servers } = restarting({ isWatched: true });
    opens();
    changes();
    last().exits(0);
    says(call(1, 'held'));
    await closes();
    last().says(opening('mcp-record-0'));
    await Promise.resolve();
    expect(last().heard.slice(1)).toEqual([notification('initialized'), call(1, 'held'), 'close']);
    last().exits(0);
    expect(servers).toHaveLength(2);
  });

  it.each(['closes', 'signals'] as const)('ends at once where there is no server: %s', async (how) => {
    const now = restarting({ isWatched: true });
    now.opens();
    now.last().exits(4);
    now.hears();
    await now[how]('SIGTERM');
    expect(now.hears()).toEqual(['close', 'exit 4']);
    now.says(call(1, 'late'));
    await now.closes();
    expect(now.hears()).toEqual([]);
  });

  it('starts nothing after a server that is stopped: held calls fail', async () => {
    const { opens, says, closes, last, changes, hears, servers } = restarting({ isWatched: true });
    opens();
    changes();
    says(call(1, 'held'));
    await closes();
    hears();
    last().exits(0);
    expect(hears()).toEqual([
      { optional: error(1, 'The server has ended: server.js has changed.') },
      'close',
      'exit 0',
    ]);
    expect(servers).toHaveLength(1);
  });

  it('by a signal is no crash', async () => {
    const { opens, signals, last, changes, hears, servers } = restarting({ onCrash: true, isWatched: true });
    opens();
    await signals('SIGINT');
    changes();
    expect(last().heard).toEqual(['SIGINT']);
    last().exits('SIGINT');
    expect([hears(), servers.length]).toEqual([['close', 'exit SIGINT'], 1]);
  });
});

describe('messages', () => {
  it('of the first server pass byte for byte, also those that are none', () => {
    const { last, bytes, says } = restarting({ onCrash: true });
    const lines = ['{ "jsonrpc":"2.0", "id": 1.0, "result":{} }', 'no message', '[{"jsonrpc":"2.0","method":"a"}]'];
    last().says(...lines);
    expect(bytes).toEqual(lines.map((line) => `${line}\n`));
    says('no message', [call(1, 'a'), call(2, 'b')]);
    expect(last().heard).toEqual(['no message', [call(1, 'a'), call(2, 'b')]]);
  });

  it('in a batch reach a side without what is not for it', () => {
    const { opens, last, says, clock, hears } = restarting({ onCrash: true });
    opens();
    last().says(request(0, 'roots/list'));
    last().exits(1);
    clock.advance(0);
    last().says([opening('mcp-record-0'), notification('message')]);
    says([result(0, 'for the first server'), call(5, 'a')]);
    expect(last().heard.slice(-1)).toEqual([[call(5, 'a')]]);
    expect(hears().slice(-2)).toEqual([{ optional: [notification('message')] }, GOES_ON]);
  });

  it('of a client that answers a question of the new server do not wait for the opening', () => {
    const { opens, last, says, clock } = restarting({ onCrash: true });
    opens();
    last().exits(1);
    clock.advance(0);
    last().says(request(0, 'roots/list'));
    says(result(0, 'roots'), call(1, 'held'));
    expect(last().heard.slice(1)).toEqual([result(0, 'roots')]);
  });

  it('block where the server does not read, and the client blocks the server', () => {
    const { opens, last, says, server } = restarting({ onCrash: true });
    opens();
    expect(says(call(1, 'a'))).toBe(true);
    last().isFull = true;
    expect(says(call(2, 'a'))).toBe(false);
    const resumed: string[] = [];
    server.drained('protocol', () => resumed.push('drained'));
    server.pause('protocol');
    server.resume('stderr');
    expect([resumed, last().heard.slice(-2)]).toEqual([['drained'], ['pause protocol', 'resume stderr']]);
    last().exits(1);
    server.drained('protocol', () => resumed.push('gone'));
    expect(resumed).toEqual(['drained', 'gone']);
  });
});

it('a server that cannot be started at first is left to the caller', () => {
  const { last, failures, hears, isUnwatched } = restarting({ onCrash: true, isWatched: true });
  const why = new McpRecordError({ code: 'COMMAND_NOT_FOUND', what: 'Cannot start x', why: 'gone', next: 'n' });
  last().listener.failed(why);
  expect([failures, hears(), isUnwatched()]).toEqual([[why], [], true]);
});

it('a parent process gets lines as bytes, and all else as it is', () => {
  const sent: WireFrame[] = [];
  const calls: string[] = [];
  const own: Parent = {
    listen: () => void calls.push('listen'),
    send: (frame) => sent.push(frame) > 0,
    drained: (_stream, resume) => resume(),
    pause: (stream) => void calls.push(`pause ${stream}`),
    resume: (stream) => void calls.push(`resume ${stream}`),
    flushed: (done) => done(),
  };
  const parent = lineSendingParent(own, new ManualClock());
  parent.send({ kind: 'line', at: 5, from: 'server', on: 'protocol', data: '{}', optional: true });
  parent.send({ kind: 'close', at: 5, from: 'server' });
  parent.listen(() => {});
  parent.pause('protocol');
  parent.resume('stderr');
  parent.drained('protocol', () => calls.push('drained'));
  parent.flushed(() => calls.push('flushed'));
  expect(sent).toEqual([
    { kind: 'bytes', at: 0, from: 'server', on: 'protocol', data: Buffer.from('{}\n') },
    { kind: 'close', at: 5, from: 'server' },
  ]);
  expect(calls).toEqual(['listen', 'pause protocol', 'resume stderr', 'drained', 'flushed']);
});
