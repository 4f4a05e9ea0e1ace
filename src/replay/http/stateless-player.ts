import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame, MessageFrame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { identityOf } from '../../match/request-identity.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { type Id, isRequest } from '../../protocol/message.ts';
import type { Player } from '../player/player.ts';
import type { PlayedRun, ReceivedMessage } from '../player/player-options.ts';
import { createSessionPlayer, type PlaybackContext, type SessionPlayer } from './create-session-player.ts';
import type { HttpCassette } from './http-cassette.ts';
import {
  addressed,
  type Listener,
  listenerOf,
  type SubscriptionUpdates,
  subscriptionUpdates,
} from './index-subscription-notifications.ts';
import { type Opening, openingOf } from './opening-requests.ts';

/** Maximum number of former runs that still answer. Clients that all give up early would fill the memory otherwise. */
const LEFT_MAX = 20;

/** Maximum number of request ids that are remembered. Beyond it, all are forgotten. */
const IDS_MAX = 10_000;

/** One run of a cassette: a pass through it, which answers each of its calls once. */
interface Playback {
  cassette: HttpCassette;
  player: Player;
  /** Whether an earlier run of the cassette has answered a request. */
  isLater: boolean;
  /** Whether it has answered a request. */
  isUsed: boolean;
  /** Whether a request found no unused answer in this cassette. */
  isShort: boolean;
  /** Whether the run was given up, because the request does not begin the cassette. */
  isDropped: boolean;
  /** Indexes of the recorded requests that it has answered. */
  taken: Set<number>;
  /** Live exchanges with an answer from this run. */
  streams: Set<number>;
  /** Number of answers, by request identity. */
  served: Map<string, number>;
}

/**
 * Plays cassettes without sessions to clients that have no names. A request without an unused answer starts a new run if
 * it comes from a new client: it begins the cassette, or its id was used before ("Requests": no client uses an id twice).
 * Otherwise it is a miss. A run stays active as long as one of its exchanges is open; a later one leaves it the answers
 * that it still has. Notifications caused by a request are sent to every live subscription.
 */
export class StatelessPlayer implements SessionPlayer {
  readonly #cassettes: readonly HttpCassette[];
  readonly #context: PlaybackContext;
  readonly #changes: ReadonlyMap<HttpCassette, SubscriptionUpdates>;
  /** Open subscriptions, by live exchange. */
  readonly #listeners = new Map<number, Listener>();
  /** Active runs, in matching order. */
  #runs: Playback[] = [];
  /** Former runs with unused answers, oldest first. Their clients may come back to them. */
  #left: Playback[] = [];
  /** Cassettes of which a run has answered. */
  readonly #begun = new Set<HttpCassette>();
  /** Ids of the live requests of the latest client. */
  readonly #ids = new Set<Id>();
  /** Whether a new client has come, which has begun no run. */
  #hasNewClient = false;
  /** Run with the latest answer. */
  #latest: Playback | undefined;
  /** Indexes of the requests with which a client begins, and of those that are answered once. */
  readonly #openings: ReadonlyMap<HttpCassette, Opening>;
  /** Recorded messages used by ended runs. */
  readonly #used = new Set<JsonText>();
  /** Whether the current run is the last candidate, which reports the miss. */
  #isLast = false;

  constructor(cassettes: readonly HttpCassette[], context: PlaybackContext) {
    this.#cassettes = cassettes;
    this.#context = context;
    this.#openings = new Map(cassettes.map((cassette) => [cassette, openingOf(cassette.plan, context.repeat)]));
    this.#changes = new Map(
      cassettes.map((cassette) => [cassette, subscriptionUpdates(cassette, (json) => this.#keyOf(json))]),
    );
  }

  receive(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) this.#receive(one, stream);
  }

  done(stream: number): void {
    this.#listeners.delete(stream);
    for (const { streams } of this.#all) streams.delete(stream);
  }

  faulted(fired: Fired): void {
    for (const { player } of this.#all) player.faulted(fired);
  }

  get runs(): PlayedRun[] {
    for (const run of this.#all) this.#noteUsed(run);
    return this.#runs.map(({ player }) => player.run);
  }

  finish(): void {
    for (const run of this.#all) this.#noteUsed(run);
    for (const { player } of this.#runs) player.finish();
  }

  get #all(): Playback[] {
    return [...this.#left, ...this.#runs];
  }

  #receive(json: JsonText, stream: number): void {
    const current = this.#all.find(({ streams }) => streams.has(stream)) ?? this.#latest ?? this.#runs.at(-1);
    if (!isRequest(json.value))
      return (current ?? this.#begin(this.#cassettes[0]!)).player.receive(this.#frame(json, stream));
    this.#noteId(json.value.id);
    for (const run of this.#willing()) if (this.#answers(run, json, stream)) return this.#tell(run, json, stream);
    this.#isLast = true;
    this.#answers((this.#latest ?? this.#runs[0])!, json, stream);
    this.#isLast = false;
  }

  /** Yields the runs so far, then one new run for each cassette whose runs have all been used. */
  *#willing(): Generator<Playback> {
    const runs = [...this.#runs];
    yield* runs.filter(({ isUsed }) => isUsed);
    yield* [...this.#left];
    yield* runs.filter(({ isUsed }) => !isUsed);
    for (const cassette of this.#cassettes)
      if (this.#runs.every((run) => run.cassette !== cassette || run.isUsed)) yield this.#begin(cassette);
  }

  #answers(run: Playback, json: JsonText, stream: number): boolean {
    run.isShort = false;
    run.streams.add(stream);
    run.player.receive(this.#frame(json, stream));
    if (run.isShort) {
      run.streams.delete(stream);
      if (run.isLater && !run.isUsed) this.#drop(run);
      return false;
    }
    if (!run.isUsed) {
      this.#retire(run.cassette);
      this.#hasNewClient = false;
    }
    run.isUsed = true;
    this.#begun.add(run.cassette);
    this.#latest = run;
    return true;
  }

  /** Gives up a run that has sent nothing. */
  #drop(run: Playback): void {
    run.isDropped = true;
    this.#runs = this.#runs.filter((other) => other !== run);
    run.player.finish();
  }

  /** Ends the active runs of a cassette that no exchange needs, because a new one has begun. */
  #retire(cassette: HttpCassette): void {
    const { once } = this.#openings.get(cassette)!;
    const ended = this.#runs.filter((run) => run.cassette === cassette && run.isUsed && run.streams.size === 0);
    for (const run of ended) this.#noteUsed(run);
    this.#runs = this.#runs.filter((run) => !ended.includes(run));
    const hasLeft = ({ taken }: Playback) => once.some((index) => !taken.has(index));
    this.#left = [...this.#left, ...ended].filter((run) => run.cassette !== cassette || hasLeft(run)).slice(-LEFT_MAX);
  }

  /** Sends subscribers the notifications that followed `json` in the recording. */
  #tell({ cassette, served }: Playback, json: JsonText, stream: number): void {
    const { after } = this.#changes.get(cassette)!;
    if (after.size === 0) return;
    const key = this.#keyOf(json);
    const listener = listenerOf(json, key);
    if (listener) this.#listeners.set(stream, listener);
    const count = served.get(key) ?? 0;
    served.set(key, count + 1);
    for (const [listenKey, told] of after.get(key)?.[count] ?? [])
      for (const [to, { key, id }] of this.#listeners)
        if (key === listenKey) for (const entry of told) this.#send(entry, id, to);
  }

  #send(entry: SessionEntry, id: string, stream: number): void {
    const { clock, send, sent } = this.#context;
    const frame = { ...(entry.frame as MessageFrame), at: clock.now(), json: addressed(entry, id), stream };
    sent?.(frame, entry);
    send(frame);
  }

  #keyOf(json: JsonText): string {
    return identityOf(json, this.#context.ignore).key;
  }

  #begin(cassette: HttpCassette): Playback {
    const answerMissing = () => {
      run.isShort = true;
      return !this.#isLast;
    };
    const { entries } = this.#changes.get(cassette)!;
    const { begins } = this.#openings.get(cassette)!;
    const isLater = this.#begun.has(cassette);
    const send = (frame: Frame, recorded?: SessionEntry) => {
      if (run.isDropped) return;
      if (recorded === undefined || !entries.has(recorded.index)) this.#context.send(frame, recorded);
    };
    const heard = ({ recorded }: ReceivedMessage) => {
      if (recorded === undefined) return;
      const isNewClient = this.#hasNewClient || begins.has(recorded.index);
      if (isLater && !run.isUsed && !isNewClient) {
        run.isShort = run.isDropped = true;
        return;
      }
      run.taken.add(recorded.index);
    };
    const isHandled = (recorded: JsonText) =>
      this.#used.has(recorded) || (this.#context.isHandled?.(recorded) ?? false);
    const { report, finished } = this.#context;
    const player = createSessionPlayer(cassette, this.#context, {
      answerMissing,
      heard,
      send,
      report: (finding) => run.isDropped || report(finding),
      finished: (played) => run.isDropped || finished?.(played),
      isHandled,
      hasSeveralClients: true,
    });
    const run: Playback = {
      cassette,
      player,
      isLater,
      isUsed: false,
      isShort: false,
      isDropped: false,
      taken: new Set(),
      streams: new Set(),
      served: new Map(),
    };
    this.#runs.push(run);
    player.start();
    return run;
  }

  #noteId(id: Id): void {
    if (this.#ids.has(id)) this.#hasNewClient = true;
    if (this.#ids.has(id) || this.#ids.size >= IDS_MAX) this.#ids.clear();
    this.#ids.add(id);
  }

  /** Notes the messages used by a former run, which later runs need not use. */
  #noteUsed({ cassette: { plan }, player }: Playback): void {
    const never = new Set(player.run.unused);
    for (const entry of plan.entries) if (entry.json && !never.has(entry)) this.#used.add(entry.json);
  }

  #frame(json: JsonText, stream: number): Frame {
    return { kind: 'message', at: this.#context.clock.now(), from: 'client', json, stream };
  }
}
