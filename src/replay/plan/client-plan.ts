import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { withVersions } from '../../cassette/read/json-rpc-version.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import { repeatOf } from '../../protocol/methods.ts';
import { withHandshake } from '../prepare/add-handshake.ts';
import { causesOf } from './causes.ts';
import { ClientStreams } from './client-streams.ts';
import type { Cause } from './requests-in-flight.ts';
import { type PlanStep, type Sequence, SequenceTable } from './sequence.ts';
import type { ReplayPlan } from './server-plan.ts';

/** The plan for a mock client: docs/replay.md has the rules in words. `opening`: it makes the handshake that a file leaves out. */
export function planClient(
  events: readonly CassetteEvent[],
  { opening = false }: { opening?: boolean } = {},
): ReplayPlan {
  const recorded = withVersions(entriesOf(events), 'client');
  const entries = withClose(opening ? withHandshake(recorded) : recorded);
  const links = correlateEntries(entries);
  const streams = new ClientStreams(entries, links);
  streams.linkRefusals();
  const context: Context = {
    entries,
    links,
    streams,
    framesOf: framesByRequest(causesOf(entries, links)),
  };
  const main: Sequence = { opens: undefined, parts: [] };
  const sequences = new SequenceTable(entries.length);
  sequences.add(main);
  const reads = new Reads();
  const idle = new Idle(links);
  let answers: number[] = [];
  const told: number[] = [];

  for (const entry of entries) {
    const { index, from, message } = entry;
    reads.pass(entry);
    idle.pass(entry);
    if (isPinged(entry, context) || streams.isReconnection(entry)) continue;
    if (from === 'server') {
      if (links.requestOf.has(index)) answers.push(...unlessCancelled(index, links));
      else if (isRequest(message) || isNotification(message)) told.push(index);
      continue;
    }
    const aside = besides(entry, context);
    if (aside) {
      sequences.add(aside);
      if (isResponse(message)) told.push(index);
      if (idle.asked(links.requestOf.get(index))) answers.push(links.requestOf.get(index)!, index);
      continue;
    }
    const change = reads.changeBefore(entry);
    const previous = main.parts.at(-1)?.entry;
    if (change !== undefined && previous !== undefined) {
      const why = 'reads again what the server said had changed';
      sequences.add({ opens: previous, parts: [partOf(entry, [...answers, change], why)] });
      continue;
    }
    const closing = endsSession(entry);
    const needs = closing ? [...answers, ...told] : [...answers, ...heardOn(entry, context)];
    main.parts.push(partOf(entry, needs, closing ? 'followed all of the session' : 'keeps the order of the cassette'));
    answers = [];
  }
  return { side: 'client', entries, links, sequences, flushes: new Map(), refusals: new Map() };
}

interface Context {
  entries: readonly SessionEntry[];
  links: Links;
  streams: ClientStreams;
  /** Request → the frames that the server sent for it, and that name it. */
  framesOf: ReadonlyMap<number, readonly number[]>;
}

function framesByRequest(owners: readonly (Cause | undefined)[]): Map<number, number[]> {
  const frames = new Map<number, number[]>();
  owners.forEach((owner, frame) => {
    if (owner?.entry === undefined || owner.ambient) return;
    const known = frames.get(owner.entry);
    if (known) known.push(frame);
    else frames.set(owner.entry, [frame]);
  });
  return frames;
}

function partOf({ index }: SessionEntry, needs: number[], why: string): PlanStep {
  return { entry: index, needs, ambient: false, guess: false, why };
}

/** The sequence of an entry that does not stand in the client's own sequence: what answers the server, and cancels. */
function besides(entry: SessionEntry, context: Context): Sequence | undefined {
  const { links, framesOf, streams } = context;
  const { index, message } = entry;
  const left = streams.leftBy(entry);
  if (left !== undefined) {
    const heard = streams.saidBefore(entry);
    const why = `leaves its stream after ${heard.length} of its frames`;
    return { opens: left.index, parts: [partOf(entry, heard.slice(-1), why)] };
  }
  const asked = links.requestOf.get(index) ?? links.progressOf.get(index);
  if (asked !== undefined) return { opens: asked, parts: [partOf(entry, [], 'answers it')] };
  const request = links.cancelledBy.get(index);
  if (request === undefined || !isNotification(message)) return undefined;
  const frames = (framesOf.get(request) ?? []).filter((frame) => frame < index);
  const replies = frames.flatMap((frame) => links.answerOf.get(frame) ?? []).filter((reply) => reply < index);
  const why = `cancels it after ${frames.length} of its frames`;
  return { opens: request, parts: [partOf(entry, [...frames.slice(-1), ...replies], why)] };
}

/** The end of everything that is sent, and over HTTP the end of the session that the server keeps. */
function endsSession({ frame }: SessionEntry): boolean {
  return frame.kind === 'open' ? frame.method === 'DELETE' : frame.kind === 'close' && frame.stream === undefined;
}

/** A stream that the client leaves by and by, such as a subscription, is left when what came on it has come. */
function heardOn(entry: SessionEntry, { streams }: Context): number[] {
  return entry.frame.kind === 'close' ? streams.saidBefore(entry) : [];
}

/** The answer to a cancelled request may or may not come: nothing waits for it, unless the cancel was too late. */
function unlessCancelled(answer: number, { requestOf, cancelOf }: Links): number[] {
  const cancel = cancelOf.get(requestOf.get(answer)!);
  return cancel !== undefined && cancel < answer ? [] : [answer];
}

/** A server's ping is answered from life. */
function isPinged({ index, from, message }: SessionEntry, { links, entries }: Context): boolean {
  const request = from === 'server' ? message : entries[links.requestOf.get(index) ?? -1]?.message;
  return isRequest(request) && request.method === 'ping';
}

/** A cassette that does not say how it ended is played to its last message, and then closed. */
function withClose(entries: SessionEntry[]): SessionEntry[] {
  const isClose = ({ frame, from }: SessionEntry) => frame.kind === 'close' && from === 'client';
  if (entries.some((entry) => isClose(entry) && entry.frame.stream === undefined)) return entries;
  const last = entries.at(-1);
  const [at, line, event] = [last?.at ?? 0, last?.line ?? 1, last?.event ?? 0];
  const frame = { kind: 'close', at, from: 'client' } as const;
  return [...entries, { index: entries.length, event, line, at, from: 'client', frame }];
}

/**
 * Remembers what the server asked while the client had nothing open: as far as a cassette can tell, the client waited for
 * that, and what it said next follows its answer. See docs/decisions/0007-idle-server-requests.md.
 */
class Idle {
  readonly #links: Links;
  readonly #open = new Set<number>();
  readonly #asked = new Set<number>();

  constructor(links: Links) {
    this.#links = links;
  }

  pass({ index, from, message }: SessionEntry): void {
    const { requestOf, answerOf, cancelOf } = this.#links;
    if (from === 'client') {
      // What was never answered, or cancelled, is nothing that a client waits for.
      if (isRequest(message) && answerOf.has(index) && !cancelOf.has(index)) this.#open.add(index);
      return;
    }
    this.#open.delete(requestOf.get(index) ?? -1);
    if (isRequest(message) && this.#open.size === 0) this.#asked.add(index);
  }

  asked(request: number | undefined): boolean {
    return request !== undefined && this.#asked.has(request);
  }
}

/** Remembers what was read, and what the server since said has changed. */
class Reads {
  /** Subject (a list's method or a resource's URI) → the change announced since it was read last. */
  readonly #changes = new Map<string, number | undefined>();

  pass({ index, from, message }: SessionEntry): void {
    if (from === 'client' && isRequest(message)) return;
    if (from !== 'server' || !isNotification(message)) return;
    for (const subject of subjectsOf(message.method, paramsOf(message).uri)) {
      if (this.#changes.has(subject)) this.#changes.set(subject, index);
    }
  }

  /** The change that `move` reads after, if it reads what was read before and announced as changed since. */
  changeBefore({ from, message }: SessionEntry): number | undefined {
    if (from !== 'client' || !isRequest(message)) return undefined;
    const { method } = message;
    const { cursor, uri } = paramsOf(message);
    const isRead = method === 'resources/read' || (repeatOf(method) === 'last' && method.endsWith('/list'));
    if (!isRead || cursor !== undefined) return undefined;
    const subject = method === 'resources/read' ? String(uri) : method;
    const change = this.#changes.get(subject);
    this.#changes.set(subject, undefined);
    return change;
  }
}

function subjectsOf(method: string, uri: unknown): string[] {
  if (method === 'notifications/resources/updated') return [String(uri)];
  const kind = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
  if (kind === undefined) return [];
  return kind === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${kind}/list`];
}
