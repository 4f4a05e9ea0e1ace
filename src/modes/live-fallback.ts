import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { entriesOf, type SessionEntry } from '../cassette/correlate/session-entries.ts';
import type { Channel } from '../channel/channel.ts';
import type { Frame, MessageFrame, Side } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { identityOf } from '../match/request-identity.ts';
import { locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { tokenAt } from '../protocol/message-id.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { LiveRecording, LiveRecordingEnd } from './live-recording.ts';
import type { PlaceholderChannel } from './placeholder-channel.ts';

export interface LiveFallbackOptions {
  cassette: Cassette;
  client: Channel;
  clock: Clock;
  /** Starts the live server. */
  start(hear: (frame: Frame) => void): Promise<LiveRecording>;
  report(finding: Finding): void;
  asReplayed: PlaceholderChannel;
}

/**
 * Answers what the cassette does not have from a live server, which is started for the first of it and hears the opening
 * that the client had with the cassette. What the live server says as in the cassette, the client does not hear twice.
 */
export class LiveFallback {
  readonly #options: LiveFallbackOptions;
  /** `initialize` and what says that it is done, as the client said them. */
  readonly #opening: JsonText[] = [];
  /** What the recorded server said unasked → its recorded answer, if it was a request. */
  readonly #recorded: Map<string, JsonText | undefined>;
  /** Ids of requests that the live server was asked and has not answered. */
  readonly #asked = new Set<string>();
  /** Our id for a request of the live server → its own: the cassette's server has the same ids. */
  readonly #minted = new Map<string, string>();
  readonly #waiting: JsonText[] = [];
  readonly #frames: Frame[] = [];
  #starting: Promise<LiveRecording> | undefined;
  #live: LiveRecording | undefined;
  /** The live server has answered `initialize`, or needs none. */
  #isOpen = false;
  #ended = false;
  #requests = 0;

  constructor(options: LiveFallbackOptions) {
    this.#options = options;
    this.#recorded = unasked(options.cassette);
  }

  /** What passed between the client and the live server, for the cassette. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Takes what the client said; true: it was for the live server alone. */
  hear(frame: Frame): boolean {
    if (frame.kind !== 'message') return false;
    const message = frame.json.value;
    if (isRequest(message) && message.method === 'initialize') this.#opening[0] = frame.json;
    if (isNotification(message) && message.method === 'notifications/initialized') this.#opening[1] = frame.json;
    else if (isNotification(message)) return this.#notified(frame.json, message.method);
    const own = isResponse(message) ? this.#minted.get(tokenAt(frame.json, ['id']) ?? '') : undefined;
    if (own === undefined) return false;
    this.#tell(withId(frame.json, own));
    return true;
  }

  /** Takes a request that the cassette does not have. */
  ask(request: JsonText): true {
    this.#asked.add(tokenAt(request, ['id'])!);
    if (this.#isOpen) this.#tell(request);
    else this.#waiting.push(request);
    this.#starting ??= this.#start();
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
      this.#live = await this.#options.start((frame) => this.#heard(frame));
    } catch (error) {
      this.#fail(messageOf(error));
      throw error;
    }
    const [initialize] = this.#opening;
    if (initialize) this.#live.say(this.#frame('client', initialize));
    else this.#open();
    return this.#live;
  }

  #open(): void {
    this.#isOpen = true;
    const initialized = this.#opening[1];
    if (initialized) this.#live?.say(this.#frame('client', initialized));
    for (const request of this.#waiting.splice(0)) this.#tell(request);
  }

  /** What a client says unasked, both servers hear; a cancel, the one that it is about. */
  #notified(json: JsonText, method: string): boolean {
    const cancelled = method === 'notifications/cancelled' && tokenAt(json, ['params', 'requestId']);
    if (cancelled && this.#asked.delete(cancelled)) {
      this.#tell(json);
      return true;
    }
    if (this.#isOpen) this.#live?.say(this.#frame('client', json));
    return false;
  }

  #heard(frame: Frame): void {
    if (frame.kind === 'exit') return this.#fail(`the live server has ended (${frame.status})`);
    if (frame.kind !== 'message') return;
    const { json } = frame;
    const message = json.value;
    if (isResponse(message)) this.#answered(json);
    else if (isRequest(message)) this.#requested(json);
    else if (!this.#recorded.has(identityOf(json).key)) this.#pass(frame, json);
  }

  #answered(json: JsonText): void {
    const id = tokenAt(json, ['id']) ?? '';
    const [initialize] = this.#opening;
    if (!this.#isOpen && initialize && tokenAt(initialize, ['id']) === id) this.#open();
    else if (this.#asked.delete(id)) this.#pass(this.#frame('server', json), json);
  }

  #requested(json: JsonText): void {
    const id = tokenAt(json, ['id'])!;
    const answer = this.#recorded.get(identityOf(json).key);
    if (answer) return this.#live?.say(this.#frame('client', withId(answer, id)));
    const minted = `"mcp-record:live:${this.#requests++}"`;
    this.#minted.set(minted, id);
    this.#pass(this.#frame('server', json), withId(json, minted));
  }

  /** To the cassette as the live server said it, to the client as it has to hear it. */
  #pass(recorded: Frame, said: JsonText): void {
    this.#frames.push(recorded);
    const { client, asReplayed } = this.#options;
    client.send(asReplayed.toClient(this.#frame('server', said)));
  }

  #tell(json: JsonText): void {
    const frame = this.#options.asReplayed.toServer(this.#frame('client', json));
    this.#frames.push(frame);
    this.#live?.say(frame);
  }

  /** Nobody waits for an answer that cannot come. */
  #fail(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const id of this.#asked) {
      const error = { code: -32603, message: `mcp-record: ${why}` };
      const response = withId(new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 0, error })), id);
      this.#options.client.send(this.#frame('server', response));
      this.#options.report({ kind: 'miss', text: `The cassette does not have request ${id}, and ${why}.` });
    }
    this.#asked.clear();
  }

  #frame(from: Side, json: JsonText): MessageFrame {
    return { kind: 'message', at: this.#options.clock.now(), from, json };
  }
}

function withId({ text }: JsonText, id: string): JsonText {
  const span = locate(text, ['id'])!;
  return new JsonText(text.slice(0, span.start) + id + text.slice(span.end));
}

/** What the server of a cassette said without being asked, by identity. Progress is about one call alone. */
function unasked({ events }: Cassette): Map<string, JsonText | undefined> {
  const entries = entriesOf(events);
  const { answerOf } = correlateEntries(entries);
  const isUnasked = ({ from, message }: SessionEntry) =>
    from === 'server' &&
    (isRequest(message) || (isNotification(message) && message.method !== 'notifications/progress'));
  return new Map(
    entries
      .filter(isUnasked)
      .map(({ index, json }) => [identityOf(json!).key, entries[answerOf.get(index) ?? -1]?.json]),
  );
}
