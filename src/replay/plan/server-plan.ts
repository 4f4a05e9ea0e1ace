import type { CassetteEvent } from '../../cassette/cassette.ts';
import { addJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import { fitPlaceholdersToSchemas } from '../prepare/fit-placeholders-to-schemas.ts';
import { causesOf } from './causes.ts';
import { type ProtocolRejection, protocolRejections } from './metadata-rejections.ts';
import { type PlanStep, StepsByTrigger } from './steps-by-trigger.ts';

/** The dependencies of each frame of the played side, as far as the cassette proves them. */
export interface ReplayPlan {
  side: Side;
  entries: SessionEntry[];
  links: Links;
  sequences: StepsByTrigger;
  /** Ambient steps that must be sent before a response. */
  ambientBefore: Map<number, PlanStep[]>;
  /** Live-side requests that were rejected for their headers or envelope. */
  rejections: ReadonlyMap<number, ProtocolRejection>;
}

/** Returns the plan for a mock server. docs/replay-reference.md explains the rules. */
export function planServer(events: readonly CassetteEvent[]): ReplayPlan {
  const recorded = addJsonRpcVersion(eventsToEntries(events), 'server');
  const links = correlateEntries(recorded);
  const entries = fitPlaceholdersToSchemas(recorded, links);
  const sequences = new StepsByTrigger(entries.length);
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
    // Server frames for one request keep their order, so each entry triggers one sequence.
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

/** Shared empty list, because most steps have no dependencies. */
const NONE: readonly number[] = [];
const NO_STEPS: readonly PlanStep[] = [];

interface PendingResponses {
  /** Responses later in the cassette. */
  later: number[];
  /** Responses awaited by ambient steps only so far. */
  ambientOnly: number[];
}

/**
 * Collects client responses to the requests of a sequence. A step after a recorded response waits for the live
 * response.
 */
class ClientResponses {
  readonly #links: Links;
  /** Pending responses, by the sequence's trigger. */
  readonly #sequences = new Map<number | undefined, PendingResponses>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** Adds a server request that the client answered before any cancellation. */
  addRequest(sequence: number | undefined, entry: number): void {
    const { answerOf, cancelOf } = this.#links;
    const answer = answerOf.get(entry);
    if (answer === undefined || (cancelOf.get(entry) ?? answer) < answer) return;
    const pending = this.#sequences.get(sequence);
    if (pending) pending.later.push(answer);
    else this.#sequences.set(sequence, { later: [answer], ambientOnly: [] });
  }

  /**
   * Returns the responses that a step waits for. Each recorded response is awaited by the first step after it. An
   * ambient step may be sent ahead of its sequence, so the next regular step waits for the response again.
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
  /** Trigger of the sequence. */
  trigger: number | undefined;
  before: readonly PlanStep[];
  after: number | undefined;
  entries: readonly SessionEntry[];
  links: Links;
}

/** Adds entries that the step waits for, with a maximum wait, because they may never happen in the live session. */
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

/** Minimum of a maximum wait: hand-written cassettes have no times, and fast servers waited for 0 ms. */
const MAX_WAIT_MIN: Milliseconds = 1_000;

/**
 * Returns the cancellation that the first step after it waits for. The wait ends after the recorded time, for clients
 * that do not cancel.
 */
function cancelBefore(step: PlanStep, { trigger, before, links }: StepContext): readonly number[] {
  const cancel = links.cancelOf.get(trigger ?? -1);
  if (cancel === undefined || step.ambient || step.entry < cancel) return NONE;
  const previous = before.findLast(({ ambient }) => !ambient);
  return previous !== undefined && previous.entry > cancel ? NONE : [cancel];
}

/**
 * Returns the server responses that the server's end waits for: those recorded since the trigger. Nothing can be sent
 * after the end.
 */
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
