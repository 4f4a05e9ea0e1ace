import type { Frame, Side, WireFrame } from '../../src/channel/frame.ts';
import { FaultInjector, type Fired } from '../../src/faults/engine/fault-injector.ts';
import type { Fault } from '../../src/faults/fault.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { encodeLine } from '../../src/transports/stdio/encode-line.ts';

/** Traffic that misbehaves, on a clock that stands still: `at` what time what arrived, as bytes where there are some. */
export function misbehaving(rules: readonly (Rule | Fault)[], seed = 1) {
  const clock = new ManualClock();
  const arrived: [at: number, what: string][] = [];
  const paused: string[] = [];
  const journal: Fired[] = [];
  const encode = (frame: Frame) => encodeLine(frame) ?? new Uint8Array(0);
  const show = (frame: WireFrame) => {
    if (frame.kind === 'bytes') return Buffer.from(frame.data).toString('latin1');
    if (frame.kind === 'line' && frame.on === 'stderr') return `stderr ${frame.data.length}`;
    const data = encode(frame);
    if (frame.kind === 'line' && typeof frame.data !== 'string') return Buffer.from(data).toString('latin1');
    if (data.length > 0) return Buffer.from(data).toString();
    if (frame.kind === 'exit') return `exit ${frame.status}`;
    return frame.kind === 'close' && frame.how ? `close ${frame.how}` : frame.kind;
  };
  const traffic = new FaultInjector({
    rules: rules.map((rule) => ('fault' in rule ? rule : { fault: rule })),
    seed,
    clock,
    encode,
    send: (frame) => void arrived.push([clock.now(), `${frame.from === 'client' ? '→' : '←'} ${show(frame)}`]),
    fired: (one) => void journal.push(one),
    pause: (side, is) => void paused.push(`${is ? 'pause' : 'resume'} ${side}`),
  });
  const say = (from: Side, message: unknown) => {
    const json = new JsonText(typeof message === 'string' ? message : JSON.stringify(message));
    traffic.push({ kind: 'message', at: clock.now(), from, json });
  };
  return {
    clock,
    traffic,
    paused,
    journal,
    client: (...messages: unknown[]) => {
      for (const message of messages) say('client', message);
    },
    server: (...messages: unknown[]) => {
      for (const message of messages) say('server', message);
    },
    /** What arrived since, without and with its time. */
    arrived: () => arrived.splice(0).map(([, what]) => what),
    arrivedAt: () => arrived.splice(0),
  };
}

/** A call with id 1 and what may be said of it. */
export const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'add', _meta: { progressToken: 1 } },
};
export const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
};
export const ANSWER = { jsonrpc: '2.0', id: 1, result: { text: 'é' } };
export const OTHER = { jsonrpc: '2.0', id: 2, result: {} };

/** How a message looks when it arrives whole. */
export const came = (from: Side, message: unknown): string =>
  `${from === 'client' ? '→' : '←'} ${JSON.stringify(message)}\n`;
