import type { Cassette, CassetteEvent } from '../../src/cassette/cassette.ts';
import { type Frame, otherSide, type Side } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import type { Ignore } from '../../src/match/ignore-rules.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import type { Id, Params } from '../../src/protocol/message.ts';
import { META } from '../../src/protocol/meta.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import type { ResultOrError } from '../../src/replay/match/protocol-generation.ts';
import { planClient } from '../../src/replay/plan/client-plan.ts';
import { planServer, type ReplayPlan } from '../../src/replay/plan/server-plan.ts';
import { Player } from '../../src/replay/player/player.ts';
import type { Timing } from '../../src/replay/timing.ts';
import type { TokenRule } from '../../src/replay/tokens/token-locations.ts';

/** Messages as tests write them. */
export const request = (id: Id, method: string, params?: Params) => ({
  jsonrpc: '2.0' as const,
  id,
  method,
  ...(params && { params }),
});
export const call = (id: Id, name: string, args?: Params, token?: Id) =>
  request(id, 'tools/call', {
    name,
    ...(args && { arguments: args }),
    ...(token !== undefined && { _meta: { progressToken: token } }),
  });
export const result = (id: Id, text: string) => ({ jsonrpc: '2.0' as const, id, result: { text } });
export const notification = (method: string, params?: Params) => ({
  jsonrpc: '2.0' as const,
  method: `notifications/${method}`,
  ...(params && { params }),
});
export const progress = (token: Id, value: number) =>
  notification('progress', { progressToken: token, progress: value });
export const cancel = (id: Id) => notification('cancelled', { requestId: id });

/** Events of a cassette, in the order in which they passed. */
export const client = (message: unknown, at = 0): Frame => said('client', message, at);
export const server = (message: unknown, at = 0): Frame => said('server', message, at);
export const clientCloses: Frame = { kind: 'close', at: 0, from: 'client' };
export const exits = (status: number | string): Frame => ({ kind: 'exit', at: 0, from: 'server', status });
export const signal = (name: string): Frame => ({ kind: 'signal', at: 0, from: 'client', signal: name });
export const stderr = (data: string): Frame => ({ kind: 'line', at: 0, from: 'server', on: 'stderr', data });

/** A call of 2026-07-28 over HTTP, and the close of its stream, by which the client cancels it. */
export const callOn = (stream: number, id: Id, name: string, at = 0): Frame => {
  const params = { name, _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} } };
  return { ...client(request(id, 'tools/call', params), at), stream };
};
export const leaves = (stream: number, at = 0): Frame => ({ kind: 'close', at, from: 'client', stream });

function said(from: Side, message: unknown, at: number): Frame {
  return typeof message === 'string'
    ? { kind: 'message', at, from, json: new JsonText(message) }
    : { kind: 'message', at, from, json: new JsonText(JSON.stringify(message)) };
}

export function cassette(...frames: Frame[]): Cassette {
  const events: CassetteEvent[] = frames.map((frame, index) => ({ frame, line: index + 1 }));
  return {
    file: 'cassette.yaml',
    header: { format: 'mcp-record/1', recorder: 'mcp-record 0.0.0', transport: 'stdio' },
    events,
    warnings: [],
  };
}

export interface PlayOptions {
  timing?: Timing;
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  discovered?: ResultOrError;
  patience?: number;
  repeat?: 'last';
  hasFaults?: boolean;
  hasSeveralClients?: boolean;
}

/** A mock server playing `cassette` to a client that the test speaks for. */
export function play(cassette: Cassette, options: PlayOptions = {}) {
  return perform(cassette, planServer(cassette.events), options);
}

/** A mock client playing `cassette` to a server that the test speaks for. */
export function playClient(cassette: Cassette, options: PlayOptions = {}) {
  return perform(cassette, planClient(cassette.events), options);
}

function perform(cassette: Cassette, plan: ReplayPlan, options: PlayOptions) {
  const clock = new ManualClock();
  const live = otherSide(plan.side);
  let unread: Frame[] = [];
  const findings: Finding[] = [];
  const player = new Player({
    plan,
    file: cassette.file,
    clock,
    send: (frame) => void unread.push(frame),
    report: (finding) => void findings.push(finding),
    ...options,
  });
  player.start();
  return {
    clock,
    player,
    findings,
    /** The live peer says these, in one turn. */
    says(...messages: unknown[]) {
      for (const message of messages) player.receive(said(live, message, clock.now()));
      clock.endTurn();
    },
    closes() {
      player.receive({ kind: 'close', at: clock.now(), from: live });
    },
    /** What the peer has heard since it last listened: messages parsed, other frames as they are. */
    hears(): unknown[] {
      const frames = unread;
      unread = [];
      return frames.map((frame) => (frame.kind === 'message' ? frame.json.value : frame));
    },
    /** The same as text. */
    hearsText(): string[] {
      const frames = unread;
      unread = [];
      return frames.map((frame) => (frame.kind === 'message' ? frame.json.text : frame.kind));
    },
  };
}
