import type { Frame, MessageFrame } from '../channel/frame.ts';
import { elementsOf, isBatch, JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { type FreshClientIds, withTextAt } from './fresh-client-ids.ts';

/** The handshake that a server has made with the recorded client. */
export interface Handshake {
  /** Capabilities of the recorded client. The server goes on to expect them. */
  capabilities: Readonly<Record<string, unknown>>;
  /** The server's response. */
  response: JsonText;
  /** Whether the recorded client has sent `notifications/initialized`. */
  isInitialized: boolean;
}

export interface TakingOverClientOptions {
  ids: FreshClientIds;
  /** Absent: the session has none, as from 2026-07-28 on. */
  handshake?: Handshake | undefined;
  /** Called with what the user of the live client should know. */
  note(text: string): void;
}

/** Frames to send to each side, in order. */
export interface Forwarded {
  server: Frame[];
  client: Frame[];
}

/** Requests that clients send before or beside the handshake. */
const OUTSIDE_HANDSHAKE: ReadonlySet<string> = new Set(['ping', 'server/discover']);

/**
 * A live client that takes over the session of a recorded one. Its `initialize` is answered with the result that the
 * server gave the recorded client, so that the server is initialized once. All else passes, with ids of its own.
 */
export class TakingOverClient {
  readonly #ids: FreshClientIds;
  readonly #handshake: Handshake | undefined;
  readonly #note: (text: string) => void;
  #isServerInitialized: boolean;
  #hasGreeted = false;
  /** Requests and notifications of the server that wait until the client is initialized. Undefined: it is. */
  #held: Frame[] | undefined;

  constructor({ ids, handshake, note }: TakingOverClientOptions) {
    this.#ids = ids;
    this.#handshake = handshake;
    this.#note = note;
    this.#isServerInitialized = handshake?.isInitialized ?? true;
    if (handshake) this.#held = [];
  }

  /** Takes a frame of the client. */
  fromClient(frame: Frame): Forwarded {
    if (frame.kind !== 'message') return { server: [frame], client: [] };
    const client: Frame[] = [];
    const passed = elementsOf(frame.json).flatMap((json) => {
      const { value } = json;
      if (this.#handshake && isRequest(value) && value.method === 'initialize') {
        client.push(this.#greet(json, this.#handshake, frame.at));
        return [];
      }
      if (this.#handshake && isNotification(value) && value.method === 'notifications/initialized') {
        client.push(...this.#release());
        if (this.#isServerInitialized) return [];
        this.#isServerInitialized = true;
        return [json];
      }
      if (isRequest(value) && !OUTSIDE_HANDSHAKE.has(value.method)) client.push(...this.#begin(value.method));
      return this.#ids.toServer(json) ?? [];
    });
    return { server: joined(frame, passed), client };
  }

  /** Takes a frame of the server. Returns the frames for the client. */
  fromServer(frame: Frame): Frame[] {
    if (frame.kind !== 'message') return [frame];
    const passed = elementsOf(frame.json).flatMap((json) => this.#ids.toClient(json) ?? []);
    if (this.#held === undefined) return joined(frame, passed);
    const [now, later] = [passed.filter(isResponseText), passed.filter((json) => !isResponseText(json))];
    this.#held.push(...joined(frame, later));
    return joined(frame, now);
  }

  #greet(request: JsonText, { response, capabilities }: Handshake, at: number): MessageFrame {
    this.#hasGreeted = true;
    const own = paramsOf(request.value).capabilities ?? {};
    const lacking = Object.keys(capabilities).filter((name) => !Object.hasOwn(own, name));
    if (lacking.length > 0) {
      const they = lacking.length === 1 ? 'it' : 'them';
      this.#note(
        `The live client lacks ${lacking.join(', ')}. The recorded client had ${they}, so the server may use ${they}.`,
      );
    }
    const json = withTextAt(response, ['id'], scalarKeyAt(request, ['id'])!);
    return { kind: 'message', at, from: 'server', json };
  }

  /** Takes the first request of a session. Clients should send it after the handshake. */
  #begin(method: string): Frame[] {
    if (this.#handshake && !this.#hasGreeted && this.#held !== undefined) {
      const sent = `The live client sent ${method} before initialize.`;
      this.#note(`${sent} It is passed on, since the server has made the handshake with the recorded client.`);
    }
    return this.#release();
  }

  #release(): Frame[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held;
  }
}

function isResponseText({ value }: JsonText): boolean {
  return isResponse(value);
}

/** Returns a frame with the messages, as a batch if it was one. Empty: there are no messages. */
function joined(frame: MessageFrame, messages: readonly JsonText[]): Frame[] {
  const [first] = messages;
  if (first === undefined) return [];
  const json = isBatch(frame.json) ? new JsonText(`[${messages.map(({ text }) => text).join(',')}]`) : first;
  return [json === frame.json ? frame : { ...frame, json }];
}
