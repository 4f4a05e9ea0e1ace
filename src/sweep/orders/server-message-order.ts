import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { observe } from '../../faults/messages/observe.ts';
import { isNotification, isResponse } from '../../protocol/message.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import { planServer, type ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { PlanStep } from '../../replay/plan/steps-by-trigger.ts';
import { LISTENING } from '../../replay/prepare/playable-http-events.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { faultMatrix } from '../client/fault-cases.ts';
import { argumentsOf, type OrderedMessage, withEarlierOnes } from './ordered-message.ts';

/**
 * Returns the messages of the recorded server in recorded order, for each session, with the order that causality asks
 * for: a message follows its request, and a request follows all messages that its client had received before. Messages
 * for one request keep their order, as do notifications of one method.
 */
export function serverMessageOrders(cassette: Cassette, transport: FaultTransport): OrderedMessage[][] {
  const messages = faultMatrix(stripHttp(cassette), [{ name: observe.name }]);
  // A batch has one line and several messages: the first one stands for it.
  const named = new Map(messages.toReversed().map((one) => [one.line, one]));
  const plans =
    transport === 'http' ? httpCassettes(cassette).map(({ plan }) => plan) : [planServer(stripHttp(cassette).events)];
  return plans.map((plan) =>
    orderOf(plan, transport).flatMap(({ entry, ...found }) => {
      const { message, line, title } = named.get(entry.line) ?? {};
      return message === undefined || line === undefined || title === undefined
        ? []
        : [
            {
              message,
              line,
              title,
              ...argumentsOf(plan.entries[plan.links.requestOf.get(entry.index) ?? -1]?.message),
              ...found,
            },
          ];
    }),
  );
}

type Found = Omit<OrderedMessage, 'message' | 'line' | 'title'> & { entry: SessionEntry };

function orderOf(plan: ReplayPlan, transport: FaultTransport): Found[] {
  const { entries } = plan;
  const counted = new CountedMessages(entries);
  const steps = stepsByEntry(plan);
  const found: Found[] = [];
  /** Latest message of each method of notifications. */
  const latest = new Map<string, number>();
  for (const { entry, index } of counted.messages) {
    const { step, trigger, previous } = steps.get(entry.index) ?? {};
    let after = trigger === undefined ? 0 : counted.before(trigger);
    const direct: number[] = [];
    for (const need of step?.needs ?? []) {
      const { from, message } = entries[need]!;
      const question = from === 'client' && isResponse(message) ? plan.links.requestOf.get(need) : undefined;
      // An answer of the client waits for its question alone.
      if (question !== undefined) direct.push(counted.indexOf(question)!);
      else after = Math.max(after, counted.before(need));
    }
    for (const one of previous ?? []) {
      if (transport === 'http' || !one.ambient) direct.push(counted.indexOf(one.entry)!);
    }
    const { message } = entry;
    if (isNotification(message)) {
      const before = latest.get(message.method);
      if (before !== undefined) direct.push(before);
      latest.set(message.method, index);
    }
    found.push({
      entry,
      stream: transport === 'http' ? streamOf(entry, trigger) : undefined,
      isReport: isNotification(message) && REPORTS.has(message.method),
      ...withEarlierOnes(found, { after, direct: direct.filter((one) => one < index) }),
    });
  }
  return found;
}

/** Notifications that tell a person how a request goes on. */
const REPORTS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/** The server's messages of a session, in order. A batch is one message. */
class CountedMessages {
  readonly messages: { entry: SessionEntry; index: number }[] = [];
  /** Number of messages before each entry. */
  readonly #before: number[] = [];
  readonly #byEvent = new Map<number, number>();
  readonly #events: readonly number[];

  constructor(entries: readonly SessionEntry[]) {
    this.#events = entries.map(({ event }) => event);
    for (const entry of entries) {
      this.#before.push(this.messages.length);
      if (entry.from === 'client' || entry.json === undefined || this.#byEvent.has(entry.event)) continue;
      this.#byEvent.set(entry.event, this.messages.length);
      this.messages.push({ entry, index: this.messages.length });
    }
  }

  before(entry: number): number {
    return this.#before[entry] ?? 0;
  }

  indexOf(entry: number): number | undefined {
    return this.#byEvent.get(this.#events[entry]!);
  }
}

interface PlacedStep {
  step: PlanStep;
  trigger: number | undefined;
  /** Steps of the same sequence that its order depends on. */
  previous: readonly PlanStep[];
}

function stepsByEntry({ sequences, entries }: ReplayPlan): Map<number, PlacedStep> {
  const steps = new Map<number, PlacedStep>();
  for (const { trigger, steps: own } of sequences) {
    let last: PlanStep | undefined;
    let ambient: PlanStep[] = [];
    for (const step of own) {
      if (entries[step.entry]!.json === undefined) continue;
      // Only the response ends the stream, so that it has to follow what else its request has led to.
      const isLast = isResponse(entries[step.entry]!.message);
      steps.set(step.entry, {
        step,
        trigger,
        previous: step.ambient ? [] : [...(last ? [last] : []), ...(isLast ? ambient : [])],
      });
      if (step.ambient) ambient.push(step);
      else last = step;
      if (isLast) ambient = [];
    }
  }
  return steps;
}

function streamOf({ frame }: SessionEntry, trigger: number | undefined): string {
  return frame.stream === LISTENING ? 'listening' : `request ${trigger}`;
}
