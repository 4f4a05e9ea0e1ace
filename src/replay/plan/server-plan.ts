import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { withVersions } from '../../cassette/read/json-rpc-version.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import { causesOf } from './causes.ts';
import { type ProtocolRejection, protocolRejections } from './protocol-rejections.ts';
import { type PlanStep, SequenceTable } from './sequence.ts';

/** What each frame of the played side waits for: only what the cassette proves. */
export interface ReplayPlan {
  side: Side;
  entries: SessionEntry[];
  links: Links;
  sequences: SequenceTable;
  /** Response → the ambient parts that may not come after it. */
  flushes: Map<number, PlanStep[]>;
  /** Requests of the live side that were refused for how they were asked. */
  refusals: ReadonlyMap<number, ProtocolRejection>;
}

/** The plan for a mock server: docs/replay.md has the rules in words. */
export function planServer(events: readonly CassetteEvent[]): ReplayPlan {
  const entries = withVersions(entriesOf(events), 'server');
  const links = correlateEntries(entries);
  const sequences = new SequenceTable(entries.length);
  const flushes = new Map<number, PlanStep[]>();
  const pledges = new Pledges(links);
  let unflushed: PlanStep[] = [];

  causesOf(entries, links).forEach((owner, index) => {
    if (owner === undefined || isPingAnswer(entries, links, index)) return;
    const { entry: opens, ambient, guess, why } = owner;
    const sequence = sequences.get(opens)?.[0];
    const needs = pledges.due(opens, index, ambient);
    const cues = { opens, before: sequence?.parts ?? NO_PARTS, after: owner.after, entries, links };
    const part = withCues({ entry: index, needs, ambient, guess, why }, cues);
    // A server's frames about one request keep their order, so each entry opens one sequence.
    if (sequence) sequence.parts.push(part);
    else sequences.add({ opens, parts: [part] });
    if (isAsking(entries[index])) pledges.asked(opens, index);
    if (ambient) unflushed.push(part);
    if (unflushed.length > 0 && links.requestOf.has(index)) {
      flushes.set(index, unflushed);
      unflushed = [];
    }
  });
  return { side: 'server', entries, links, sequences, flushes, refusals: protocolRejections(entries, links) };
}

/** Nearly no part waits for anything. */
const NONE: readonly number[] = [];
const NO_PARTS: readonly PlanStep[] = [];

interface Pledge {
  /** Answers that the cassette has later. */
  open: number[];
  /** Answers that the cassette has, and that no part but ambient ones has waited for. */
  owed: number[];
}

/** The answers that a sequence's own requests were given in the cassette: what followed one waits for the live one. */
class Pledges {
  readonly #links: Links;
  /** By the entry that opens the sequence. */
  readonly #sequences = new Map<number | undefined, Pledge>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** The request `move` of the sequence will be answered; but not if it was withdrawn first. */
  asked(sequence: number | undefined, entry: number): void {
    const { answerOf, cancelOf } = this.#links;
    const answer = answerOf.get(entry);
    if (answer === undefined || (cancelOf.get(entry) ?? answer) < answer) return;
    const pledge = this.#sequences.get(sequence);
    if (pledge) pledge.open.push(answer);
    else this.#sequences.set(sequence, { open: [answer], owed: [] });
  }

  /**
   * Answers given before `move`, each named once: by the first part that followed it. An ambient part may be sent
   * ahead of its sequence, so that what an ambient part names is named again by the first that is not.
   */
  due(sequence: number | undefined, entry: number, ambient: boolean): readonly number[] {
    const pledge = this.#sequences.get(sequence);
    if (pledge === undefined) return NONE;
    const given = pledge.open.filter((answer) => answer < entry);
    if (given.length > 0) pledge.open = pledge.open.filter((answer) => answer > entry);
    if (ambient) {
      for (const answer of given) pledge.owed.push(answer);
      return given;
    }
    const due = [...pledge.owed, ...given];
    pledge.owed = [];
    return due;
  }
}

interface Cues {
  /** The entry that opens the sequence, and the parts that stand in it already. */
  opens: number | undefined;
  before: readonly PlanStep[];
  after: number | undefined;
  entries: readonly SessionEntry[];
  links: Links;
}

/** The part with what else it waits for. A live client may never give such a cue, so none is waited for for ever. */
function withCues(part: PlanStep, cues: Cues): PlanStep {
  const { opens, after, entries } = cues;
  const cancel = cancelBefore(part, cues);
  const answers = answersBefore(part, cues);
  const unsure = after === undefined ? answers : [after, ...answers];
  if (unsure.length === 0 && cancel.length === 0) return part;
  const waited = entries[part.entry]!.at - (entries[opens ?? -1]?.at ?? 0);
  if (unsure.length > 0) {
    const needs = [...part.needs, ...unsure, ...cancel];
    return { ...part, needs, patience: Math.max(waited, PATIENCE_MIN) };
  }
  return { ...part, needs: [...part.needs, ...cancel], patience: waited };
}

/** A hand-written cassette has no times, and a quick server took none. */
const PATIENCE_MIN: Milliseconds = 1_000;

/**
 * What the recorded server still said after a cancel waits for the live cancel; but a client that does not cancel must not
 * wait in vain, so no longer than it waited in the cassette.
 */
function cancelBefore(part: PlanStep, { opens, before, links }: Cues): readonly number[] {
  const cancel = links.cancelOf.get(opens ?? -1);
  if (cancel === undefined || part.ambient || part.entry < cancel) return NONE;
  const previous = before.findLast(({ ambient }) => !ambient);
  return previous !== undefined && previous.entry > cancel ? NONE : [cancel];
}

/** A server that ends, and not just a stream of its, can answer no more: its end waits for the answers it had given to calls of the same time. */
function answersBefore({ entry }: PlanStep, { opens, entries, links }: Cues): readonly number[] {
  const { kind, stream } = entries[entry]!.frame;
  const isEnd = kind === 'exit' || (kind === 'close' && stream === undefined);
  if (opens === undefined || !isEnd) return NONE;
  return [...links.requestOf.keys()].filter(
    (answer) => answer > opens && answer < entry && entries[answer]!.from === 'server',
  );
}

function isPing(entry: SessionEntry | undefined): boolean {
  return isRequest(entry?.message) && entry.message.method === 'ping';
}

function isAsking(entry: SessionEntry | undefined): boolean {
  return isRequest(entry?.message) && entry.message.method !== 'ping';
}

function isPingAnswer(entries: readonly SessionEntry[], links: Links, index: number): boolean {
  const request = links.requestOf.get(index);
  return request !== undefined && isPing(entries[request]);
}
