import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../src/cassette/write/cassette-file.ts';
import type { Channel } from '../../src/channel/channel.ts';
import type { Frame, WireFrame } from '../../src/channel/frame.ts';
import { type ForkOptions, forkSession } from '../../src/fork/fork-session.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';
import { StdioRecorder } from '../../src/record/stdio/stdio-recorder.ts';
import { unusedByAll } from '../../src/replay/findings/unused-entries.ts';
import { planServer } from '../../src/replay/plan/server-plan.ts';
import type { Parent } from '../../src/transports/stdio/parent-channel.ts';
import { freeNames, said, temporaryFolder } from '../support/cassette.ts';
import { call, cassette, client, notification, request, result, server } from '../support/conversation.ts';

const newFile = freeNames(temporaryFolder());
const prefix = cassette(
  client(request(0, 'initialize', { capabilities: {} })),
  server({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'it' } } }),
  client(notification('initialized')),
  client(call(1, 'add')),
  server({ jsonrpc: '2.0', id: 1, result: { text: 'add' } }),
);

interface Heard {
  id?: number;
  method?: string;
  params?: { name?: string };
}

/** What a server says to a message of its client: messages, or `exit`. */
type Says = (heard: Heard) => unknown[];

const answers: Says = ({ id, method, params }) => {
  if (id === undefined) return [];
  const { protocolVersion, serverInfo } = { protocolVersion: '2025-11-25', serverInfo: { name: 'it' } };
  return [
    { jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion, serverInfo } : { text: params?.name } },
  ];
};

/** A fork with a scripted server, and a live client that the test moves. */
function fork(says: Says = answers, options: Partial<ForkOptions> = {}) {
  const file = newFile();
  const toServer: unknown[] = [];
  const toClient: unknown[] = [];
  const notes: string[] = [];
  const paused: boolean[] = [];
  const serverPaused: boolean[] = [];
  let isFull = false;
  let toForkAsClient: (frame: WireFrame) => void = () => {};
  let toForkAsServer: (frame: WireFrame) => void = () => {};
  let whenHeard: () => void = () => {};
  let whenReached: () => void = () => {};
  let isListening: () => void = () => {};
  const listening = new Promise<void>((resolve) => {
    isListening = resolve;
  });
  const bytes = (
    from: 'client' | 'server',
    messages: readonly unknown[],
    on: 'protocol' | 'stderr' = 'protocol',
  ): WireFrame => {
    const data = Buffer.from(
      messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''),
    );
    return { kind: 'bytes', at: clock.now(), from, on, data };
  };
  const linesOf = (frame: WireFrame): unknown[] => {
    if (frame.kind !== 'bytes') return [frame.kind];
    const lines = Buffer.from(frame.data).toString().trimEnd().split('\n');
    return lines.map((line) => (line.startsWith('{') ? JSON.parse(line) : line));
  };
  const exit = (status: number | string) => {
    toForkAsServer({ kind: 'close', at: clock.now(), from: 'server' });
    toForkAsServer({ kind: 'exit', at: clock.now(), from: 'server', status });
  };
  const parent: Parent = {
    listen: (receive) => {
      toForkAsClient = receive;
      isListening();
    },
    send(frame) {
      toClient.push(...linesOf(frame));
      queueMicrotask(() => whenHeard());
      return !isFull;
    },
    drained: (_stream, resume) => resume(),
    pause: () => void paused.push(true),
    resume: () => void paused.push(false),
    flushed: (done) => done(),
  };
  const channel: Channel = {
    listen: (receive) => {
      toForkAsServer = receive;
    },
    send(frame) {
      const heard = linesOf(frame);
      toServer.push(...heard);
      queueMicrotask(() => whenReached());
      if (frame.kind === 'close' || frame.kind === 'signal') {
        queueMicrotask(() => exit(frame.kind === 'signal' ? frame.signal : 0));
        return true;
      }
      for (const one of heard) {
        const replies = says(one as Heard);
        if (replies[0] === 'exit') queueMicrotask(() => exit(3));
        else if (replies.length > 0) queueMicrotask(() => toForkAsServer(bytes('server', replies)));
      }
      return true;
    },
    drained: (_stream, resume) => resume(),
    pause: () => void serverPaused.push(true),
    resume: () => void serverPaused.push(false),
  };
  const ended = forkSession({
    prefix,
    parent,
    clock,
    server: () => channel,
    recorder: async () =>
      new StdioRecorder({ open: () => new CassetteFile(file), clock, gap: 'none', redactAgain() {}, failed() {} }),
    broken() {},
    accept: () => true,
    note: (text) => void notes.push(text),
    ...options,
  });
  return {
    ...{ file, toServer, toClient, notes, paused, serverPaused, ended, listening },
    says: (...messages: unknown[]) => toForkAsClient(bytes('client', messages)),
    sends: (frame: Frame) => toForkAsClient(frame),
    serverSays: (...messages: unknown[]) => toForkAsServer(bytes('server', messages)),
    serverLogs: (text: string) => toForkAsServer(bytes('server', [text], 'stderr')),
    full: (full: boolean) => {
      isFull = full;
    },
    serverEnds: exit,
    /** Resolves when the server has got so much. */
    reaches: (count: number) =>
      new Promise<void>((resolve) => {
        whenReached = () => void (toServer.length >= count && resolve());
        whenReached();
      }),
    /** Resolves when the client has heard so much. */
    hears: (count: number) =>
      new Promise<void>((resolve) => {
        whenHeard = () => void (toClient.length >= count && resolve());
        whenHeard();
      }),
  };
}

const greeting = request('own', 'initialize', { capabilities: {} });
const real = { jsonrpc: '2.0', id: 'own', result: { protocolVersion: '2025-11-25', serverInfo: { name: 'it' } } };
const close: Frame = { kind: 'close', at: 0, from: 'client' };
const played = [request(0, 'initialize', { capabilities: {} }), notification('initialized'), call(1, 'add')];

describe('a fork', () => {
  it('plays the prefix when the client speaks, and hands the same connection over to it', async () => {
    const forked = fork();
    await forked.listening;
    forked.says(greeting, notification('initialized'), call(1, 'live'));
    await forked.hears(2);
    forked.sends(close);
    expect(await forked.ended).toEqual({ end: { status: 0 }, isRefused: false });
    expect(forked.toServer).toEqual([...played, call(2, 'live'), 'close']);
    expect(forked.toClient).toEqual([real, result(1, 'live'), 'close', 'exit']);
    expect(said(forked.file)).toEqual([
      ['client', played[0]],
      ['server', { ...real, id: 0 }],
      ['client', played[1]],
      ['client', played[2]],
      ['server', result(1, 'add')],
      ['client', call(2, 'live')],
      ['server', result(2, 'live')],
      ['close', 'client'],
      ['close', 'server'],
      ['exit', 0],
    ]);
  });

  it('records what it played as optional: a client under test has to make the live calls alone', async () => {
    const forked = fork();
    await forked.listening;
    forked.says(greeting, notification('initialized'), call(1, 'live'));
    await forked.hears(2);
    forked.sends(close);
    await forked.ended;
    const { events } = loadCassette(forked.file);
    const unused = unusedByAll({ file: forked.file, plan: planServer(events) }, []);
    expect(unused.flatMap(({ entries }) => entries?.map(({ message }) => message))).toEqual([call(2, 'live')]);
    expect(events.map(({ match }) => match?.optional ?? false)).toEqual([
      ...[true, false, true, true, false],
      ...[false, false, false, false, false],
    ]);
  });

  it('does not read the client while the prefix is played', async () => {
    const forked = fork();
    await forked.listening;
    expect(forked.paused).toEqual([]);
    forked.says(greeting);
    expect(forked.paused).toEqual([true]);
    await forked.hears(1);
    expect(forked.paused).toEqual([true, false]);
    forked.sends(close);
    await forked.ended;
  });

  it('passes the question of a client for the revision, and plays nothing for it', async () => {
    const forked = fork();
    await forked.listening;
    forked.says(request(0, 'server/discover'));
    await forked.hears(1);
    forked.sends(close);
    expect(await forked.ended).toEqual({ end: { status: 0 }, isRefused: false });
    // Its id is one that the prefix does not use.
    expect(forked.toServer).toEqual([request(2, 'server/discover'), 'close']);
    expect(forked.toClient[0]).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  });

  it('keeps what the server says around the end of the prefix, and passes its standard error at once', async () => {
    const changed = notification('tools/list_changed');
    const forked = fork((heard) => (heard.params?.name === 'add' ? [...answers(heard), changed] : answers(heard)));
    await forked.listening;
    forked.serverLogs('ready');
    expect(forked.toClient).toEqual(['ready']);
    forked.says(greeting);
    await forked.hears(2);
    expect(forked.toClient).toEqual(['ready', real]);
    forked.says(notification('initialized'));
    expect(forked.toClient).toEqual(['ready', real, changed]);
    forked.sends(close);
    await forked.ended;
  });

  it('passes the handshake of the live client, if the server has refused that of the recorded one', async () => {
    const error = { code: -32602, message: 'no' };
    const refuses: Says = ({ id, method, ...rest }) =>
      method === 'initialize' && id === 0
        ? [{ jsonrpc: '2.0', id, error }]
        : answers({ ...(id !== undefined && { id }), ...(method !== undefined && { method }), ...rest });
    const forked = fork(refuses);
    await forked.listening;
    forked.says(greeting);
    await forked.hears(1);
    expect(forked.toServer.at(-1)).toEqual({ ...greeting, id: 2 });
    expect(forked.toClient).toEqual([real]);
    forked.sends(close);
    await forked.ended;
  });

  it('lets a client that does not read block the server', async () => {
    const forked = fork();
    await forked.listening;
    forked.says(greeting, notification('initialized'));
    await forked.hears(1);
    forked.serverSays(notification('message'));
    expect(forked.serverPaused).toEqual([]);
    forked.full(true);
    forked.serverSays(notification('message'));
    expect(forked.toClient).toHaveLength(3);
    expect(forked.serverPaused).toEqual([true, false]);
    forked.sends(close);
    await forked.ended;
  });
});

describe('a fork ends', () => {
  it('if the server is not accepted: the live client hears no message', async () => {
    const runs: number[] = [];
    const accept: ForkOptions['accept'] = ({ exchanges }) => runs.push(exchanges.length) === 0;
    const forked = fork(answers, { accept });
    await forked.listening;
    forked.says(greeting);
    expect(await forked.ended).toEqual({ end: { status: 0 }, isRefused: true });
    expect(runs).toEqual([2]);
    expect(forked.toServer).toEqual([...played, 'close']);
    expect(forked.toClient).toEqual(['close', 'exit']);
  });

  it('if the server ends in the prefix, which is left to the caller to judge', async () => {
    const ends: unknown[] = [];
    const accept: ForkOptions['accept'] = ({ died, exit }) => ends.push([died, exit?.status]) === 0;
    const forked = fork((heard) => (heard.params?.name === 'add' ? ['exit'] : answers(heard)), { accept });
    await forked.listening;
    forked.says(greeting);
    expect(await forked.ended).toEqual({ end: { status: 3 }, isRefused: true });
    expect(ends).toEqual([[true, 3]]);
  });

  it('if the server cannot start: nobody judges that', async () => {
    const error = new McpRecordError({ code: 'COMMAND_NOT_FOUND', what: 'a', why: 'b', next: 'c' });
    const none: Channel = { listen() {}, send: () => true, drained() {}, pause() {}, resume() {} };
    const start: ForkOptions['server'] = (failed) => {
      setImmediate(() => failed(error));
      return none;
    };
    const accept = () => expect.unreachable();
    const idle = fork(answers, { server: start, accept });
    expect(await idle.ended).toEqual({ end: { error }, isRefused: false });
    const forked = fork(answers, { server: start, accept });
    await forked.listening;
    forked.says(greeting);
    expect(await forked.ended).toEqual({ end: { error }, isRefused: false });
  });

  it('by a signal in the prefix, which the server gets', async () => {
    const forked = fork(() => [], { accept: () => expect.unreachable() });
    await forked.listening;
    forked.says(greeting);
    await new Promise(setImmediate);
    forked.sends({ kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' });
    expect(await forked.ended).toEqual({ end: { status: 'SIGTERM' }, isRefused: false });
    expect(forked.toServer.slice(0, 2)).toEqual([played[0], 'signal']);
  });
});

describe('a fork with its client', () => {
  const withClient = (options: Partial<NonNullable<ForkOptions['past']>> = {}) => {
    const unused: number[] = [];
    const findings: string[] = [];
    const past: ForkOptions['past'] = {
      prefix,
      ignore: [],
      endsAtDifference: false,
      report: ({ kind }) => void findings.push(kind),
      arrived: (entries) => void unused.push(entries.length),
      ...options,
    };
    return { past, unused, findings };
  };
  const recordedAnswer = { ...real, id: 'own' };

  it('answers the client from the cassette up to the line, and the server gets the recorded messages', async () => {
    const { past, unused } = withClient();
    const forked = fork(answers, { past });
    forked.says(greeting, notification('initialized'), call(1, 'add'), call(2, 'live'));
    await forked.hears(3);
    forked.sends(close);
    expect(await forked.ended).toEqual({ end: { status: 0 }, isRefused: false });
    expect(unused).toEqual([0]);
    expect(forked.toServer).toEqual([...played, call(2, 'live'), 'close']);
    expect(forked.toClient).toEqual([recordedAnswer, result(1, 'add'), result(2, 'live'), 'close', 'exit']);
    const { events } = loadCassette(forked.file);
    expect(events.filter(({ match }) => match?.optional)).toEqual([]);
  });

  it('starts no server for a client that asks for the revision alone', async () => {
    const { past } = withClient();
    const forked = fork(answers, { past });
    forked.says(request(0, 'server/discover'));
    forked.sends(close);
    expect(await forked.ended).toEqual({ end: { status: 0 }, isRefused: false });
    expect(forked.toServer).toEqual([]);
  });

  it('answers pings of the server while the client is before the line, and keeps the rest for it', async () => {
    const { past } = withClient();
    const forked = fork(answers, { past });
    forked.says(greeting);
    await forked.reaches(3);
    forked.serverSays(notification('tools/list_changed'), request(7, 'ping'));
    await forked.reaches(4);
    expect(forked.toServer.at(-1)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    forked.says(notification('initialized'), call(1, 'add'));
    await forked.hears(3);
    expect(forked.toClient).toEqual([recordedAnswer, result(1, 'add'), notification('tools/list_changed')]);
    forked.sends(close);
    await forked.ended;
  });

  it('says what a client owes that leaves before the line', async () => {
    const { past } = withClient();
    const forked = fork(answers, { past });
    forked.says(greeting, notification('initialized'));
    forked.sends(close);
    const { end, behind } = await forked.ended;
    expect([end, behind?.why, behind?.owed.map(({ line }) => line)]).toEqual([{ status: 0 }, 'client ended', [4]]);
  });

  it('says that a client has made another call, and never hands it over', async () => {
    const { past, findings } = withClient();
    const forked = fork(answers, { past });
    forked.says(greeting, notification('initialized'), call(1, 'other'), call(2, 'add'), call(3, 'live'));
    await forked.hears(4);
    forked.sends(close);
    expect((await forked.ended).behind).toEqual({ why: 'other call', owed: [] });
    expect(findings).toEqual(['miss', 'miss']);
    expect(forked.toServer).not.toContainEqual(call(2, 'live'));
  });

  it('says that the server ended while the client was before the line', async () => {
    const { past } = withClient();
    const forked = fork((heard) => (heard.params?.name === 'add' ? [...answers(heard), 'exit'] : answers(heard)), {
      past,
    });
    forked.says(greeting);
    await forked.reaches(3);
    forked.serverEnds(0);
    const { behind } = await forked.ended;
    expect(behind).toMatchObject({ why: 'server ended', owed: [{ line: 4 }] });
  });
});
