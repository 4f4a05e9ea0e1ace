import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame, MessageFrame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { identityOf } from '../../match/request-identity.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import type { Player } from '../player/player.ts';
import type { PlayedRun } from '../player/player-options.ts';
import { createSessionPlayer, type PlaybackContext, type SessionPlayer } from './create-session-player.ts';
import type { HttpCassette } from './http-cassette.ts';
import {
  addressed,
  type Listener,
  listenerOf,
  type SubscriptionUpdates,
  subscriptionUpdates,
} from './index-subscription-notifications.ts';

/** One run of a cassette. */
interface Playback {
  cassette: HttpCassette;
  player: Player;
  /** Whether it has answered a request. */
  isUsed: boolean;
  /** Whether a request found no unused answer in this cassette. */
  isShort: boolean;
  /** Live exchanges with an answer from this run. */
  streams: Set<number>;
  /** Number of answers, by request identity. */
  served: Map<string, number>;
}

/**
 * Plays cassettes without sessions to clients that cannot be told apart. When a run has used up an answer, a new run of
 * the cassette starts. A run stays active as long as one of its exchanges is open. Notifications caused by a request
 * are sent to every live subscription.
 */
export class StatelessPlayer implements SessionPlayer {
  readonly #cassettes: readonly HttpCassette[];
  readonly #context: PlaybackContext;
  readonly #changes: ReadonlyMap<HttpCassette, SubscriptionUpdates>;
  /** Open subscriptions, by live exchange. */
  readonly #listeners = new Map<number, Listener>();
  /** Active runs, in matching order. */
  #runs: Playback[] = [];
  /** Recorded messages used by ended runs. */
  readonly #used = new Set<JsonText>();
  /** Whether the current run is the last candidate, which reports the miss. */
  #isLast = false;

  constructor(cassettes: readonly HttpCassette[], context: PlaybackContext) {
    this.#cassettes = cassettes;
    this.#context = context;
    this.#changes = new Map(
      cassettes.map((cassette) => [cassette, subscriptionUpdates(cassette, (json) => this.#keyOf(json))]),
    );
  }

  receive(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) this.#receive(one, stream);
  }

  done(stream: number): void {
    this.#listeners.delete(stream);
    for (const { streams } of this.#runs) streams.delete(stream);
  }

  faulted(fired: Fired): void {
    for (const { player } of this.#runs) player.faulted(fired);
  }

  get runs(): PlayedRun[] {
    return this.#runs.map(({ player }) => player.run);
  }

  finish(): void {
    for (const { player } of this.#runs) player.finish();
  }

  #receive(json: JsonText, stream: number): void {
    const current = this.#runs.find(({ streams }) => streams.has(stream)) ?? this.#runs.at(-1);
    if (!isRequest(json.value))
      return (current ?? this.#begin(this.#cassettes[0]!)).player.receive(this.#frame(json, stream));
    for (const run of this.#willing()) if (this.#answers(run, json, stream)) return this.#tell(run, json, stream);
    this.#isLast = true;
    this.#answers(this.#runs[0]!, json, stream);
    this.#isLast = false;
  }

  /** Yields the active runs, then one new run for each cassette whose runs have all been used. */
  *#willing(): Generator<Playback> {
    yield* [...this.#runs];
    for (const cassette of this.#cassettes)
      if (this.#runs.every((run) => run.cassette !== cassette || run.isUsed)) yield this.#begin(cassette);
  }

  #answers(run: Playback, json: JsonText, stream: number): boolean {
    run.isShort = false;
    run.streams.add(stream);
    run.player.receive(this.#frame(json, stream));
    if (run.isShort) run.streams.delete(stream);
    else run.isUsed = true;
    return !run.isShort;
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
    const send = (frame: Frame, recorded?: SessionEntry) => {
      if (recorded === undefined || !entries.has(recorded.index)) this.#context.send(frame, recorded);
    };
    const ended = this.#runs.filter((other) => other.cassette === cassette && other.streams.size === 0);
    for (const { player } of ended) this.#noteUsed(cassette, player.run);
    this.#runs = this.#runs.filter((other) => !ended.includes(other));
    const isHandled = (recorded: JsonText) =>
      this.#used.has(recorded) || (this.#context.isHandled?.(recorded) ?? false);
    const player = createSessionPlayer(cassette, this.#context, {
      answerMissing,
      send,
      isHandled,
      hasSeveralClients: true,
    });
    const run: Playback = {
      cassette,
      player,
      isUsed: false,
      isShort: false,
      streams: new Set(),
      served: new Map(),
    };
    this.#runs.push(run);
    player.start();
    return run;
  }

  /** Notes the messages used by an ending run, which later runs need not use. */
  #noteUsed({ plan }: HttpCassette, { unused }: PlayedRun): void {
    const never = new Set(unused);
    for (const entry of plan.entries) if (entry.json && !never.has(entry)) this.#used.add(entry.json);
  }

  #frame(json: JsonText, stream: number): Frame {
    return { kind: 'message', at: this.#context.clock.now(), from: 'client', json, stream };
  }
}
