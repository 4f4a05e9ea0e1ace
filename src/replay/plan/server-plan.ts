import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { withVersions } from '../../cassette/correlate/missing-json-rpc-version.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import { causesOf } from './causes.ts';
import { type ProtocolRejection, protocolRejections } from './protocol-rejections.ts';
import { type PlanStep, SequenceTable } from './sequence.ts';

/** What each frame of the played side waits for, as far as the cassette proves it. */
export interface ReplayPlan {
  side: Side;
  entries: SessionEntry[];
  links: Links;
  sequences: SequenceTable;
  /** Response → the ambient steps that are sent before it at the latest. */
  ambientBefore: Map<number, PlanStep[]>;
  /** Requests of the live side that were rejected for their headers or envelope. */
  rejections: ReadonlyMap<number, ProtocolRejection>;
}

/** Returns the plan for a mock server. docs/replay.md explains the rules. */
export function planServer(events: readonly CassetteEvent[]): ReplayPlan {
  const entries = withVersions(entriesOf(events), 'server');
  const links = correlateEntries(entries);
  const sequences = new SequenceTable(entries.length);
  const ambientBefore = new Map<number, PlanStep[]>();
  const clientResponses = new ClientResponses(links);
  let ambientSteps: PlanStep[] = [];

  causesOf(entries, links).forEach((cause, index) => {
    if (cause === undefined || isPingAnswer(entries, links, index)) return;
    const { entry: trigger, ambient, guess, why } = cause;
    const sequence = sequences.get(trigger)?.[0];
    const needs = clientResponses.neededBy(trigger, index, ambient);
    const context = { trigger, before: sequence?.steps ?? NO_STEPS, after: cause.after, entries, links };
    const step = withExtraNeeds({ entry: index, needs, ambient, guess, why }, context);
    // A server's frames about one request keep their order, so each entry triggers one sequence.
    if (sequence) sequence.steps.push(step);
    else sequences.add({ trigger, steps: [step] });
    if (isRequestToAnswer(entries[index])) clientResponses.addRequest(trigger, index);
    if (ambient) ambientSteps.push(step);
    if (ambientSteps.length > 0 && links.requestOf.has(index)) {
      ambientBefore.set(index, ambientSteps);
      ambientSteps = [];
    }
  });
  return {
    side: 'server',
    entries,
    links,
    sequences,
    ambientBefore,
    rejections: protocolRejections(entries, links),
  };
}

/** Shared, as nearly no step waits for anything. */
const NONE: readonly number[] = [];
const NO_STEPS: readonly PlanStep[] = [];

interface PendingResponses {
  /** Responses later in the cassette. */
  later: number[];
  /** Responses that only ambient steps have waited for. */
  ambientOnly: number[];
}

/** Collects the client's responses to the requests of a sequence: a step after a recorded response waits for the live one. */
class ClientResponses {
  readonly #links: Links;
  /** By the trigger of the sequence. */
  readonly #sequences = new Map<number | undefined, PendingResponses>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** Adds a request of the sequence that the client answered and that was not cancelled before. */
  addRequest(sequence: number | undefined, entry: number): void {
    const { answerOf, cancelOf } = this.#links;
    const answer = answerOf.get(entry);
    if (answer === undefined || (cancelOf.get(entry) ?? answer) < answer) return;
    const pending = this.#sequences.get(sequence);
    if (pending) pending.later.push(answer);
    else this.#sequences.set(sequence, { later: [answer], ambientOnly: [] });
  }

  /**
   * Returns the responses that a step waits for: those before it, each for the first step after it only. An ambient step
   * may be sent ahead of its sequence, so that the first step that is not ambient waits for its responses again.
   */
  neededBy(sequence: number | undefined, entry: number, ambient: boolean): readonly number[] {
    const pending = this.#sequences.get(sequence);
    if (pending === undefined) return NONE;
    const given = pending.later.filter((answer) => answer < entry);
    if (given.length > 0) pending.later = pending.later.filter((answer) => answer > entry);
    if (ambient) {
      for (const answer of given) pending.ambientOnly.push(answer);
      return given;
    }
    const due = [...pending.ambientOnly, ...given];
    pending.ambientOnly = [];
    return due;
  }
}

interface StepContext {
  /** The trigger of the sequence, and its earlier steps. */
  trigger: number | undefined;
  before: readonly PlanStep[];
  after: number | undefined;
  entries: readonly SessionEntry[];
  links: Links;
}

/** Adds client entries that the step waits for, with a maximum wait: a live client may never send them. */
function withExtraNeeds(step: PlanStep, context: StepContext): PlanStep {
  const { trigger, after, entries } = context;
  const cancel = cancelBefore(step, context);
  const answers = answersBefore(step, context);
  const unsure = after === undefined ? answers : [after, ...answers];
  if (unsure.length === 0 && cancel.length === 0) return step;
  const waited = entries[step.entry]!.at - (entries[trigger ?? -1]?.at ?? 0);
  if (unsure.length > 0) {
    const needs = [...step.needs, ...unsure, ...cancel];
    return { ...step, needs, maxWait: Math.max(waited, MAX_WAIT_MIN) };
  }
  return { ...step, needs: [...step.needs, ...cancel], maxWait: waited };
}

/** Shortest maximum: a hand-written cassette has no times, and a fast server took none. */
const MAX_WAIT_MIN: Milliseconds = 1_000;

/**
 * Returns the cancel that the first step after it waits for. The wait is as long as in the cassette at most, for clients
 * that do not cancel.
 */
function cancelBefore(step: PlanStep, { trigger, before, links }: StepContext): readonly number[] {
  const cancel = links.cancelOf.get(trigger ?? -1);
  if (cancel === undefined || step.ambient || step.entry < cancel) return NONE;
  const previous = before.findLast(({ ambient }) => !ambient);
  return previous !== undefined && previous.entry > cancel ? NONE : [cancel];
}

/** Returns the responses that the end of the server waits for: those that it sent since the trigger. After its end it cannot send them. */
function answersBefore({ entry }: PlanStep, { trigger, entries, links }: StepContext): readonly number[] {
  const { kind, stream } = entries[entry]!.frame;
  const isEnd = kind === 'exit' || (kind === 'close' && stream === undefined);
  if (trigger === undefined || !isEnd) return NONE;
  return [...links.requestOf.keys()].filter(
    (answer) => answer > trigger && answer < entry && entries[answer]!.from === 'server',
  );
}

function isPing(entry: SessionEntry | undefined): boolean {
  return isRequest(entry?.message) && entry.message.method === 'ping';
}

function isRequestToAnswer(entry: SessionEntry | undefined): boolean {
  return isRequest(entry?.message) && entry.message.method !== 'ping';
}

function isPingAnswer(entries: readonly SessionEntry[], links: Links, index: number): boolean {
  const request = links.requestOf.get(index);
  return request !== undefined && isPing(entries[request]);
}
