import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CassetteSource } from '../../cassette/cassette.ts';
import { usesMethod } from '../../cassette/uses-method.ts';
import type { Channel } from '../../channel/channel.ts';
import { relayChannels } from '../../channel/relay-channels.ts';
import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { PACKAGE } from '../../kernel/installed-package.ts';
import { endpointEnded } from '../../mock/endpoint/refuse-after-end.ts';
import { emptyCassette } from '../../mock/server/empty-cassettes.ts';
import { ServerHandlers } from '../../mock/server/handlers-and-sessions.ts';
import type { ServerDescription } from '../../mock/server/server-fallback-answers.ts';
import { openSession, type Session } from '../../modes/open-session.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import { unusedByAll } from '../../replay/findings/unused-entries.ts';
import { planServer } from '../../replay/plan/server-plan.ts';
import { STDIO_PROGRESS_GAP } from '../../replay/player/delay-response-after-progress.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { lineChannel } from '../../transports/stdio/line-channel.ts';
import { whenDrained, writeTo } from '../../transports/stdio/nonblocking-output.ts';
import { loadAndWarn } from '../test/print-test-notes.ts';
import { encodePart, PartDecoder } from './bridge-parts.ts';
import { CountedFaultRules } from './fault-rules-across-sessions.ts';
import type { StdioOptions, StdioServer } from './mock-server-types.ts';
import { finishOrDispose } from './raise-unread-failures.ts';

/** Program that clients start. Connects its client to this process. */
const BRIDGE = join(PACKAGE, 'bin', 'mock-stdio.js');

/**
 * Starts a mock server with handlers over stdio. Clients start a process that connects them to this one, which runs the
 * handlers. Each process is a session that starts at the beginning of the cassette.
 * @throws McpRecordError those of `loadCassette`, HANDLER_INVALID, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export async function bridgedStdioServer(
  source: CassetteSource | undefined,
  { over, handlers: initial = [], ...options }: StdioOptions,
  description: ServerDescription | undefined,
): Promise<StdioServer> {
  const clock = systemClock;
  const loaded = source === undefined ? undefined : loadAndWarn(source);
  const name = loaded?.file ?? '';
  const cassette = loaded ?? emptyCassette();
  const received = new MessageLog(clock);
  const recorded = () => cassette.events;
  const progressGap = STDIO_PROGRESS_GAP;
  const handlers = new ServerHandlers({ handlers: initial, description, recorded, clock, progressGap });
  const sockets = new Set<Socket>();
  const faults = new CountedFaultRules(options.seed ?? 0, (method) => usesMethod([cassette], method));
  faults.use(options.faults ?? []);
  /** Sessions since the start or the last reset. */
  let sessions: Session[] = [];
  let outcome: Promise<ReplayOutcome> | undefined;

  const serve = async (socket: Socket): Promise<void> => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const rules = faults.current;
    const pause = (paused: boolean) => void (paused ? socket.pause() : socket.resume());
    const session = await openSession(
      { onUnused: 'fail', ...options, faults: rules, cassette, mode: 'replay' },
      { interceptor: handlers, counters: faults.counters, progressGap, stdio: { pause } },
    );
    // The test may have replaced the rules while the session opened.
    if (faults.current !== rules) session.misbehave(faults.current);
    sessions.push(session);
    const client = lineChannel(socketChannel(socket, clock), 'client', clock);
    relayChannels(client, received.tap(session.channel, sessions.length), () => {});
  };
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-mock-'));
  const path = process.platform === 'win32' ? join('\\\\.\\pipe', basename(folder)) : join(folder, 'socket');
  const server = createServer((socket) => void serve(socket)).listen(path);
  await once(server, 'listening');

  const judged = async (): Promise<Finding[]> => {
    const findings: Finding[] = [];
    // Without a client, no session reports findings of handlers.
    if (sessions.length === 0) handlers.end((finding) => findings.push(finding));
    else handlers.end();
    const ended = await Promise.all(sessions.map((session) => session.finish({ passed: true })));
    findings.push(...ended.flatMap((one) => one.findings.filter(({ kind }) => kind !== 'unfired')));
    for (const text of faults.unfired) findings.push({ kind: 'unfired', text });
    const isUnused = loaded !== undefined && sessions.length === 0;
    if (isUnused) findings.push(...unusedByAll({ file: name, plan: planServer(stripHttp(loaded).events) }, []));
    return findings;
  };
  const restart = async () => {
    const findings = await judged();
    for (const socket of sockets) socket.end();
    return replayOutcome(findings, options);
  };
  const end = async () => {
    const findings = await judged();
    const left = await openAfter(PATIENCE_MS, sockets, clock);
    for (const _ of left) findings.push({ kind: 'leaked', text: LEAKED });
    for (const socket of sockets) socket.end();
    const judgement = replayOutcome(findings, options);
    server.close();
    rmSync(folder, { recursive: true, force: true });
    return judgement;
  };
  const finish = () => {
    outcome ??= end();
    return outcome;
  };
  return {
    cassette: name,
    command: process.execPath,
    args: [BRIDGE, path],
    misbehave(rules) {
      faults.use(rules);
      for (const session of sessions) session.misbehave(faults.current);
    },
    get fired() {
      return sessions.flatMap(({ fired }) => fired);
    },
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    use: (...more) => handlers.use(more),
    resetHandlers: () => handlers.resetHandlers(),
    notify: (method, params) => handlers.notify(method, params),
    request: (method, params, options) => handlers.ask(method, params, options),
    ...finishOrDispose({
      cassette: name,
      journal: received.journal,
      finish,
      fired: () => sessions.flatMap(({ fired }) => fired),
      async reset() {
        if (outcome) throw endpointEnded(name, 'reset()');
        const judgement = await restart();
        handlers.restart();
        received.journal.reset();
        faults.restart();
        sessions = [];
        return judgement;
      },
    }),
  };
}

/** Maximum time for a closing client to end its server process. */
const PATIENCE_MS: Milliseconds = 1_000;
const LEAKED = 'A process that a client started as the mock server still ran when the test was over: close its client.';

/** Waits until all sockets are closed, for at most `limit`. Returns the open sockets. */
function openAfter(limit: Milliseconds, sockets: ReadonlySet<Socket>, clock: Clock): Promise<readonly Socket[]> {
  return new Promise((resolve) => {
    const stop = clock.after(limit, () => resolve([...sockets]));
    const look = () => {
      if (sockets.size > 0) return;
      stop();
      resolve([]);
    };
    for (const socket of sockets) socket.once('close', look);
    look();
  });
}

/** Channel to a client, through the process that the client started. */
function socketChannel(socket: Socket, clock: Clock): Channel {
  return {
    listen(receive) {
      const from = 'client';
      let isOver = false;
      const close = () => {
        if (!isOver) receive({ kind: 'close', at: clock.now(), from });
        isOver = true;
      };
      const parts = new PartDecoder((kind, data) => {
        if (kind === 'close') close();
        else receive({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data });
      });
      socket.on('data', (piece) => parts.write(piece));
      // The client may kill the process.
      socket.once('close', close);
    },
    send(frame) {
      if (frame.kind === 'bytes') return writeTo(socket, encodePart(frame.on, frame.data));
      if (frame.kind === 'close') writeTo(socket, encodePart('close'));
      if (frame.kind === 'exit') writeTo(socket, encodePart('exit', Buffer.from(String(frame.status))));
      return true;
    },
    drained: (_stream, resume) => whenDrained(socket, resume),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}
