import { ManualClock } from '../../src/kernel/manual-clock.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import type { HttpCassette } from '../../src/replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../src/replay/http/http-mock-handler.ts';
import type { Timing } from '../../src/replay/timing.ts';

export const ACCEPT = { accept: 'application/json, text/event-stream' };
export const BOTH = { 'content-type': 'application/json', ...ACCEPT };

/** What an exchange came to so far. */
export interface Served {
  status?: number;
  headers: Record<string, string>;
  /** The JSON of the body. */
  body?: unknown;
  /** What each event of its stream carried. */
  events: unknown[];
  /** The ids of its events. */
  ids: (string | undefined)[];
  isOver: boolean;
  /** How its connection was lost. */
  lost?: 'fin' | 'rst';
  /** The client closes the connection. */
  leave(): void;
}

/** A recorded server over HTTP, asked without a socket. */
export function served(...cassettes: HttpCassette[]) {
  return servedAt('instant', ...cassettes);
}

/** The same, in its own time. */
export function servedAt(timing: Timing, ...cassettes: HttpCassette[]) {
  const clock = new ManualClock();
  const findings: Finding[] = [];
  let sessions = 0;
  const server = new HttpMockHandler({
    cassettes,
    clock,
    timing,
    report: (finding) => void findings.push(finding),
    newSession: () => `session-${++sessions}`,
  });
  const settle = () => {
    clock.endTurn();
    clock.advance(1);
  };
  const ask = (method: string, headers: Record<string, string> = {}, body?: unknown): Served => {
    const said: Served = { headers: {}, events: [], ids: [], isOver: false, leave: () => {} };
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    said.leave = server.serve(
      { method, headers, body: text },
      {
        answer({ status, headers: given = {}, body: answered }) {
          Object.assign(said, { status, headers: given, isOver: true });
          if (answered) said.body = typeof answered === 'string' ? JSON.parse(answered) : answered;
        },
        stream(given) {
          Object.assign(said, { status: 200, headers: given });
        },
        event(data, sse) {
          said.events.push(data === undefined || data === '' ? '' : JSON.parse(data));
          said.ids.push(sse?.id);
        },
        begin({ status, headers: given = {} }) {
          Object.assign(said, { status, headers: given, body: '' });
        },
        write(data) {
          said.body = `${said.body ?? ''}${Buffer.from(data)}`;
        },
        end() {
          said.isOver = true;
        },
        abort(how) {
          Object.assign(said, { isOver: true, lost: how });
        },
      },
    );
    settle();
    return said;
  };
  return {
    server,
    clock,
    findings,
    settle,
    ask,
    post: (message: unknown, headers: Record<string, string> = {}) => ask('POST', { ...BOTH, ...headers }, message),
  };
}
