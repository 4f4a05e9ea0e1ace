import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Channel } from '../channel/channel.ts';
import type { Frame, MessageFrame, Side } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { identityOf } from '../match/request-identity.ts';
import { locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { LiveRecording, LiveRecordingEnd } from './live-recording.ts';
import type { TwoWayFrameRedactor } from './redact-and-restore-frames.ts';

export interface LiveFallbackOptions {
  cassette: Cassette;
  client: Channel;
  clock: Clock;
  /** Starts the live server. */
  start(hear: (frame: Frame) => void): Promise<LiveRecording>;
  report(finding: Finding): void;
  placeholders: TwoWayFrameRedactor;
}

/**
 * Sends requests missing in the cassette to a live server. The server is started for the first such request, with the
 * client's handshake. Server notifications that are also in the cassette are sent to the client only once.
 */
export class LiveFallback {
  readonly #options: LiveFallbackOptions;
  /** The client's `initialize` and `notifications/initialized`. */
  readonly #handshake: JsonText[] = [];
  /**
   * The client's response to a recorded server request, by the identity of the server's message. Undefined for
   * notifications.
   */
  readonly #serverInitiated: Map<string, JsonText | undefined>;
  /** Ids of open requests to the live server. */
  readonly #openRequests = new Set<string>();
  /** Original id of a live server request, by its new id. The recorded server may use the original id. */
  readonly #liveIds = new Map<string, string>();
  readonly #waiting: JsonText[] = [];
  readonly #frames: Frame[] = [];
  #starting: Promise<LiveRecording> | undefined;
  #live: LiveRecording | undefined;
  /** Whether the live server has answered `initialize`, or the client sent none. */
  #isOpen = false;
  #ended = false;
  #requests = 0;
  #asked = 0;

  constructor(options: LiveFallbackOptions) {
    this.#options = options;
    this.#serverInitiated = serverInitiatedIn(options.cassette);
  }

  /** Frames between the client and the live server, to be added to the cassette. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Number of requests sent to the live server, without the handshake. */
  get asked(): number {
    return this.#asked;
  }

  /** Handles a frame of the client. Returns true if it was meant for the live server only. */
  hear(frame: Frame): boolean {
    if (frame.kind !== 'message') return false;
    const message = frame.json.value;
    if (isRequest(message) && message.method === 'initialize') this.#handshake[0] = frame.json;
    if (isNotification(message) && message.method === 'notifications/initialized') this.#handshake[1] = frame.json;
    else if (isNotification(message)) return this.#onClientNotification(frame.json, message.method);
    const own = isResponse(message) ? this.#liveIds.get(scalarKeyAt(frame.json, ['id']) ?? '') : undefined;
    if (own === undefined) return false;
    this.#sendToServer(withId(frame.json, own));
    return true;
  }

  /** Sends a request to the live server, after starting it if necessary. */
  ask(request: JsonText): true {
    this.#asked++;
    this.#openRequests.add(scalarKeyAt(request, ['id'])!);
    if (this.#isOpen) this.#sendToServer(request);
    else this.#waiting.push(request);
    if (this.#starting === undefined) {
      this.#starting = this.#start();
      // The failed start was already reported, and its requests answered with an error.
      this.#starting.catch(() => {});
    }
    return true;
  }

  /** Ends the live server, if there is one. */
  async stop(): Promise<LiveRecordingEnd | undefined> {
    this.#ended = true;
    const live = await this.#starting?.catch(() => undefined);
    return await live?.stop();
  }

  async #start(): Promise<LiveRecording> {
    try {
      this.#live = await this.#options.start((frame) => this.#onServerFrame(frame));
    } catch (error) {
      this.#fail(messageOf(error));
      throw error;
    }
    const [initialize] = this.#handshake;
    if (initialize) this.#live.send(this.#frame('client', initialize));
    else this.#open();
    return this.#live;
  }

  #open(): void {
    this.#isOpen = true;
    const initialized = this.#handshake[1];
    if (initialized) this.#live?.send(this.#frame('client', initialized));
    for (const request of this.#waiting.splice(0)) this.#sendToServer(request);
  }

  /**
   * Sends a notification to the live server as well. A cancellation is sent only to the server of its request. Returns
   * true if it was meant for the live server only.
   */
  #onClientNotification(json: JsonText, method: string): boolean {
    const cancelled = method === 'notifications/cancelled' && scalarKeyAt(json, ['params', 'requestId']);
    if (cancelled && this.#openRequests.delete(cancelled)) {
      this.#sendToServer(json);
      return true;
    }
    if (this.#isOpen) this.#live?.send(this.#frame('client', json));
    return false;
  }

  #onServerFrame(frame: Frame): void {
    if (frame.kind === 'exit') return this.#fail(`the live server has ended (${frame.status})`);
    if (frame.kind !== 'message') return;
    const { json } = frame;
    const message = json.value;
    if (isResponse(message)) this.#onResponse(json);
    else if (isRequest(message)) this.#onServerRequest(json);
    else if (!this.#serverInitiated.has(identityOf(json).key)) this.#passToClient(frame, json);
  }

  #onResponse(json: JsonText): void {
    const id = scalarKeyAt(json, ['id']) ?? '';
    const [initialize] = this.#handshake;
    if (!this.#isOpen && initialize && scalarKeyAt(initialize, ['id']) === id) this.#open();
    else if (this.#openRequests.delete(id)) this.#passToClient(this.#frame('server', json), json);
  }

  #onServerRequest(json: JsonText): void {
    const id = scalarKeyAt(json, ['id'])!;
    const answer = this.#serverInitiated.get(identityOf(json).key);
    if (answer) return this.#live?.send(this.#frame('client', withId(answer, id)));
    const newId = `"mcp-record:live:${this.#requests++}"`;
    this.#liveIds.set(newId, id);
    this.#passToClient(this.#frame('server', json), withId(json, newId));
  }

  /** Adds the frame for the cassette, and sends the message to the client with placeholders. */
  #passToClient(recorded: Frame, said: JsonText): void {
    this.#frames.push(recorded);
    const { client, placeholders } = this.#options;
    client.send(placeholders.toClient(this.#frame('server', said)));
  }

  #sendToServer(json: JsonText): void {
    const frame = this.#options.placeholders.toServer(this.#frame('client', json));
    this.#frames.push(frame);
    this.#live?.send(frame);
  }

  /** Answers all open requests with an error. */
  #fail(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const id of this.#openRequests) {
      const error = { code: -32603, message: `mcp-record: ${why}` };
      const response = withId(new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 0, error })), id);
      this.#options.client.send(this.#frame('server', response));
      this.#options.report({ kind: 'miss', text: `The cassette does not have request ${id}, and ${why}.` });
    }
    this.#openRequests.clear();
  }

  #frame(from: Side, json: JsonText): MessageFrame {
    return { kind: 'message', at: this.#options.clock.now(), from, json };
  }
}

function withId({ text }: JsonText, id: string): JsonText {
  const span = locate(text, ['id'])!;
  return new JsonText(text.slice(0, span.start) + id + text.slice(span.end));
}

/**
 * Returns the recorded server's notifications and requests, by identity. Progress is left out, because it belongs to
 * one call.
 */
function serverInitiatedIn({ events }: Cassette): Map<string, JsonText | undefined> {
  const entries = eventsToEntries(events);
  const { answerOf } = correlateEntries(entries);
  const isServerInitiated = ({ from, message }: SessionEntry) =>
    from === 'server' &&
    (isRequest(message) || (isNotification(message) && message.method !== 'notifications/progress'));
  return new Map(
    entries
      .filter(isServerInitiated)
      .map(({ index, json }) => [identityOf(json!).key, entries[answerOf.get(index) ?? -1]?.json]),
  );
}
