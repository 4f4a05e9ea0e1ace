import type { FaultKind, FaultTransport } from '../../../src/faults/fault.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';

/** How a client reaches its server. */
export type Transport = Exclude<FaultTransport, 'memory'>;

/** One thing that goes wrong once, at one message of a session. */
export interface Trial {
  fault: string;
  /** What it happens to, in words. */
  at: string;
  rules: readonly Record<string, unknown>[];
}

/** What a fault needs that has no fallback, or not one that is quick. */
const NEEDED: Readonly<Record<string, object>> = {
  latency: { delay: 200 },
  clog: { for: 200 },
  throttle: { rate: 10_000 },
  slice: { size: 64 },
  oversize: { bytes: 11_000_000 },
  'slow-reader': { rate: 1_000 },
  patch: { merge: { result: null } },
};
/** Faults that are nothing in one size, or of one kind. */
const MORE: Readonly<Record<string, readonly object[]>> = {
  'wrong-id': [{ id: 'unknown' }, { id: 'reused' }, { id: 'other-type' }],
  progress: [{ kind: 'decreasing' }, { kind: 'after-answer' }, { kind: 'unknown-token' }, { kind: 'storm' }],
  exit: [{ status: 1 }, { status: 'SIGSEGV' }],
  'http-status': [{ status: 401 }, { status: 404 }, { status: 429 }, { status: 503 }],
  resume: [{ from: 'missed' }, { from: 'nothing' }],
};
const DAMAGES: Readonly<Record<Transport, readonly object[]>> = {
  stdio: [{ kind: 'invalid-utf8' }, { kind: 'bad-json' }, { kind: 'not-json-rpc' }],
  http: [{ kind: 'invalid-utf8' }, { kind: 'bad-json' }, { kind: 'not-json-rpc' }, { kind: 'framing' }],
};
/** What takes a server with authorization: docs/auth-faults.md has them. */
const OF_AUTHORIZATION = new Set(['token-refused', 'insufficient-scope', 'oauth-error', 'wrong-issuer']);
const OPENING = { method: 'initialize', kind: 'response' };
const CALL = { method: 'tools/call', kind: 'response' };

/** Every fault that a transport has, at the answer to `initialize` and at that of a call, unless it is about something else. */
export function trials(transport: Transport): Trial[] {
  return (
    [...FAULTS.values()]
      .filter(({ transports, name }) => transports.includes(transport) && !OF_AUTHORIZATION.has(name))
      // Over HTTP a request is read whole before anything is done about it: no client has to wait.
      .filter(({ noticedBy }) => noticedBy !== 'sender' || transport === 'stdio')
      // What a server alone notices tests no client.
      .filter(({ noticedBy, when }) => noticedBy !== 'receiver' || when?.from !== 'client')
      .flatMap((kind) => sizesOf(kind.name, transport).flatMap((params) => trialsOf(kind, params)))
  );
}

function sizesOf(fault: string, transport: Transport): readonly object[] {
  return fault === 'corrupt' ? DAMAGES[transport] : (MORE[fault] ?? [NEEDED[fault] ?? {}]);
}

function trialsOf({ name, when, noticedBy }: FaultKind, params: object): Trial[] {
  const rule = { do: name, ...params, times: 1 };
  // What waits for company gets it: the first progress is joined with the next, and the answer overtakes the last.
  if (name === 'coalesce' || name === 'reorder') {
    const method = 'notifications/progress';
    const when = name === 'coalesce' ? { method } : { method, nth: 4 };
    return [{ fault: name, at: method, rules: [{ ...rule, when }] }];
  }
  if (when?.method !== undefined || when?.kind === 'end' || name === 'down')
    return [{ fault: name, at: when?.method ?? (name === 'down' ? 'start' : 'end'), rules: [rule] }];
  const isAsked = when?.from === 'client' || noticedBy === 'sender';
  const from = isAsked ? { from: 'client', kind: 'request' } : {};
  // There is no session yet, and no stream, when a client initializes.
  const moments = name === 'session-lost' || name === 'redeliver' ? [CALL] : [OPENING, CALL];
  return moments.map((moment) => {
    const hit = { ...rule, when: { ...moment, ...from } };
    // Nothing is delivered again to a client that does not come back.
    const rules =
      name === 'redeliver'
        ? [
            { do: 'resume', times: 1, when: CALL },
            { do: name, when: { method: 'notifications/progress' } },
          ]
        : [hit];
    return { fault: name, at: moment.method, rules };
  });
}

/** The trial's name in the table: its fault, and the parameters that are not needed. */
export function nameOf({ fault, rules }: Trial): string {
  const { do: _, times, when, ...params } = rules.at(-1) ?? {};
  const chosen = MORE[fault] || fault === 'corrupt' ? Object.values(params).join(' ') : '';
  return `${fault}${chosen && ` (${chosen})`}`;
}
