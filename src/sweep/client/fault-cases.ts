import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { FAULTS } from '../../faults/fault-table.ts';
import type { When } from '../../faults/rules/when.ts';
import { isNotification, isRequest, isResponse, type Message } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import {
  arrivedAnyway,
  firedIn,
  hasFired,
  type Noted,
  observeAll,
  observerRules,
  type WithheldResponse,
  type WithholdingRules,
  withheldResponse,
} from './withheld-response-arrival.ts';

/** Fault of a sweep. */
export interface SweptFault {
  name: string;
  /** Parameters. Absent ones have the value of the sweep, or the default of the fault. */
  params?: Readonly<Record<string, unknown>>;
}

/** A run of a sweep: one fault at one server message. */
export interface FaultCase {
  /** Name for `--point`: `cut@3`. */
  name: string;
  fault: string;
  /** Parameters of the fault. Absent: it has none. */
  params?: Readonly<Record<string, unknown>>;
  /** Position among the server's messages, from 1. */
  message: number;
  /** Line of the cassette. */
  line: number;
  /** Title of the message. */
  title: string;
  /** Response that the fault withholds from the waiting client. */
  loses?: WithheldResponse;
  /** Two cases that happen in one run. Absent: this case has one fault. */
  pair?: FaultPair;
}

/** The two cases of a pair. */
export interface FaultPair {
  cases: readonly [FaultCase, FaultCase];
  /** Responses that a fault may withhold. After the first fault, a message may have another position than in the cassette. */
  losable: readonly WithheldResponse[];
}

/** Default faults of a sweep. Each ends the session, or damages or withholds a message; mere delays are left out. */
const SWEPT: readonly string[] = [
  'stall',
  'drop',
  'end',
  'cut',
  'exit',
  'half-close',
  'truncate',
  'corrupt',
  'error-reply',
  'wrong-id',
  'duplicate',
  'junk',
];

/** Additional default faults over HTTP. */
const SWEPT_HTTP: readonly string[] = ['reset', 'http-status'];

/** Returns the default faults for a transport. */
export function sweptOn(transport: FaultTransport): readonly string[] {
  return transport === 'http' ? [...SWEPT, ...SWEPT_HTTP] : SWEPT;
}

/** Parameters for faults with required ones: a second's delay, and a thousand bytes a second. */
export const SWEEP_PARAMETERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'http-status': { status: 503 },
  latency: { delay: 1000 },
  clog: { for: 1000 },
  throttle: { rate: 1000 },
};

/** Faults that withhold an answer. Replacing it by an error does not count. */
const LOSING = new Set([
  'stall',
  'drop',
  'end',
  'cut',
  'exit',
  'half-close',
  'truncate',
  'corrupt',
  'wrong-id',
  'reset',
  'http-status',
]);

/** Returns the points of a sweep: each fault at each server message that it applies to, grouped by fault. */
export function faultMatrix({ events }: Cassette, faults: readonly SweptFault[]): FaultCase[] {
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  const said = entries.filter(({ from, json }) => from === 'server' && json !== undefined);
  return faults.flatMap(({ name: fault, params: written }) => {
    const params = { ...SWEEP_PARAMETERS[fault], ...written };
    const hasParams = Object.keys(params).length > 0;
    const when = FAULTS.get(fault)?.when ?? {};
    return said.flatMap((entry, index): FaultCase[] => {
      const answer = isResponse(entry.message) ? entry.message : undefined;
      const asked = entries[requestOf.get(entry.index) ?? -1]?.message;
      const told = answer ? asked : entry.message;
      const named = told && 'method' in told ? told : undefined;
      if (!canFire(when, entry.message, named?.method)) return [];
      const message = index + 1;
      const subject = named ? subjectOf(named.method, named.params) : 'unknown';
      const title = answer ? `answer to ${subject}` : subject;
      const name = `${fault}@${message}`;
      const point: FaultCase = { name, fault, ...(hasParams && { params }), message, line: entry.line, title };
      const isLost = answer && isRequest(asked) && LOSING.has(fault);
      return [isLost ? { ...point, loses: withheldResponse(asked, answer) } : point];
    });
  });
}

/** Reports whether a fault with this default condition can fire on a message of the server. */
export function canFire({ kind, method }: When, message: Message | undefined, own: string | undefined): boolean {
  if (method !== undefined && method !== own) return false;
  if (kind === undefined) return true;
  if (message === undefined) return false;
  if (kind === 'response') return isResponse(message);
  if (kind === 'request') return isRequest(message);
  return kind === 'notification' && isNotification(message);
}

/**
 * Returns the rules of a case in the form of a fault rules file. Without a case: a rule without effect, whose journal
 * entries show how many messages the server sent.
 */
export function rulesFileOf(point: FaultCase | undefined): object {
  if (point === undefined) return { seed: 1, faults: observeAll() };
  const cases = casesOf(point);
  const faults = cases.map(({ fault, params, message }) => {
    // The first match alone: if the fault changes nothing there, it must not happen to a later message.
    return { do: fault, ...params, when: { from: 'server', after: message - 1, nth: 1 }, times: 1 };
  });
  const observed = point.pair?.losable ?? [point.loses];
  // Faults come first: an answer that one of them withholds has not arrived.
  return { seed: 1, faults: [...faults, ...observed.flatMap(observerRules)] };
}

function casesOf({ pair, ...point }: FaultCase): readonly FaultCase[] {
  return pair?.cases ?? [point];
}

/** What happened of the rules of a case. */
export interface Happened {
  /** Whether its fault fired: of a pair, both. */
  fired: boolean;
  /** Why a fault changed nothing, and did not fire. */
  unchanged?: string;
  /** Whether a fault withheld a response that never arrived. */
  isAnswerLost: boolean;
}

/** Returns what happened of the rules of {@link rulesFileOf}, by the journal of a run. */
export function happenedOf(point: FaultCase | undefined, noted: readonly Noted[]): Happened {
  const journal = firedIn(noted);
  const cases = point === undefined ? [] : casesOf(point);
  const numbers = point === undefined ? [1] : cases.map((_, index) => index + 1);
  const fired = numbers.every((rule) => hasFired(journal, rule));
  const pair = point?.pair;
  const losses = cases.flatMap(({ fault, loses }, index) => {
    if (pair === undefined) return loses ? [observersOf(1, 1, 0)] : [];
    const withheld = LOSING.has(fault) ? withheldBy(index + 1, pair, journal) : -1;
    return withheld < 0 ? [] : [observersOf(index + 1, cases.length, withheld)];
  });
  const { unchanged } = noted.find((one) => one.unchanged !== undefined && !hasFired(journal, one.rule)) ?? {};
  const isAnswerLost = losses.some((rules) => !arrivedAnyway(journal, rules));
  return { fired, ...(unchanged !== undefined && { unchanged }), isAnswerLost };
}

/** Returns the positions of a fault and of the observers of a response. `faults`: the number of faults before all observers. */
function observersOf(fault: number, faults: number, response: number): WithholdingRules {
  const asked = faults + 2 * response + 1;
  return { fault, asked, answered: asked + 1 };
}

/** Returns which response a fault of a pair has withheld: that to the request with its id. -1: it was no response. */
function withheldBy(fault: number, { cases, losable }: FaultPair, journal: readonly Noted[]): number {
  const hit = journal.find(({ rule }) => rule === fault);
  return losable.findIndex(({ request }, n) => {
    const { asked } = observersOf(fault, cases.length, n);
    return request.method === hit?.method && journal.some(({ rule, id }) => rule === asked && id === hit?.id);
  });
}
