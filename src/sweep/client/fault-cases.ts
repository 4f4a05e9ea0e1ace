import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { FaultKind, FaultTransport } from '../../faults/fault.ts';
import { FAULTS } from '../../faults/fault-table.ts';
import { subjectCondition, type When } from '../../faults/rules/when.ts';
import { order } from '../../faults/timing/order.ts';
import { isNotification, isRequest, isResponse, type Message } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { rowOf } from '../grid-text.ts';
import { sentOrder } from './sent-order.ts';
import { LOSING, withheldAnswer } from './withheld-answer.ts';
import {
  arrivedAnyway,
  firedIn,
  hasFired,
  type Noted,
  observeAll,
  observeCancels,
  observerRules,
  type WithheldResponse,
  type WithholdingRules,
} from './withheld-response-arrival.ts';

/** Fault of a sweep. */
export interface SweptFault {
  name: string;
  /** Parameters of the fault. An absent parameter takes the value of the sweep, or else the default of the fault. */
  params?: Readonly<Record<string, unknown>>;
  /** Name of the fault with its parameters, if a sweep runs the fault with several sets of parameters. */
  row?: string;
}

/** Point of a client sweep: one fault at one server message. */
export interface FaultCase {
  /** Name for `--point`: `cut@3`. */
  name: string;
  fault: string;
  /** Name of the fault with its parameters, if a sweep runs the fault with several sets of parameters. */
  row?: string;
  /** Parameters of the fault. Absent: the fault has no parameters. */
  params?: Readonly<Record<string, unknown>>;
  /** Position among the server's messages, from 1. */
  message: number;
  /** Line of the cassette. */
  line: number;
  /** Title of the message. */
  title: string;
  /**
   * Condition of a fault that applies to the client's request for this message. Absent: the fault applies to the
   * message.
   */
  when?: When;
  /** Response that the fault withholds from the waiting client. */
  loses?: WithheldResponse;
  /** Two cases that happen in one run. Absent: this case has one fault. */
  pair?: FaultPair;
}

/** The two cases of a pair. */
export interface FaultPair {
  cases: readonly [FaultCase, FaultCase];
  /** Responses that a fault may withhold. The first fault may change the positions of later messages. */
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
  'down',
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
  'slow-reader': { rate: 1000 },
};

/** Requests that open a session: they have none to lose. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Returns the points of a sweep: each fault at each server message that it applies to, grouped by fault. */
export function faultMatrix({ events }: Cassette, faults: readonly SweptFault[]): FaultCase[] {
  const entries = eventsToEntries(events);
  const { requestOf, cancelOf } = correlateEntries(entries);
  const said = entries.filter(({ from, json }) => from === 'server' && json !== undefined);
  const conditions = requestConditions(entries);
  return faults.flatMap(({ name: fault, params: written, row }) => {
    const params = { ...SWEEP_PARAMETERS[fault], ...written };
    const hasParams = Object.keys(params).length > 0;
    return said.flatMap((entry, index): FaultCase[] => {
      const answer = isResponse(entry.message) ? entry.message : undefined;
      const request = requestOf.get(entry.index) ?? -1;
      const asked = entries[request]?.message;
      const told = answer ? asked : entry.message;
      const named = told && 'method' in told ? told : undefined;
      const candidate = { entry, index, method: named?.method, asked, condition: conditions.get(request) };
      const when = placeOf(FAULTS.get(fault), candidate);
      if (when === undefined) return [];
      const message = index + 1;
      const subject = named ? subjectOf(named.method, named.params) : 'unknown';
      const title = answer ? `answer to ${subject}` : subject;
      const own = { fault, ...(row !== undefined && { row }), ...(hasParams && { params }) };
      const point: FaultCase = { name: `${rowOf(own)}@${message}`, ...own, message, line: entry.line, title };
      if (when !== MESSAGE) point.when = when;
      const loses = withheldAnswer(fault, entry, { entries, requestOf, cancelOf });
      return [loses ? { ...point, loses } : point];
    });
  });
}

/** Server message that is a possible target of a fault. */
interface Candidate {
  entry: SessionEntry;
  /** Position among the messages of the server, from 0. */
  index: number;
  /** Method of the message. For a response: method of its request. */
  method: string | undefined;
  /** Request that the message answers. */
  asked: Message | undefined;
  /** Condition for the request in `asked`. Undefined: the client did not send that request. */
  condition: When | undefined;
}

/** The fault happens to the message itself. */
const MESSAGE: When = {};

/**
 * Returns the condition under which a fault applies to a message of the server. Undefined: the fault cannot apply. A
 * fault of client requests applies to the request that the message answers: by the time of the answer, its HTTP status
 * may already have been sent.
 */
function placeOf(kind: FaultKind | undefined, candidate: Candidate): When | undefined {
  const { when = {}, noticedBy } = kind ?? {};
  const { entry, index, method, asked, condition } = candidate;
  // A fault of kind `start` makes the server unavailable from the beginning of the session.
  if (when.kind === 'start') return index === 0 ? { kind: 'start' } : undefined;
  const isOfRequests = when.from === 'client' && noticedBy === undefined;
  if (!isOfRequests) return canFire(when, entry.message, method) ? MESSAGE : undefined;
  if (kind?.name === 'session-lost' && OPENING.has(method ?? '')) return undefined;
  return canFire(when, asked, method) ? condition : undefined;
}

/**
 * Returns a condition for each request of the client, by position. The condition counts requests with the same method
 * and subject.
 */
function requestConditions(entries: readonly SessionEntry[]): ReadonlyMap<number, When> {
  const counts = new Map<string, number>();
  const conditions = new Map<number, When>();
  for (const { index, from, message } of entries) {
    if (from !== 'client' || !isRequest(message)) continue;
    const subject: When = { from, kind: 'request', method: message.method, ...subjectCondition(message) };
    const key = JSON.stringify(subject);
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    conditions.set(index, { ...subject, after: 0, nth });
  }
  return conditions;
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
 * entries show which messages the server sent.
 */
export function rulesFileOf(point: FaultCase | undefined): object {
  if (point === undefined) return { seed: 1, faults: observeAll() };
  const cases = casesOf(point);
  const faults = cases.map(({ fault, params, line, when }) => {
    // The first match alone: if the fault changes nothing there, it must not happen when the message comes again.
    return { do: fault, ...params, when: when ?? { from: 'server', line, nth: 1 }, times: 1 };
  });
  const observed = point.pair?.losable ?? [point.loses];
  // Faults come first: an answer that one of them withholds has not arrived.
  const noted = faults.some((one) => one.do === order.name) ? observeAll() : [];
  const cancels = point.loses?.isDelayed ? [observeCancels()] : [];
  return { seed: 1, faults: [...faults, ...observed.flatMap(observerRules), ...cancels, ...noted] };
}

function casesOf({ pair, ...point }: FaultCase): readonly FaultCase[] {
  return pair?.cases ?? [point];
}

/** Outcome of the rules of a point. */
export interface Happened {
  /** Whether the fault fired. For a pair: whether both faults fired. */
  fired: boolean;
  /** Whether only a part of an order of messages came about. */
  isPartial?: true;
  /** Reason why a fault changed nothing and therefore did not fire. */
  unchanged?: string;
  /** Whether a fault withheld a response that never arrived. */
  isAnswerLost: boolean;
}

/** Reads the outcome of the rules of {@link rulesFileOf} from the journal of a run. */
export function happenedOf(point: FaultCase | undefined, noted: readonly Noted[]): Happened {
  if (point?.fault === order.name) {
    return { ...sentOrder((point.params?.moved ?? []) as readonly number[], noted), isAnswerLost: false };
  }
  const journal = firedIn(noted);
  const cases = point === undefined ? [] : casesOf(point);
  const numbers = point === undefined ? [1] : cases.map((_, index) => index + 1);
  const fired = numbers.every((rule) => hasFired(journal, rule));
  const pair = point?.pair;
  const losses = cases.flatMap((one, index) => {
    const { isLater, isDelayed } = one.loses ?? {};
    if (pair === undefined)
      return one.loses ? [{ ...observersOf(1, 1, 0), isLater, ...(isDelayed && { cancelled: CANCELS }) }] : [];
    const withheld = LOSING.has(one.fault) ? withheldBy(one, index + 1, pair, journal) : -1;
    return withheld < 0 ? [] : [{ ...observersOf(index + 1, cases.length, withheld), isLater }];
  });
  const { unchanged } = noted.find((one) => one.unchanged !== undefined && !hasFired(journal, one.rule)) ?? {};
  const isAnswerLost = losses.some((rules) => !arrivedAnyway(journal, rules));
  return { fired, ...(unchanged !== undefined && { unchanged }), isAnswerLost };
}

/** Position of the observer of cancels, behind those of one response. */
const CANCELS = 4;

/**
 * Returns the positions of a fault's rule and of the two observers of a response. `faults`: number of fault rules,
 * which precede all observers.
 */
function observersOf(fault: number, faults: number, response: number): WithholdingRules {
  const asked = faults + 2 * response + 1;
  return { fault, asked, answered: asked + 1 };
}

/**
 * Returns the index in `losable` of the response that a fault of a pair withheld, found by the request's id. -1: the
 * fault withheld no response.
 */
function withheldBy({ when, loses }: FaultCase, fault: number, pair: FaultPair, journal: readonly Noted[]): number {
  const { cases, losable } = pair;
  // A fault of client requests keeps the request from the server, so no observer has seen the request. An earlier
  // message does not name it.
  if (when !== undefined || loses?.isLater)
    return losable.findIndex((one) => JSON.stringify(one) === JSON.stringify(loses));
  const hit = journal.find(({ rule }) => rule === fault);
  return losable.findIndex(({ request }, n) => {
    const { asked } = observersOf(fault, cases.length, n);
    return request.method === hit?.method && journal.some(({ rule, id }) => rule === asked && id === hit?.id);
  });
}
